"""Sections of a family that look beyond its arms: its ranking, its curves, kinds of questions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import isnan
from typing import Any

from bench.metrics.tokens import BUDGETS
from bench.report.cells import Columns, escape, table
from bench.report.table import percent, signed
from bench.stats.frontier import LIMIT
from bench.stats.paired import BETTER, WORSE
from bench.stats.strata import TAG
from bench.summary.row import Row
from bench.summary.tables import Tables

SHOWN = (1, 5, 10, 50)
"""Cutoffs of ranked metrics in the report; rankings.csv has more."""
MARKS = {BETTER: "+", WORSE: "-"}


def further(made: Tables, dataset: str, family: str) -> list[str]:
    """Return the sections of one family."""

    def own(rows: Sequence[Row]) -> list[Row]:
        return [row for row in rows if (row["dataset"], row["family"]) == (dataset, family)]

    return [
        *_rankings(own(made.rankings)),
        *_curves(own(made.frontiers)),
        *_strata(own(made.strata)),
    ]


def _rankings(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    columns: dict[str, Any] = {"of": lambda row: f"{row['of']}, by {row['judged_by']}"}
    for name in (*(f"recall@{k}" for k in SHOWN), "ndcg@10", "precision@10", "mrr", "map"):
        columns[f"{name} %"] = _mean(name)
    columns["undefined"] = lambda row: str(row["undefined"])
    return [
        "The ranking itself, before anything is chosen from it. By items: every chunk or document "
        "with gold is relevant, as TREC's tools count. By answers: a passage with all that say the "
        "same is one answer, found where its first chunk is, and what repeats it is no miss:\n",
        table(columns, rows),
    ]


def _curves(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    columns: Columns = {
        "curve": lambda row: row["curve"],
        "settings": lambda row: str(row["settings"]),
        f"area to {LIMIT:,} %": lambda row: _interval(row, f"area_{LIMIT}"),
        "over top-k": lambda row: _points(row, "area_margin"),
        "of oracle %": lambda row: _interval(row, "oracle_share"),
        **{f"{budget:,}": _at(budget) for budget in BUDGETS},
    }
    return [
        f"Whole curves through settings that differ in one knob. Area: recall averaged over mean "
        f"tokens from 0 to {LIMIT:,}, flat behind the last setting, so few settings look worse "
        f"than they are. The numbers to the right: recall at so many mean tokens, between "
        f"neighbouring settings, none outside their range.\n",
        table(columns, rows),
    ]


def _strata(rows: Sequence[Row]) -> list[str]:
    parts = []
    for by, group in groupby(rows, lambda row: row["by"]):
        found = list(group)
        names = list(dict.fromkeys(row["stratum"] for row in found))
        cells = {(row["arm"], row["stratum"]): row for row in found}
        arms = [{"arm": arm, "cells": cells} for arm in dict.fromkeys(row["arm"] for row in found)]
        sizes = {row["stratum"]: row["n"] for row in found}
        columns = {"arm": _arm, **{_heading(name, sizes[name]): _cell(name) for name in names}}
        parts += [f"Recall % by {_title(by)}:\n", table(columns, arms)]
    if parts:
        baseline = " / ".join(rows[0]["baseline"].split(" / ")[:2])
        parts.append(
            f"In brackets: questions. + and -: better or worse than {escape(baseline)} there, p "
            f"corrected for all arms and columns of a table (Holm); never said below 20 questions. "
            f"strata.csv has intervals.\n"
        )
    return parts


def _title(by: str) -> str:
    plain = {"gold_characters": "length of the evidence, characters", "passages": "passages"}
    return plain.get(by, f"tag {escape(by.removeprefix(TAG))}")


def _heading(name: str, n: int) -> str:
    return f"{escape(name)} ({n})"


def _arm(row: Row) -> str:
    strategy, scores, *_ = row["arm"].split(" / ")
    return strategy if scores == "none" else f"{strategy} / {scores}"


def _cell(stratum: str) -> Any:  # noqa: ANN401
    def shown(row: Row) -> str:
        one = row["cells"][row["arm"], stratum]
        return percent(one["mean"]) + MARKS.get(one["verdict"], "")

    return shown


def _mean(name: str) -> Any:  # noqa: ANN401
    return lambda row: percent(row[f"mean_{name}"])


def _at(budget: int) -> Any:  # noqa: ANN401
    return lambda row: percent(row[f"recall_at_mean_tokens_{budget}"])


def _interval(row: Row, name: str) -> str:
    low, high = row[f"low_{name}"], row[f"high_{name}"]
    if isnan(low) or isnan(high):
        return percent(row[name])
    return f"{percent(row[name])} ({percent(low)}-{percent(high)})"


def _points(row: Row, name: str) -> str:
    if isnan(row[name]):
        return "-"
    return f"{signed(row[name])} ({signed(row[f'low_{name}'])} to {signed(row[f'high_{name}'])})"
