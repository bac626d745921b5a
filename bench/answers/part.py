"""Which part of a finished run a model is asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Arms and questions of a run, and where its data is."""

    arms: Sequence[str] = ()
    """Names, in full or their first parts; empty: all."""
    limit: int | None = None
    """Only the first so many questions of each dataset."""
    raw: Path | None = None
    """Folder of upstream's raw files."""


WHOLE = Part()
"""All of a run."""
