"""Models that order hits anew."""
