"""The engine's tables as CSV and Markdown, and a figure for each pool."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from math import isnan
from pathlib import Path
from typing import Any

from bench.engine.experiment import Result, Row
from bench.engine.families import BUDGETS
from bench.store.atomic import write_text

TABLES = ("families", "presets", "costs", "chosen", "weights")

LINES = {
    "topk": ("0.35", "-"),
    "topk / smooth[own=0.3]": ("0.35", ":"),
    "rse balanced / none": ("tab:orange", ":"),
    "rse retuned / minmax": ("tab:orange", "-"),
    "priced[segment_tokens=80] / share[score]": ("tab:blue", ":"),
    "priced, cross-fitted / cosine": ("tab:blue", "-"),
    "priced, cross-fitted / cosine and bm25": ("tab:green", "-"),
    "oracle": ("0.35", "--"),
}
"""Families drawn, with colour and line."""


INTRODUCTION = """\
# The engine's reference experiment

Made by `make engine`. Recall at equal mean tokens; in brackets the margin over top-k with its
paired 95 % bootstrap interval; * where that excludes 0 (row by row, not corrected for the number
of rows). MiniLM, exact search, 200 hits. A dash: the family does not spend so many tokens. All
that is fitted is judged on documents it was not fitted on."""


def write(folder: Path, results: Sequence[Result], facts: Row) -> None:
    """Write everything into a folder."""
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    for table in TABLES:
        rows = [{"pool": one.name, **row} for one in results for row in getattr(one, table)]
        write_text(folder / f"{table}.csv", _csv(rows))
    for number, one in enumerate(results):
        _draw(folder / "figures" / f"pool{number}.svg", one)
    write_text(folder / "engine.md", "\n".join(_page(results, facts)) + "\n")


def _page(results: Sequence[Result], facts: Row) -> list[str]:
    lines = [
        *INTRODUCTION.splitlines(),
        "",
        *(f"- {key}: {value}" for key, value in facts.items()),
    ]
    for number, one in enumerate(results):
        lines += ["", f"## {one.name}", "", f"![recall against tokens](figures/pool{number}.svg)"]
        lines += ["", *_families(one), "", *_presets(one), "", *_costs(one), "", *_chosen(one)]
        lines += ["", *(f"- {key}: {_number(value)}" for key, value in one.signals.items())]
    return lines


def _families(one: Result) -> list[str]:
    lines = [
        "| family | " + " | ".join(f"{budget} tokens" for budget in BUDGETS) + " |",
        "|---|" + "---|" * len(BUDGETS),
    ]
    rows = iter(one.families)
    for row in rows:
        four = [row, *(next(rows) for _ in BUDGETS[1:])]
        lines.append(f"| {row['family']} | " + " | ".join(map(_cell, four)) + " |")
    return lines


def _cell(row: Row) -> str:
    if isnan(row["recall"]):
        return "-"
    return f"{100 * row['recall']:.1f} ({_margin(row)})"


def _margin(row: Row) -> str:
    if isnan(row["margin"]):
        return "-"
    shown = f"{100 * row['margin']:+.1f}"
    if isnan(row["low_margin"]):
        return shown
    star = "*" if row["low_margin"] > 0 or row["high_margin"] < 0 else ""
    return f"{shown}{star}: {100 * row['low_margin']:+.1f} to {100 * row['high_margin']:+.1f}"


def _presets(one: Result) -> list[str]:
    lines = [
        "Presets as they are:",
        "",
        "| preset / scores | mean tokens | recall | margin | empty | segments | chunks a segment |",
        "|---|--:|--:|---|--:|--:|--:|",
    ]
    lines += [
        f"| {row['preset']} | {row['mean_tokens']:.0f} | {100 * row['recall']:.1f} | "
        f"{_margin(row)} | {100 * row['empty']:.1f} % | {row['segments']:.1f} | "
        f"{row['chunks_per_segment']:.1f} |"
        for row in one.presets
    ]
    return lines


def _costs(one: Result) -> list[str]:
    lines = [
        "`optimal` on min-max scores, penalty traced, by `segment_cost`:",
        "recall (margin); segments x chunks a segment.",
        "",
        "| segment_cost | " + " | ".join(f"{budget} tokens" for budget in BUDGETS) + " |",
        "|--:|" + "---|" * len(BUDGETS),
    ]
    rows = iter(one.costs)
    for row in rows:
        four = [row, *(next(rows) for _ in BUDGETS[1:])]
        cells = [
            f"{_cell(r)}; {r['segments']:.1f} x {r['chunks_per_segment']:.1f}"
            if not isnan(r["recall"])
            else "-"
            for r in four
        ]
        lines.append(f"| {row['segment_cost']:g} | " + " | ".join(cells) + " |")
    return lines


def _chosen(one: Result) -> list[str]:
    chosen = [
        f"- {row['choice']}, fold {row['fold']}: {row['form']}, "
        f"segment_tokens {row['segment_tokens']}"
        for row in one.chosen
    ]
    fitted = [
        f"- {row['form']}, {row['feature']}: {row['mean']:.2f} "
        f"({row['least']:.2f} to {row['most']:.2f})"
        for row in one.weights
    ]
    return [
        "Chosen for each fold on the other folds:",
        "",
        *chosen,
        "",
        "Weights over the folds (mean, least to most):",
        "",
        *fitted,
    ]


def _csv(rows: Sequence[Row]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _plain(value) for key, value in row.items()} for row in rows)
    return text.getvalue()


def _plain(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, float):
        return "" if isnan(value) else f"{value:.6g}"
    return value


def _number(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _draw(path: Path, one: Result) -> None:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "rse-bench", "svg.fonttype": "none"}):
        figure = Figure((7, 4.5), layout="constrained")
        axes = figure.add_subplot()
        for name, (colour, line) in LINES.items():
            family = one.traced[name]
            x, y = family.tokens.mean(axis=0), 100 * family.recall.mean(axis=0)
            order = x.argsort(kind="stable")
            axes.plot(x[order], y[order], line, color=colour, label=name, linewidth=1.6)
        axes.set(xlim=(0, 4500), ylim=(0, 100), xlabel="mean tokens a question", ylabel="recall, %")
        axes.set_title(one.name, fontsize=10, parse_math=False)
        axes.grid(color="0.9")
        axes.legend(fontsize=8, loc="lower right", frameon=False)
        figure.savefig(path, metadata={"Date": None})
