"""The comparisons of a run as sections of its report."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import isnan

from bench.report.cells import escape
from bench.report.table import family, short, signed
from bench.stats.paired import LEVEL, VERDICT
from bench.stats.signs import PATTERNS
from bench.summary.comparisons import MEASURES, parts_of
from bench.summary.row import Row


def comparisons_markdown(rows: Sequence[Row]) -> str:
    """Return the rows as sections of a report, one for each dataset and baseline."""
    parts: list[str] = []
    for (dataset, baseline), group in groupby(rows, lambda row: (row["dataset"], row["baseline"])):
        section = list(group)
        parts += [f"### {escape(dataset)}: compared with {escape(baseline)}\n", _legend(section)]
        for measure in MEASURES:
            table = [row for row in section if row["measure"] == measure.name]
            parts += [f"{measure.title}:\n", _lines(table)] if table else []
    return "\n".join(parts)


def _legend(rows: Sequence[Row]) -> str:
    one = rows[0]
    by_cluster = one["resampled_by"] == "cluster"
    drawn = "whole clusters" if by_cluster else "questions (fewer than 20 clusters)"
    arms = len({row["arm"] for row in rows})
    said = (
        f"Each arm less the baseline, question by question, with the paired 95 % bootstrap "
        f"interval; p of the paired randomisation test (two-sided); p Holm: corrected for the "
        f"{arms} arms of a table. Both draw {drawn}. Verdicts are p Holm at {100 * LEVEL:.0f} %, "
        f"none below {VERDICT} questions. d: mean difference over its standard deviation.\n"
    )
    if arms / (1 + PATTERNS) > LEVEL:
        said += f"With {arms} arms, {PATTERNS:,} patterns are too few for any verdict.\n"
    return said


def _lines(rows: Sequence[Row]) -> str:
    names = ("arm", "difference", "p", "p Holm", "wins / ties / losses", "d", "n", "verdict")
    whole = len({family(row) for row in rows} | {family(parts_of(rows[0]["baseline"]))}) > 1
    lines = ["| " + " | ".join(names) + " |", "|---" + "|--:" * (len(names) - 2) + "|---|"]
    for row in rows:
        left_out = f" ({row['left_out']} left out)" if row["left_out"] else ""
        cells = [
            row["arm"] if whole else short(row),
            _difference(row),
            *(_p(row[name]) for name in ("p", "p_holm")),
            f"{row['wins']} / {row['ties']} / {row['losses']}",
            "-" if isnan(row["effect_size"]) else f"{row['effect_size']:+.2f}",
            f"{row['n']}{left_out}",
            row["verdict"],
        ]
        lines.append("| " + " | ".join(map(escape, cells)) + " |")
    return "\n".join(lines) + "\n"


def _difference(row: Row) -> str:
    values = [row[name] for name in ("difference", "low_difference", "high_difference")]
    shown = [_tokens(v) if row["measure"] == "tokens" else signed(v) for v in values]
    if isnan(values[0]):
        return "-"
    return shown[0] if isnan(values[1]) else f"{shown[0]} ({shown[1]} to {shown[2]})"


def _tokens(value: float) -> str:
    return f"{value:+,.0f}" if isnan(value) or round(value) else "0"


def _p(value: float) -> str:
    return "-" if isnan(value) else f"{value:.3g}"
