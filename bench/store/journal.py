"""Rows as they are earned: an append-only file that outlives a kill.

Each line is a JSON object with a `key`. A torn last line is dropped and rows of failed answers are
not taken up again, so a run that is killed and started again ends with the rows of an undisturbed
one.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any

from bench.store.plain import dumps


class Journal:
    """The rows of one run, on disk. Use as a context manager."""

    def __init__(self, path: Path) -> None:
        self.rows: dict[str, dict[str, Any]] = {}
        self._out = path.open("a+b")
        self._out.seek(0)
        whole = 0
        for line in self._out:
            row = _row(line)
            if row is None:
                break
            if not row.get("failed"):
                self.rows.setdefault(row["key"], row)
            whole += len(line)
        self._out.truncate(whole)
        self._out.seek(0, 2)

    def append(self, row: dict[str, Any]) -> None:
        """Keep a row; it is on its way to the disk when this returns."""
        self.rows[row["key"]] = json.loads(line := dumps(row))
        self._out.write(line.encode("utf-8", "surrogatepass") + b"\n")
        self._out.flush()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._out.close()


def _row(line: bytes) -> dict[str, Any] | None:
    """Return the row of a whole line, None for a torn or foreign one."""
    if not line.endswith(b"\n"):
        return None
    try:
        row = json.loads(line.decode("utf-8", "surrogatepass"))
    except ValueError:
        return None
    return row if isinstance(row, dict) and isinstance(row.get("key"), str) else None
