"""Vectors of large corpora on disk: written once, block by block, and mapped, not read."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from bench.retrieval.index.ranking import first_bad
from bench.store.atomic import write

log = logging.getLogger(__name__)

Blocks = Callable[[], Iterable[NDArray[np.float32]]]
"""Makes the rows anew, in order, in tables of any number of rows."""

LARGE = 64 * 2**20
"""Bytes of vectors from which on they are kept on disk."""
SCHEME = 1
"""Raised whenever the form of the file changes: part of its name."""


def is_large(chunks: int, dimension: int) -> bool:
    """Tell whether vectors belong on disk."""
    return 4 * chunks * dimension >= LARGE


def matrix(
    folder: Path, identity: str, dimension: int, texts: Sequence[str], blocks: Blocks
) -> NDArray[np.float32]:
    """Return the vectors of some texts, mapped from a file that is made where there is none.

    Any number of processes may share the folder, and may be killed at any time: one makes the
    file, the others wait for it. A damaged file is renamed, logged and made anew.

    Args:
        folder: Where caches are kept: `cache_folder()`.
        identity: Hex digest of the encoder.
        dimension: Length of a vector.
        texts: What the rows belong to, in order.
        blocks: Makes the rows where the file is missing or damaged.

    Returns:
        A table that cannot be written. Shape: (texts, dimension).

    Raises:
        ValueError: `blocks` made rows of a wrong number, shape or length.
        OSError: The folder cannot be written.
    """
    if not texts:
        return np.zeros((0, dimension), np.float32)
    shape = (len(texts), dimension)
    path = folder / "matrices" / f"{digest(identity, dimension, texts)[:32]}.npy"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{path}.lock"):
            if path.exists():
                try:
                    return _mapped(path, shape)
                except ValueError as error:
                    _set_aside(path, error)
            for left in path.parent.glob(f".{path.name}.*"):
                left.unlink()  # by a process that was killed: who holds the lock is alone
            write(path, lambda temporary: _fill(temporary, shape, blocks()))
            return _mapped(path, shape)
    except OSError as error:
        raise OSError(
            f"cannot keep vectors in {path.parent}: {error}; set RSE_BENCH_CACHE to another "
            "folder, one that can be written and has room"
        ) from error


def digest(identity: str, dimension: int, texts: Iterable[str]) -> str:
    """Digest everything that can change a row, or the order of rows."""
    found = hashlib.sha256(f"{SCHEME} {identity} {dimension}\n".encode())
    for text in texts:
        # Digests of one length, so that no two lists of texts run together alike.
        found.update(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
    return found.hexdigest()


def _fill(path: Path, shape: tuple[int, int], blocks: Iterable[NDArray[np.float32]]) -> None:
    header = {"descr": "<f4", "fortran_order": False, "shape": shape}
    done = 0
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for block in blocks:
            rows = np.ascontiguousarray(block, np.dtype("<f4"))
            if rows.ndim != 2 or rows.shape[1] != shape[1] or done + len(rows) > shape[0]:
                raise ValueError(
                    f"rows {done} onwards came as an array of shape {rows.shape}; "
                    f"{shape[0] - done} rows of {shape[1]} numbers are missing"
                )
            if (bad := first_bad(rows)) is not None:
                length = np.linalg.norm(rows[bad])
                raise ValueError(f"vector {done + bad} has length {length:g}, not 1")
            file.write(rows.data)
            done += len(rows)
    if done < shape[0]:
        raise ValueError(f"{done} rows were made, but there are {shape[0]} texts")


def _mapped(path: Path, shape: tuple[int, int]) -> NDArray[np.float32]:
    """Map a file; `ValueError` if it is not what was written."""
    with path.open("rb") as file:
        if np.lib.format.read_magic(file) != (1, 0):
            raise ValueError("another version of the format")
        found, by_columns, kind = np.lib.format.read_array_header_1_0(file)
        begins = file.tell()
    if (found, by_columns, kind) != (shape, False, np.dtype("<f4")):
        raise ValueError(f"it holds {kind} of shape {found}, not <f4 of shape {shape}")
    whole = begins + 4 * shape[0] * shape[1]
    if (length := path.stat().st_size) != whole:
        raise ValueError(f"it has {length} bytes, not {whole}")
    rows: NDArray[np.float32] = np.load(path, mmap_mode="r", allow_pickle=False)
    if (bad := first_bad(rows)) is not None:
        raise ValueError(f"vector {bad} is not of length 1")
    return rows


def _set_aside(path: Path, error: ValueError) -> None:
    number = 1
    while (target := path.with_name(f"{path.name}.corrupt-{number}")).exists():
        number += 1
    log.warning("%s is damaged (%s): kept as %s, made anew", path, error, target.name)
    path.replace(target)
