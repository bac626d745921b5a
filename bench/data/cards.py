"""What the cards in `datasets/` say of sets that stand elsewhere, and where their files are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.data.errors import DatasetError

CARDS = Path(__file__).resolve().parents[2] / "datasets"
"""The folder of dataset cards beside the code."""


def card(name: str) -> dict[str, Any]:
    """Return a dataset's `card.json`: source, revision, licence, digest of each file."""
    found: dict[str, Any] = json.loads((CARDS / name / "card.json").read_text(encoding="utf-8"))
    return found


def raw_folder(raw: Path | None, name: str, needed: str, command: str) -> Path:
    """Find upstream's files: `raw` itself or its subfolder of the dataset's name.

    Args:
        raw: What the user named; None: nothing.
        name: The dataset.
        needed: A file or folder that must be there.
        command: How to get the files; told when they are missing.

    Raises:
        DatasetError: Nothing there; the message says what is expected where.
    """
    for folder in (raw / name, raw) if raw else ():
        if (folder / needed).exists():
            return folder
    raise DatasetError(
        f"{name} needs upstream's raw files, expected {(raw or Path('RAW')) / name / needed}: "
        f"get them with `{command}` and name the folder above with --raw DIR or RSE_BENCH_RAW"
    )
