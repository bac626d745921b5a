"""Preset cards that come with `rse`, and what they are worth on data they were not chosen on."""
