"""The short table of `docs/rse.md`: margins over top-k, pool by pool."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan

from bench.engine.experiment import Result, Row
from bench.engine.families import BUDGETS

SHOWN = {
    "topk / smooth[own=0.3]": "top-k on smoothed scores",
    "rse balanced / none": "RSE balanced, raw, penalty traced",
    "rse balanced / minmax": "RSE balanced, min-max, penalty traced",
    "rse retuned / max": "RSE retuned, max, penalty traced",
    "optimal retuned[segment_cost=0] / minmax": "Optimal retuned, min-max, no segment cost",
    "optimal retuned[segment_cost=0.3] / minmax": "Optimal retuned, min-max, segment cost 0.3",
    "priced[segment_tokens=80] / share[score]": "Priced, share of score, rank, length",
    "priced, cross-fitted / cosine": "Priced, cross-fitted, neighbours among the features",
    "priced, cross-fitted / cosine and bm25": "the same with BM25 among the features",
    "priced[segment_tokens=160] / share[score, neighbours] of other datasets": (
        "Priced, fitted on the other two datasets"
    ),
}
"""Families of the table, and how the page calls them."""


def table(results: Sequence[Result]) -> str:
    """Return the table in Markdown: recall of top-k and the oracle, margins of the others."""
    lines = [
        "| set, chunks / family | " + " | ".join(f"{budget:,} tokens" for budget in BUDGETS) + " |",
        "| --- |" + " --: |" * len(BUDGETS),
    ]
    for one in results:
        rows = {(row["family"], row["mean_tokens"]): row for row in one.families}
        lines.append(f"| **{one.name}**: top-k, recall % |" + _cells(rows, "topk", _recall))
        lines += [
            f"| {name} |" + _cells(rows, family, _margin)
            for family, name in SHOWN.items()
            if (family, BUDGETS[0]) in rows
        ]
        lines.append("| oracle, recall % |" + _cells(rows, "oracle", _recall))
    return "\n".join(lines)


def _cells(rows: dict[tuple[str, int], Row], family: str, show: Callable[[Row], str]) -> str:
    return "".join(f" {show(rows[family, budget])} |" for budget in BUDGETS)


def _recall(row: Row) -> str:
    return "-" if isnan(row["recall"]) else f"{100 * row['recall']:.1f}"


def _margin(row: Row) -> str:
    if isnan(row["margin"]):
        return "-"
    star = "*" if row["low_margin"] > 0 or row["high_margin"] < 0 else ""
    return f"{100 * row['margin']:+.1f}{star}"
