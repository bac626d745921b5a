"""The figures to agree with, and ours beside them."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from bench.errors import UserError

METRICS = ("recall", "precision", "iou", "precision_omega")
TOLERANCE = 0.05
"""Points by which a mean may differ."""

Spread = tuple[float, float]
"""Mean and standard deviation, in percent."""


class Given(BaseModel):
    """A piece of the file of figures; it says more than is read here."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Best(Given):
    """Means over all questions with five chunks retrieved."""

    recall: Spread
    precision: Spread
    iou: Spread


class Exact(Given):
    """What the report's code gives with an exact search."""

    n5: Best
    precision_omega: Spread


class Known(Given):
    """One configuration's figures."""

    n_chunks: int
    exact_search: Exact

    def percent(self) -> dict[str, float]:
        """Return the means."""
        best = self.exact_search.n5
        return {
            "recall": best.recall[0],
            "precision": best.precision[0],
            "iou": best.iou[0],
            "precision_omega": self.exact_search.precision_omega[0],
        }


class Figures(Given):
    """The file: what the report's own code gives, see `how` in it."""

    configs: dict[str, Known]


class Row(NamedTuple):
    """One configuration: ours beside the report's."""

    name: str
    title: str
    chunks: int
    found: Mapping[str, float]
    """By the report's rules, percent."""
    own: Mapping[str, float]
    """By our own rules, percent."""
    known: Known

    @property
    def furthest(self) -> float:
        """The largest difference, in points."""
        known = self.known.percent()
        return max(abs(self.found[name] - known[name]) for name in METRICS)

    @property
    def agrees(self) -> bool:
        """Whether the chunks are as many and no mean is further off than `TOLERANCE`."""
        return self.chunks == self.known.n_chunks and self.furthest <= TOLERANCE


def read(path: Path) -> Figures:
    """Read the file of figures.

    Raises:
        UserError: There is none, or it holds something else.
    """
    try:
        return Figures.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UserError(f"no figures of the report at {path}: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise UserError(
            f"{path}: {place}: {first['msg']}; expected `configs` by name, each with `n_chunks` "
            f"and `exact_search`"
        ) from error


def as_csv(rows: Sequence[Row]) -> str:
    """Return one line for each configuration."""
    out = StringIO()
    lines = csv.writer(out, lineterminator="\n")
    kinds = ("", "report_", "difference_", "own_")
    lines.writerow(
        ["configuration", "chunks", "report_chunks"]
        + [f"{kind}{name}" for name in METRICS for kind in kinds]
    )
    for row in rows:
        known = row.known.percent()
        values = [
            value
            for name in METRICS
            for value in (
                row.found[name],
                known[name],
                row.found[name] - known[name],
                row.own[name],
            )
        ]
        lines.writerow([row.name, row.chunks, row.known.n_chunks, *(f"{v:.4f}" for v in values)])
    return out.getvalue()


def as_markdown(rows: Sequence[Row]) -> str:
    """Return the table: ours, and in brackets the report's."""
    lines = [
        "| configuration | chunks | recall | precision | IoU | precision_omega | furthest off |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        known = row.known.percent()
        cells = [f"{row.found[name]:.2f} ({known[name]:.2f})" for name in METRICS]
        chunks = f"{row.chunks:,} ({row.known.n_chunks:,})"
        off = f"{row.furthest:.3f}" if row.agrees else f"**{row.furthest:.3f}**"
        lines.append(f"| {' | '.join([row.title, chunks, *cells, off])} |")
    return "\n".join(lines) + "\n"


def own_markdown(rows: Sequence[Row]) -> str:
    """Return the table of the same answers by our own rules."""
    lines = [
        "| configuration | recall | precision | IoU | precision_omega |",
        "|---|--:|--:|--:|--:|",
    ]
    for row in rows:
        cells = [f"{row.own[name]:.2f}" for name in METRICS]
        lines.append(f"| {' | '.join([row.title, *cells])} |")
    return "\n".join(lines) + "\n"
