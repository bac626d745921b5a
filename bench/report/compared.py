"""Every arm against a baseline on the same questions: rows, a section of the report, CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import isnan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError
from bench.report.markdown import escape
from bench.report.table import family, short, signed
from bench.stats.bootstrap import Draws
from bench.stats.columns import answers_by_arm, columns
from bench.stats.holm import holm
from bench.stats.paired import LEVEL, VERDICT, compare, renumbered, verdict
from bench.stats.signs import PATTERNS, Signs
from bench.summary import Row
from bench.types import Record

DIGITS = 6


class Measure(NamedTuple):
    """What arms are compared by."""

    name: str
    title: str
    higher_is_better: bool = True


MEASURES = (
    Measure("recall", "Recall, points"),
    Measure("recall_at_1000", "Recall at 1,000 tokens, points"),
    Measure("precision", "Precision, points"),
    Measure("tokens", "Tokens; fewer is better", higher_is_better=False),
)


def comparisons(
    records: Sequence[Record],
    cluster: Mapping[str, Mapping[str, int]],
    seed: int,
    baseline: str | None = None,
) -> list[Row]:
    """Return one row per dataset, baseline, measure and arm.

    Holm's correction is over the arms of one table: those held against the same baseline on the
    same dataset by the same measure.

    Args:
        records: All records of a run.
        cluster: Cluster of each question, by dataset.
        seed: Seed of bootstrap and randomisation test.
        baseline: Name of the arm that all others of a dataset are held against. None: in every
            family (chunker / retriever) its first top-k, else its first arm.

    Raises:
        UserError: There is no such baseline, or arms have not answered the same questions.
    """
    rows: list[Row] = []
    for dataset, arms in answers_by_arm(records).items():
        questions = next(iter(arms.values()))
        numbers = renumbered([cluster[dataset][name] for name in questions])
        resampling = Draws(numbers, seed), Signs(numbers, seed)
        values = {measure: columns(arms, measure.name) for measure in MEASURES}
        for chosen, others in _tables(dataset, list(arms), baseline).items():
            for measure, of_arm in values.items():
                table = {arm: of_arm[arm] for arm in others}
                found = _compared(measure, table, of_arm[chosen], resampling)
                rows += [{"dataset": dataset, "baseline": chosen, **row} for row in found]
    return rows


def comparisons_csv(rows: Sequence[Row]) -> str:
    """Return the rows as CSV; an undefined number is an empty cell."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]) if rows else ["dataset"], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


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


def _compared(
    measure: Measure,
    arms: Mapping[str, NDArray[np.float64]],
    baseline: NDArray[np.float64],
    resampling: tuple[Draws, Signs],
) -> Iterator[Row]:
    good = measure.higher_is_better
    found = compare(np.column_stack([*arms.values()]), baseline, *resampling, higher_is_better=good)
    corrected = holm([one.p for one in found]).tolist()
    for (arm, values), one, p in zip(arms.items(), found, corrected, strict=True):
        both = ~np.isnan(values - baseline)
        yield {
            "measure": measure.name,
            "arm": arm,
            **_parts(arm),
            "mean": float(values[both].mean()) if one.n else np.nan,
            "mean_baseline": float(baseline[both].mean()) if one.n else np.nan,
            "difference": one.difference.value,
            "low_difference": one.difference.low,
            "high_difference": one.difference.high,
            "p": one.p,
            "p_holm": p,
            "verdict": verdict(one.n, one.difference.value, p, higher_is_better=good),
            "wins": one.wins,
            "ties": one.ties,
            "losses": one.losses,
            "effect_size": one.effect_size,
            "n": one.n,
            "left_out": one.left_out,
            "resampled_by": "cluster" if resampling[0].by_cluster else "question",
        }


def _tables(dataset: str, arms: Sequence[str], baseline: str | None) -> dict[str, list[str]]:
    """Return the arms held against each baseline, where there are any."""
    if baseline is not None and baseline not in arms:
        raise UserError(f"{dataset} has no arm {baseline!r}; there are: {'; '.join(arms)}")
    groups: dict[str, list[str]] = {}
    for arm in arms:
        groups.setdefault("" if baseline else family(_parts(arm)), []).append(arm)
    chosen = {baseline or _first_topk(group): group for group in groups.values()}
    tables = {one: [arm for arm in group if arm != one] for one, group in chosen.items()}
    return {one: others for one, others in tables.items() if others}


def _first_topk(arms: Sequence[str]) -> str:
    top = (arm for arm in arms if _parts(arm)["strategy"].partition("[")[0] == "topk")
    return next(top, arms[0])


def _parts(arm: str) -> Row:
    names = ("strategy", "scores", "chunker", "retriever")
    return dict(zip(names, arm.split(" / "), strict=True))


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
    whole = len({family(row) for row in rows} | {family(_parts(rows[0]["baseline"]))}) > 1
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


def _cell(value: Any) -> object:  # noqa: ANN401
    if isinstance(value, float):
        return "" if isnan(value) else round(value, DIGITS) + 0.0  # never -0.0
    return value
