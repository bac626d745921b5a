"""Embedding models, and vectors of many texts through a cache."""
