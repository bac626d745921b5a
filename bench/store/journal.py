"""Rows as they are earned: an append-only file that outlives a kill.

Each line is a JSON object with a `key`. Lines that cannot be read (the last one is torn when a run
is killed) are dropped, and rows of failed answers are not taken up again, so a run that is killed
and started again ends with the rows of an undisturbed one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from bench.store.atomic import write_bytes
from bench.store.folder import ResultsError
from bench.store.plain import dumps


class Journal:
    """The rows of one run, on disk. Use as a context manager.

    Args:
        path: The file; made if need be.
        whole: Tells whether a row can be used; one that cannot is as good as damaged.

    Raises:
        ResultsError: The file holds something else.
    """

    def __init__(
        self, path: Path, whole: Callable[[Mapping[str, Any]], bool] = lambda _: True
    ) -> None:
        self.rows: dict[str, dict[str, Any]] = {}
        lines = _lines(path)
        found = [(line, row) for line in lines if (row := _row(line)) is not None and whole(row)]
        for _, row in found:
            if not row.get("failed"):
                self.rows.setdefault(row["key"], row)
        complete = sum(line.endswith(b"\n") for line in lines)
        if complete and not found:
            raise ResultsError(
                f"{path} holds no row of a run: move it away, or choose another --results"
            )
        self.dropped = complete - len(found)
        """Damaged lines, the torn last one of a killed run aside."""
        if len(found) < len(lines):
            write_bytes(path, b"".join(line for line, _ in found))
        self._out = path.open("ab")

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
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) and isinstance(row.get("key"), str) else None


def _lines(path: Path) -> list[bytes]:
    if not path.exists():
        return []
    with path.open("rb") as rows:
        return list(rows)
