"""The results folder of one run: one writer at a time, and a clear word when it cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from bench.errors import UserError

FILES = (".csv", ".json", ".jsonl", ".md", ".parquet")
"""What results end in."""


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
    for path in folder.iterdir():
        # Found now, not when all the work is done.
        if (path.is_dir() and path.suffix in FILES) or (path.name == "figures" and path.is_file()):
            raise ResultsError(f"{path} is in the way of results; move it, or choose --results")
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
