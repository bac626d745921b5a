"""presets.md: what the presets are worth on data they were not chosen on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import isnan
from typing import Any

from bench.presets.judged import OURS, RETUNED
from bench.report.cells import Columns, escape, table
from bench.report.table import percent, signed
from bench.stats.paired import BETTER, VERDICT, WORSE
from bench.summary.row import Row
from bench.sweep.spec import SweepSpec


def page(spec: SweepSpec, rows: Sequence[Row], made: Mapping[str, Any]) -> str:
    """Return the page."""
    parts = [
        "# Presets, held out\n",
        f"`python -m bench.presets` wrote this: every dataset is judged by the setting that was "
        f"chosen on the other {len(spec.datasets) - 1}. Margins are points of recall over top-k at "
        f"the same mean tokens, with 95 % bootstrap intervals; `*`: sure at 5 % after Holm's "
        f"correction over the {len(rows)} rows (never below {VERDICT} questions). `over re-tuned`: "
        f"over RSE on min-max scores whose penalty alone was chosen in the same way.\n",
        *_summary(rows),
    ]
    for retriever, group in groupby(rows, lambda row: row["retriever"]):
        found = list(group)
        parts.append(f"## {escape(retriever)}\n")
        for goal in spec.goals:
            own = [row for row in found if row["goal"] == goal]
            title = goal if isinstance(goal, str) else f"{goal:,} tokens"
            parts += [f"### {escape(title)}\n", table(_COLUMNS, own)]
    versions = ", ".join(f"{name} {number}" for name, number in made["versions"].items())
    machine = made["machine"]
    parts += ["## How this was made\n", escape(f"{machine['cpu']}, {machine['cores']} cores")]
    return "\n".join([*parts, "", escape(versions)]).rstrip() + "\n"


def _summary(rows: Sequence[Row]) -> list[str]:
    """Count what is shown, for and against us."""
    lines = []
    for name, title in (("p", "top-k"), ("p_over_retuned", "re-tuned RSE")):
        own = [row for row in rows if row["method"] == OURS]
        better = sum(row[f"{name}_verdict"] == BETTER for row in own)
        worse = sum(row[f"{name}_verdict"] == WORSE for row in own)
        margin = "margin" if name == "p" else "margin_over_retuned"
        known = [row[margin] for row in own if not isnan(row[margin])]
        lines.append(
            f"- Against {title}, of {len(own)} choices: {better} surely better, {worse} surely "
            f"worse; {sum(value < -0.01 for value in known)} are more than a point behind, sure or "
            f"not; between {signed(min(known))} and {signed(max(known))} points."
        )
    return [*lines, ""]


def _points(row: Row, name: str, low: str, high: str, verdict: str) -> str:
    if isnan(row[name]):
        return "-"
    sure = "*" if row[verdict] in (BETTER, WORSE) else ""
    return f"{signed(row[name])}{sure} ({signed(row[low])} to {signed(row[high])})"


_OVER_RETUNED = (
    *("margin_over_retuned", "low_over_retuned", "high_over_retuned"),
    "p_over_retuned_verdict",
)
_COLUMNS: Columns = {
    "dataset": lambda row: row["dataset"],
    "method": lambda row: row["method"] if row["method"] == RETUNED else row["arm"],
    "recall %": lambda row: percent(row["recall"]),
    "tokens": lambda row: f"{row['tokens']:,.0f}",
    "p95": lambda row: f"{row['p95_tokens']:,.0f}",
    "over top-k": lambda row: _points(row, "margin", "low_margin", "high_margin", "p_verdict"),
    "over re-tuned": lambda row: _points(
        row,
        "margin_over_retuned",
        "low_over_retuned",
        "high_over_retuned",
        "p_over_retuned_verdict",
    ),
    "optimism": lambda row: signed(row["optimism"]),
    "n": lambda row: str(row["questions"]),
}
