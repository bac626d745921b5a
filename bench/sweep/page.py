"""sweep.md: what was tried, what was chosen, what it is worth on documents it was not chosen on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from bench.report.cells import Columns, escape, table
from bench.report.table import percent, signed
from bench.stats.paired import VERDICT
from bench.summary.row import Row
from bench.sweep.choices import rows_by_goal
from bench.sweep.results import Results
from bench.sweep.spec import SweepSpec
from bench.types import Dataset

SHOWN = 10
"""Failed settings that are named."""


def page(
    spec: SweepSpec,
    datasets: Sequence[Dataset],
    found: Results,
    manifest: Mapping[str, Any],
    figures: Mapping[str, Sequence[str]],
) -> str:
    """Return the whole page."""
    parts = [f"# Sweep {escape(spec.name)}\n", *_tried(spec, found)]
    for goal, rows in rows_by_goal(found.choices):
        parts += [f"## {_goal(goal)}\n", _choices(rows)]
    parts += [_MIND.format(least=VERDICT)]
    for dataset in datasets:
        parts += [f"## {escape(dataset.name)}\n"]
        parts += [f"![{escape(name)}](figures/{name})\n" for name in figures[dataset.name]]
        parts += _axes([row for row in found.sensitivity if row["dataset"] == dataset.name])
    versions = ", ".join(f"{name} {number}" for name, number in manifest["versions"].items())
    made = f"{manifest['machine']['cpu']}, {manifest['machine']['cores']} cores; {versions}"
    return "\n".join([*parts, "## How this was made\n", escape(made)]).rstrip() + "\n"


_MIND = (
    "`in sample`: the recall a setting was chosen by; `held out`: what the settings chosen on "
    "other documents have; `optimism`: the difference, what one would have fooled oneself by. "
    "Margins are points of recall over top-k at the same mean tokens, both held out, and over the "
    "margin of dsRAG's preset (min-max scores). In brackets 95 % bootstrap intervals; `*`: p by "
    "Holm over all rows of choices.csv is below 5 %, never below {least} questions. `agree`: parts "
    "that chose the same setting as all documents together.\n"
)


def _tried(spec: SweepSpec, found: Results) -> list[str]:
    whole = len(found.settings)
    split = (
        f"{spec.folds} folds by document"
        if spec.split == "documents"
        else "each dataset held out in turn"
    )
    parts = [
        f"{whole:,} settings on {len(found.pools)} "
        f"dataset{'s' if len(found.pools) != 1 else ''}; {split}; seed {spec.seed}.\n"
    ]
    if found.errors:
        names = [
            f"- {escape(str(found.settings[place].arm))}: {escape(why)}"
            for place, why in list(found.errors.items())[:SHOWN]
        ]
        parts += [f"{len(found.errors)} settings failed and take no part:\n", *names, ""]
    for one in found.no_effect:
        values = escape(", ".join(str(value) for value in one.values))
        parts.append(
            f"- **No effect** on {escape(one.dataset)}: {escape(one.strategy)} gives the same "
            f"answers for {escape(one.axis)} = {values}.\n"
        )
    return parts


def _goal(goal: str) -> str:
    if goal.isdigit():
        return f"Most recall within {int(goal):,} tokens"
    return f"{escape(goal)}: most recall for the tokens of dsRAG's preset"


def _choices(rows: Sequence[Row]) -> str:
    columns: Columns = {
        "dataset": lambda row: row["dataset"],
        "chosen": lambda row: " / ".join(row["arm"].split(" / ")[:2]),
        "limit": lambda row: f"{row['limit_tokens']:,.0f}" + ("" if row["fits"] else " (missed)"),
        "in sample %": lambda row: percent(row["in_sample_recall"]),
        "held out %": lambda row: _interval(row, "held_out_recall"),
        "optimism": lambda row: signed(row["optimism"]),
        "tokens": lambda row: f"{row['held_out_tokens']:,.0f}",
        "p95": lambda row: f"{row['held_out_p95_tokens']:,.0f}",
        "over top-k": lambda row: _points(row, "margin", "topk"),
        "over dsRAG": lambda row: _points(row, "margin_over_preset", "preset"),
        "agree": lambda row: f"{row['parts_that_agree']}/{row['parts']}",
        "n": lambda row: str(row["questions"]),
    }
    return table(columns, rows)


def _axes(rows: Sequence[Row]) -> list[str]:
    if not rows:
        return []
    columns: Columns = {
        "axis": lambda row: row["axis"],
        "recall differs by, points": lambda row: f"{100 * row['range_recall']:.1f}",
        "tokens differ by": lambda row: f"{row['range_tokens']:,.0f}",
        "values": lambda row: str(row["values"]),
    }
    shown: dict[str, Row] = {}
    for row in rows:
        one = shown.setdefault(row["axis"], {**row, "values": 0})
        one["values"] += 1
    ordered = sorted(shown.values(), key=lambda row: -row["range_recall"])
    return ["What each axis is worth, averaged over the others:\n", table(columns, ordered)]


def _interval(row: Row, name: str) -> str:
    low, high = row[f"low_{name}"], row[f"high_{name}"]
    if isnan(low) or isnan(high):
        return percent(row[name])
    return f"{percent(row[name])} ({percent(low)}-{percent(high)})"


def _points(row: Row, name: str, against: str) -> str:
    if isnan(row[name]):
        return "-"
    sure = row[f"verdict_{against}"] in ("better", "worse")
    low, high = signed(row[f"low_{name}"]), signed(row[f"high_{name}"])
    return f"{signed(row[name])}{'*' if sure else ''} ({low} to {high})"
