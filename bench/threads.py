"""The one place that sets how many threads the numeric libraries use."""

from __future__ import annotations

import sys
from pathlib import Path

from threadpoolctl import threadpool_info, threadpool_limits

_wanted: list[int] = []
"""The number asked for last; empty: none."""


def set_threads(n: int | None) -> dict[str, int]:
    """Give every numeric library loaded so far `n` threads; None leaves them as they are.

    Those loaded later get the number by `renew_threads`. Numba takes at most as many threads as it
    started with.

    Returns:
        The number in force for each library, by name, and for each BLAS and OpenMP file.
    """
    if n is not None:
        if n < 1:
            raise ValueError(f"the number of threads must be 1 or more, got {n}")
        _wanted[:] = [n]
        renew_threads()
    return _in_force()


def renew_threads() -> None:
    """Give libraries loaded since `set_threads` their number: called after every late import."""
    if not _wanted:
        return
    (n,) = _wanted
    # Looking in sys.modules, not importing: a run without torch must not pay for loading it.
    # Numba comes first: when it is first asked it starts its threads, and gives OpenMP, which
    # faiss and torch may share, a number of its own.
    if numba := sys.modules.get("numba"):
        numba.set_num_threads(min(n, numba.config.NUMBA_NUM_THREADS))
    threadpool_limits(n)
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(n)
    if faiss := sys.modules.get("faiss"):
        faiss.omp_set_num_threads(n)


def _in_force() -> dict[str, int]:
    numbers = {Path(pool["filepath"]).name: int(pool["num_threads"]) for pool in threadpool_info()}
    if torch := sys.modules.get("torch"):
        numbers["torch"] = torch.get_num_threads()
    if faiss := sys.modules.get("faiss"):
        numbers["faiss"] = faiss.omp_get_max_threads()
    if numba := sys.modules.get("numba"):
        numbers["numba"] = numba.get_num_threads()
    return dict(sorted(numbers.items()))
