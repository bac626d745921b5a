"""SQLite files that threads and processes share, any of which may be killed at any time."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from threading import RLock
from typing import TypeVar

from filelock import FileLock

log = logging.getLogger(__name__)
T = TypeVar("T")

BUSY_SECONDS = 60.0


class Database:
    """A file of what can be made again, opened when first needed.

    A damaged file is set aside under another name, and an empty one takes its place.

    Args:
        path: The file; it and its folder are made if need be.
        table: SQL that makes the table where there is none: `CREATE TABLE IF NOT EXISTS ...`.
    """

    def __init__(self, path: Path, table: str) -> None:
        self.path, self._table = path, table
        self._db: sqlite3.Connection | None = None
        self._turn = RLock()  # threads share the connection, one at a time

    def run(self, action: Callable[[sqlite3.Connection], T]) -> T:
        """Do something with the database, once more with an empty one if it is damaged.

        Statements outside a transaction of the action's own are committed one by one.

        Raises:
            OSError: The file cannot be used; the message says where, why and what would work.
        """
        with self._turn:
            try:
                try:
                    return action(self._open())
                except sqlite3.DatabaseError as error:
                    if not _is_damage(error):
                        raise
                    self.set_aside()
                    return action(self._open())
            except (OSError, sqlite3.OperationalError) as error:
                raise OSError(
                    f"cannot use the cache in {self.path.parent}: {error}; set RSE_BENCH_CACHE to "
                    "another folder, one that can be written"
                ) from error

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        with self._turn:
            if self._db is not None:
                self._db.close()
                self._db = None

    def set_aside(self) -> None:
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

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            db = sqlite3.connect(
                self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
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
            db.execute(self._table)


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
