"""Sweeps: many settings on the same hits, chosen on some documents and reported on others."""
