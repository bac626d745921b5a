"""The results folder of one run: one writer at a time, and a clear word when it cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from bench.errors import UserError


class ResultsError(UserError):
    """The results folder cannot be used; the message says why and what would work."""


@contextmanager
def writing(folder: Path) -> Iterator[Path]:
    """Hold a results folder, made if need be, against every other run."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".writable"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise ResultsError(
            f"cannot write results to {folder}: {error.strerror}; choose another --results"
        ) from None
    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise ResultsError(
            f"another run is writing to {folder}; wait for it or choose another --results"
        ) from None
    try:
        yield folder
    finally:
        lock.release()
