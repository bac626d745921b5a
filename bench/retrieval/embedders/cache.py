"""Vectors kept on disk by the content of their text: one SQLite file for each encoder."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.embedders.encoder import is_unit
from bench.store.sqlite import Database

log = logging.getLogger(__name__)
Vectors = dict[bytes, NDArray[np.float32]]

AT_ONCE = 500
"""Keys in one query; SQLite has a limit."""
TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB)"


class VectorCache:
    """Unit vectors of one encoder. The first vector stored for a text stays.

    Any number of threads and processes may share the folder, and may be killed at any time.

    Args:
        folder: Where caches are kept: `cache_folder()`.
        identity: Hex digest of everything that can change a vector; names the file.
        dimension: Length of a vector; rows of another one are computed again.
    """

    def __init__(self, folder: Path, identity: str, dimension: int) -> None:
        self.identity, self.dimension = identity, dimension
        self.path = folder / "vectors" / f"{identity[:16]}.sqlite"
        self._database = Database(self.path, TABLE)

    def get(self, texts: Sequence[str]) -> dict[int, NDArray[np.float32]]:
        """Return the vectors that are there, by position in `texts`."""
        keys = [_key(text) for text in texts]
        stored = self._database.run(lambda db: self._read(db, keys))
        return {number: stored[key] for number, key in enumerate(keys) if key in stored}

    def put(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Store a vector for each text that has none; return the vectors now stored, in order.

        Raises:
            ValueError: Vectors of a wrong shape, or not of unit length.
            OSError: The folder cannot be written.
        """
        rows = np.ascontiguousarray(vectors, np.dtype("<f4"))
        if rows.shape != (len(texts), self.dimension) or not is_unit(rows).all():
            raise ValueError(
                f"the cache takes {len(texts)} unit vectors of {self.dimension} numbers, got an "
                f"array of shape {rows.shape}"
            )
        keys = [_key(text) for text in texts]
        stored = self._database.run(lambda db: self._store(db, keys, rows))
        return np.array([stored[key] for key in keys], np.float32).reshape(rows.shape)

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, db: sqlite3.Connection, keys: Iterable[bytes]) -> Vectors:
        """Return the valid rows among `keys`."""
        wanted = list(dict.fromkeys(keys))
        found: Vectors = {}
        for begin in range(0, len(wanted), AT_ONCE):
            some = wanted[begin : begin + AT_ONCE]
            marks = ",".join("?" * len(some))
            query = f"SELECT key, vector FROM vectors WHERE key IN ({marks})"  # noqa: S608
            found |= self._valid(db.execute(query, some).fetchall())
        return found

    def _valid(self, rows: Sequence[tuple[bytes, bytes]]) -> Vectors:
        size = 4 * self.dimension
        whole = [(k, v) for k, v in rows if isinstance(v, bytes) and len(v) == size]
        joined = b"".join(vector for _, vector in whole)
        vectors = np.frombuffer(joined, np.dtype("<f4")).reshape(len(whole), self.dimension)
        good = is_unit(vectors)
        if broken := len(rows) - int(good.sum()):
            log.warning("%s: %d broken vectors, computed again", self.path, broken)
        return {key: vectors[i] for i, (key, _) in enumerate(whole) if good[i]}

    def _store(
        self, db: sqlite3.Connection, keys: Sequence[bytes], rows: NDArray[np.float32]
    ) -> Vectors:
        with db:  # commits, or rolls back
            # Reading under the write lock, so that only missing and broken rows are replaced.
            db.execute("BEGIN IMMEDIATE")
            stored = self._read(db, keys)
            new = {key: row for key, row in zip(keys, rows, strict=True) if key not in stored}
            db.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                [(key, row.tobytes()) for key, row in new.items()],
            )
        return stored | new


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
