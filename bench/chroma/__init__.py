"""The Chroma report's comparison of chunkers, made again with our own parts."""
