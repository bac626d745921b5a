"""How fast a sweep is, beside one that calls dsRAG's functions."""
