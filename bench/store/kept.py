"""What is kept so that it need not be computed or fetched again: how much, and away with it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from bench.errors import UserError

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "vectors": "embeddings of chunks, sentences and queries",
        "matrices": "embeddings of whole large corpora",
        "onnx": "embedding models in ONNX form",
        "rerank": "scores of rerankers",
        "searched": "hits of sweeps",
        "answers": "answers of model endpoints",
        "pdf": "text of PDF files",
        "page_images": "pictures of PDF pages",
        "pydata-docs": "documentation read from installed packages",
        "raw": "datasets that `data get` downloaded",
    }
)
"""Folders below the cache, and what is in them."""

TABLES = {"vectors": "vectors", "rerank": "scores", "answers": "answers"}
"""Tables of the kinds that are kept in SQLite files, one row an entry."""


class Kept(NamedTuple):
    """What there is of one kind."""

    kind: str
    what: str
    files: int
    bytes: int
    entries: int | None
    """Rows of its databases; None where there are none, or one cannot be read."""


def kept(folder: Path) -> list[Kept]:
    """Say how much there is of each kind, below a cache folder that need not exist."""
    return [_kept(folder, kind) for kind in KINDS]


def clear(folder: Path, kinds: Sequence[str]) -> list[Kept]:
    """Remove everything of some kinds; return what was removed.

    A run that goes on at the same time keeps the files it has open and loses what it adds to them.

    Raises:
        UserError: There is no such kind.
        OSError: A file cannot be removed.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise UserError(f"nothing called {kind!r} is kept; there are: {', '.join(KINDS)}")
    found = [_kept(folder, kind) for kind in dict.fromkeys(kinds)]
    for one in found:
        place = folder / one.kind
        if place.is_symlink():
            place.unlink()
        elif place.exists():
            shutil.rmtree(place)
    return found


def _kept(folder: Path, kind: str) -> Kept:
    files = [path for path in (folder / kind).rglob("*") if path.is_file()]
    size = 0
    for path in files:
        try:
            size += path.stat().st_size
        except FileNotFoundError:  # another process was at it
            continue
    rows = [_rows(path, TABLES[kind]) for path in files if path.suffix == ".sqlite"]
    known = [count for count in rows if count is not None]
    entries = sum(known) if known and len(known) == len(rows) else None
    shown = [path for path in files if path.suffix != ".lock"]
    return Kept(kind, KINDS[kind], len(shown), size, entries)


def _rows(path: Path, table: str) -> int | None:
    try:
        db = sqlite3.connect(path.resolve().as_uri() + "?mode=ro", uri=True, timeout=5)
    except sqlite3.Error:
        return None
    try:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608
    except sqlite3.Error:
        return None
    finally:
        db.close()
