"""Where what can be computed again is kept."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def cache_folder() -> Path:
    """Return `$RSE_BENCH_CACHE`, else the folder this system keeps caches in; it may not exist."""
    chosen = os.environ.get("RSE_BENCH_CACHE")
    return Path(chosen).expanduser() if chosen else platformdirs.user_cache_path("rse-bench")
