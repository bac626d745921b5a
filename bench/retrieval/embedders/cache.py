"""Vectors kept on disk by the content of their text: one SQLite file for each encoder."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Self, TypeVar

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from bench.retrieval.embedders.encoder import is_unit

log = logging.getLogger(__name__)
T = TypeVar("T")
Vectors = dict[bytes, NDArray[np.float32]]

AT_ONCE = 500
"""Keys in one query; SQLite has a limit."""
BUSY_SECONDS = 60.0


class VectorCache:
    """Unit vectors of one encoder. The first vector stored for a text stays.

    Any number of processes may share the folder, and may be killed at any time.

    Args:
        folder: Where caches are kept: `cache_folder()`.
        identity: Hex digest of everything that can change a vector; names the file.
        dimension: Length of a vector; rows of another one are computed again.
    """

    def __init__(self, folder: Path, identity: str, dimension: int) -> None:
        self.identity, self.dimension = identity, dimension
        self.path = folder / "vectors" / f"{identity[:16]}.sqlite"
        self._db: sqlite3.Connection | None = None

    def get(self, texts: Sequence[str]) -> dict[int, NDArray[np.float32]]:
        """Return the vectors that are there, by position in `texts`."""
        keys = [_key(text) for text in texts]
        stored = self._run(lambda db: self._read(db, keys))
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
        stored = self._run(lambda db: self._store(db, keys, rows))
        return np.array([stored[key] for key in keys], np.float32).reshape(rows.shape)

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        if self._db is not None:
            self._db.close()
            self._db = None

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

    def _run(self, action: Callable[[sqlite3.Connection], T]) -> T:
        """Do something with the database; a damaged one is replaced by an empty one first."""
        try:
            try:
                return action(self._open())
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                self._set_aside()
                return action(self._open())
        except (OSError, sqlite3.OperationalError) as error:
            raise OSError(
                f"cannot use the cache in {self.path.parent}: {error}; set RSE_BENCH_CACHE to "
                "another folder, one that can be written"
            ) from error

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                self._prepare(db)
            except BaseException:
                db.close()
                raise
            self._db = db
        return self._db

    def _prepare(self, db: sqlite3.Connection) -> None:
        # Changing the journal takes a lock that SQLite does not wait for: one at a time.
        with FileLock(f"{self.path}.lock"):
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB)")

    def _set_aside(self) -> None:
        """Rename the damaged file and what belongs to it, unless another process just did."""
        self.close()
        with FileLock(f"{self.path}.lock"):
            if _is_sound(self.path):
                return
            number = 1
            while (target := self.path.with_name(f"{self.path.name}.corrupt-{number}")).exists():
                number += 1
            log.warning("%s is damaged: kept as %s, built anew", self.path, target.name)
            self.path.replace(target)
            for suffix in ("-wal", "-shm"):
                extra = self.path.with_name(self.path.name + suffix)
                if extra.exists():
                    extra.replace(target.with_name(target.name + suffix))


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _is_sound(path: Path) -> bool:
    db = sqlite3.connect(path, timeout=BUSY_SECONDS)
    try:
        return bool(db.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError as error:
        if not _is_damage(error):
            raise
        return False
    finally:
        db.close()
