"""Datasets: our own format, and loaders for what others publish. No dataset code is ever run."""
