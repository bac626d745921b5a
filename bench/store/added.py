"""Metrics that `rse-bench score` has added to stored answers: a new run of them keeps these."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from bench.store.records import RECORDS, read

MANIFEST = "manifest.json"


class Added(NamedTuple):
    """What was added to the records of a folder."""

    values: Mapping[str, Mapping[str, float | None]]
    """Metrics by name, by the key of the row: answers of the same key are the same."""
    origin: Mapping[str, Any]
    """What the manifest says of them."""


def added_to(folder: Path) -> Added:
    """Return the metrics that were added; nothing where there are none, or it cannot be read."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        origin = manifest["scored"]
        names = list(origin["added"])
    except (OSError, ValueError, KeyError, TypeError):
        return Added({}, {})
    rows = read(folder / RECORDS) if names else []
    values = {
        row["key"]: {name: row[name] for name in names if name in row}
        for row in rows
        if "key" in row
    }
    return Added({key: own for key, own in values.items() if own}, origin)
