"""How long a server took to embed queries: it is asked once for each, not once in every run."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from bench.retrieval.embedders.cache import VectorCache
from bench.retrieval.embedders.encoder import Encoder
from bench.store.sqlite import Database

TABLE = "CREATE TABLE IF NOT EXISTS asked (key BLOB PRIMARY KEY, seconds REAL)"


class Asked:
    """Vectors of queries from a server, with the seconds they took when they were asked for.

    Args:
        folder: Where caches are kept: `cache_folder()`.
        encoder: Asks the server.
        cache: Keeps the vectors.
    """

    def __init__(self, folder: Path, encoder: Encoder, cache: VectorCache) -> None:
        self._encoder, self._cache = encoder, cache
        path = folder / "vectors" / f"{encoder.identity[:16]}-asked.sqlite"
        self._database = Database(path, TABLE)

    def embed(self, queries: Sequence[str]) -> tuple[NDArray[np.float32], float]:
        """Return a vector for each query, and the seconds all took together when asked for."""
        keys = [hashlib.sha256(q.encode("utf-8", "surrogatepass")).digest() for q in queries]
        kept = self._database.run(lambda db: _read(db, keys))
        there = self._cache.get(queries)
        missing = [i for i, key in enumerate(keys) if i not in there or key not in kept]
        if missing:
            began = perf_counter()
            rows = self._encoder.encode([queries[i] for i in missing])
            seconds = (perf_counter() - began) / len(missing)
            self._cache.put([queries[i] for i in missing], rows)
            new = {keys[i]: seconds for i in missing}
            self._database.run(lambda db: _store(db, new))
            kept = new | kept
            there = self._cache.get(queries)
        vectors = np.array([there[i] for i in range(len(queries))], np.float32)
        return vectors, sum(kept[key] for key in keys)


def _read(db: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, float]:
    found = {}
    for key in dict.fromkeys(keys):
        row = db.execute("SELECT seconds FROM asked WHERE key = ?", (key,)).fetchone()
        if row and isinstance(row[0], float) and isfinite(row[0]) and row[0] >= 0:
            found[key] = row[0]
    return found


def _store(db: sqlite3.Connection, new: dict[bytes, float]) -> None:
    db.executemany("INSERT OR REPLACE INTO asked VALUES (?, ?)", list(new.items()))
