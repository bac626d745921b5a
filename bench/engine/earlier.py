"""What a prototype measured before this code existed, beside the same of ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bench.engine.rows import EVEN, Row
from bench.figures.table import margin_text, markdown, percent

Tables = Mapping[str, Sequence[Row]]
"""The rows of `families`, `presets`, `costs` and `weights`."""

SHORT, LONG = "chunking_evaluation", "qmsum"
DASH = "-"

PLAIN = "share[score]"
BLURRED = "share[score], smooth[own=0.3]"
INCLUDED = "share[score], smooth[own=0.44]"


class Figure(NamedTuple):
    """One line of the comparison."""

    dataset: str
    size: int
    """Characters of a chunk."""
    what: str
    prototype: str
    """As it was written down; budgets not measured are left out at the end."""
    ours: Callable[[Tables, str], str]
    """The same of our rows, for a pool; raises `KeyError` where we have none."""


def recall(family: str) -> Callable[[Tables, str], str]:
    """Read a family's recall, budget by budget."""
    return lambda tables, pool: " ".join(
        percent(row["recall"]) for row in _rows(tables, "families", pool, family=family)
    )


def margin(family: str) -> Callable[[Tables, str], str]:
    """Read a family's margin over top-k, budget by budget."""
    return lambda tables, pool: " ".join(
        margin_text(row["margin"], row["low_margin"], row["high_margin"], bare=True)
        for row in _rows(tables, "families", pool, family=family)
    )


def preset(name: str) -> Callable[[Tables, str], str]:
    """Read a preset's margin over top-k, and how often it gives nothing."""

    def read(tables: Tables, pool: str) -> str:
        (row,) = _rows(tables, "presets", pool, preset=name)
        found = margin_text(row["margin"], row["low_margin"], row["high_margin"], bare=True)
        empty = f"{row['empty']:.0%} empty"
        return f"{found} at {row['mean_tokens']:,.0f} tokens, {empty}"

    return read


def weights(tables: Tables, pool: str) -> str:
    """Read the weights of score, rank and length, as means over the folds."""
    return " ".join(f"{row['mean']:.2f}" for row in _rows(tables, "weights", pool, form=PLAIN))


def segments(tables: Tables, pool: str) -> str:
    """Read how many segments the optimum without a cost has, budget by budget."""
    found = _rows(tables, "costs", pool, segment_cost=0.0)
    return " ".join(f"{row['segments']:.1f}" for row in found)


def priced(opening: int, form: str = PLAIN) -> str:
    """Name a family of `priced`."""
    return f"priced[segment_tokens={opening}] / {form}"


RSE, FUSED = "rse retuned / minmax", "rse retuned / minmax of cosine + bm25"

FIGURES = (
    Figure(SHORT, 800, "top-k, recall", "70.7 82.1 89.7", recall("topk")),
    Figure(SHORT, 800, "RSE min-max, recall", "73.3 84.4 94.2", recall(RSE)),
    Figure(SHORT, 800, "RSE on cosine + BM25, recall", "85.4 93.4 97.7", recall(FUSED)),
    Figure(SHORT, 800, "priced, 80, recall", "75.2 86.2 92.8", recall(priced(80))),
    Figure(SHORT, 800, "priced, 160, recall", "75.9 87.0 93.1", recall(priced(160))),
    Figure(SHORT, 800, "priced, 80", "+5.4* +4.5* +3.3* +0.5", margin(priced(80))),
    Figure(SHORT, 800, "priced, 320", "+5.1* +3.8* +4.6* +1.2*", margin(priced(320))),
    Figure(
        SHORT, 800, "priced, smoothed, 320", "-5.2* -1.3 +0.4 -0.3", margin(priced(320, BLURRED))
    ),
    Figure(
        SHORT, 800, "the same, own 0.44", "-5.2* -1.3 +0.4 -0.3", margin(priced(320, INCLUDED))
    ),
    Figure(SHORT, 800, "balanced on raw cosines", "-5.7*, 10% empty", preset("balanced / none")),
    Figure(SHORT, 800, "balanced on min-max", "+2.3*", preset("balanced / minmax")),
    Figure(SHORT, 800, "weights of score, rank, length", "13.8 -0.60 1.38", weights),
    Figure(SHORT, 400, "top-k, recall", "75.8 84.4 91.5", recall("topk")),
    Figure(SHORT, 400, "RSE min-max, recall", "79.4 88.1 94.6", recall(RSE)),
    Figure(SHORT, 400, "priced, 80, recall", "79.8 88.1 93.7", recall(priced(80))),
    Figure(SHORT, 400, "priced, 160, recall", "80.9 89.9 95.0", recall(priced(160))),
    Figure(SHORT, 400, "weights of score, rank, length", "10.2 -0.77 1.26", weights),
    Figure(LONG, 800, "top-k, recall", "20.6 32.1 47.6 67.6", recall("topk")),
    Figure(LONG, 800, "oracle, recall", "64.6 83.1 93.1 98.7", recall("oracle")),
    Figure(LONG, 800, "oracle, the same tokens for all", "64.6 83.1 93.1 98.7", recall(EVEN)),
    Figure(
        LONG, 800, "top-k, smoothed", "+3.8 +7.1 +9.8 +6.2", margin("topk / smooth[own=0.3]")
    ),
    Figure(
        LONG, 800, "the same, own 0.44", "+3.8 +7.1 +9.8 +6.2", margin("topk / smooth[own=0.44]")
    ),
    Figure(LONG, 800, "priced, 80", "+0.9 +2.6* +3.6* +2.2*", margin(priced(80))),
    Figure(LONG, 800, "priced, 320", "+5.2* +8.1* +8.0* +7.5*", margin(priced(320))),
    Figure(
        LONG, 800, "priced, smoothed, 320", "+8.3* +12.9* +12.7* +10.1*",
        margin(priced(320, BLURRED)),
    ),
    Figure(
        LONG, 800, "the same, own 0.44", "+8.3* +12.9* +12.7* +10.1*",
        margin(priced(320, INCLUDED)),
    ),
    Figure(
        LONG, 800, "balanced on raw cosines", "+7.5* at 1,204 tokens, 32% empty",
        preset("balanced / none"),
    ),
    Figure(LONG, 800, "segments of the optimum without a cost", "10 to 24", segments),
)  # fmt: skip
"""Points over top-k, or recall in percent, at 500, 1,000, 2,000 and 4,000 mean tokens."""


def table(here: Tables, without: Tables) -> str:
    """Return the comparison in Markdown.

    Args:
        here: Our rows.
        without: Our rows for `chunking_evaluation` without its repeats.
    """
    lines = []
    for one in FIGURES:
        chunks = f"recursive[size={one.size}]"
        lines.append(
            [
                f"{one.dataset} {one.size}: {one.what}",
                one.prototype,
                _read(one, here, f"{one.dataset} / {chunks}"),
                _read(one, without, f"{one.dataset} without repeats / {chunks}"),
            ]
        )
    return markdown(["", "prototype", "here", "here, without repeats"], lines)


def _read(one: Figure, tables: Tables, pool: str) -> str:
    try:
        return one.ours(tables, pool)
    except KeyError:
        return DASH


def _rows(tables: Tables, name: str, pool: str, **named: object) -> list[Row]:
    found = [
        row
        for row in tables.get(name, ())
        if row["pool"] == pool and all(row[key] == value for key, value in named.items())
    ]
    if not found:
        raise KeyError(f"no rows of {pool} with {named} in {name}")
    return found
