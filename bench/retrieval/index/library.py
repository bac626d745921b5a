"""faiss, imported late, and by one thread at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from bench.threads import renew_threads


@cache
def faiss() -> Any:  # noqa: ANN401  # its stubs do not know what its Python wrappers accept
    """Return faiss with the number of threads that was asked for."""
    import faiss

    renew_threads()
    return faiss


@contextmanager
def alone() -> Iterator[None]:
    """Keep faiss from sharing out the work of this thread.

    It splits even the search of a single query, and its threads wait for each other busily: on a
    machine with other work that took four times as long. The number is each thread's own.
    """
    library = faiss()
    before = library.omp_get_max_threads()
    library.omp_set_num_threads(1)
    try:
        yield
    finally:
        library.omp_set_num_threads(before)
