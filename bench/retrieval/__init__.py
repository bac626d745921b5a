"""Embedding, its cache, and search."""
