"""The short tables of `docs/rse.md`: margins over top-k and over RSE, pool by pool."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bench.engine.families import BUDGETS
from bench.engine.rows import Row
from bench.figures.table import margin_text, markdown, percent

SHOWN = {
    "topk / smooth[own=0.3]": "top-k on smoothed scores",
    "rse balanced / none": "RSE balanced, raw, penalty traced",
    "rse balanced / minmax": "RSE balanced, min-max, penalty traced",
    "rse retuned / max": "RSE retuned, max, penalty traced",
    "optimal retuned[segment_cost=0] / minmax": "Optimal retuned, min-max, no segment cost",
    "optimal retuned[segment_cost=0.3] / minmax": "Optimal retuned, min-max, segment cost 0.3",
    "priced[segment_tokens=80] / share[score]": (
        "Priced, segment_tokens 80, share of score, rank, length"
    ),
    "priced[segment_tokens=80] / share[score, neighbours]": (
        "Priced, segment_tokens 80, neighbours among the features"
    ),
    "priced, cross-fitted / cosine": "Priced, form and segment_tokens cross-fitted",
    "priced, cross-fitted / cosine and bm25": "the same with BM25 among the features",
    "priced[segment_tokens=80] / share[score, neighbours] of other datasets": (
        "Priced, segment_tokens 80, fitted on the other two datasets"
    ),
    "priced[segment_tokens=80] / default share": "Priced, segment_tokens 80, the shares that ship",
}
"""Families of the table, and how the page calls them."""

AIM = {
    "priced, cross-fitted / cosine": "cosine",
    "priced, cross-fitted / cosine and bm25": "cosine and BM25",
}
"""Families held against the best RSE, and the scores they read."""

Found = Mapping[tuple[str, str, int], Row]
"""Rows by pool, family and budget."""


def table(families: Sequence[Row]) -> str:
    """Return recall of top-k and the oracle and margins of the others, in Markdown."""
    rows = _by_name(families)
    lines = []
    for pool in dict.fromkeys(row["pool"] for row in families):
        lines.append([f"**{pool}**: top-k, recall %", *_cells(rows, pool, "topk", _recall)])
        lines += [
            [name, *_cells(rows, pool, family, _margin)]
            for family, name in SHOWN.items()
            if (pool, family, BUDGETS[0]) in rows
        ]
        lines.append(["oracle, recall %", *_cells(rows, pool, "oracle", _recall)])
    return markdown(["set, chunks / family", *_budgets()], lines)


def aim(families: Sequence[Row]) -> str:
    """Return the margins of the cross-fitted price over the best RSE, in Markdown."""
    rows = _by_name(families)
    pools = dict.fromkeys(row["pool"] for row in families)
    lines = [
        [f"{pool}: {scores}", *_cells(rows, pool, family, _beside_rse)]
        for pool in pools
        for family, scores in AIM.items()
    ]
    return markdown(["set, chunks: scores read", *_budgets()], lines)


def _by_name(families: Sequence[Row]) -> Found:
    return {(row["pool"], row["family"], row["mean_tokens"]): row for row in families}


def _budgets() -> list[str]:
    return [f"{budget:,} tokens" for budget in BUDGETS]


def _cells(rows: Found, pool: str, family: str, show: Callable[[Row], str]) -> list[str]:
    return [show(rows[pool, family, budget]) for budget in BUDGETS]


def _recall(row: Row) -> str:
    return percent(row["recall"])


def _margin(row: Row) -> str:
    return margin_text(row["margin"], row["low_margin"], row["high_margin"], bare=True)


def _beside_rse(row: Row) -> str:
    return margin_text(row["margin_rse"], row["low_rse"], row["high_rse"])
