"""Indexes over vectors: exact, approximate, in a database."""
