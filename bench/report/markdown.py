"""report.md: the numbers of a run with their uncertainty, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any

from bench.costs.dollars import PARTS
from bench.data.coverage import coverage_warning
from bench.metrics.tokens import BUDGETS
from bench.report.cells import escape, table
from bench.report.compared import comparisons_markdown
from bench.report.further import further
from bench.report.table import (
    dollars,
    families,
    interval,
    margin,
    percent,
    points,
    short,
    signed,
)
from bench.stats.paired import VERDICT
from bench.summary.arms import added_columns
from bench.summary.latency import PERCENTS, STAGES
from bench.summary.row import Row
from bench.summary.tables import Tables

ONE_CHUNK = 0.9
"""A larger share of documents that give one chunk is worth a warning."""


def markdown(made: Tables, manifest: Mapping[str, Any], figures: Mapping[str, Path]) -> str:
    """Return the whole report."""
    parts = [f"# {escape(manifest['spec']['name'])}\n"]
    for dataset in manifest["datasets"]:
        if any(row["dataset"] == dataset["name"] for row in made.summary):
            parts += _dataset(dataset, made, figures[dataset["name"]])
            parts += _warnings(manifest, dataset["name"])
    parts += ["## How this was made\n", *_made(manifest)]
    if made.comparisons:
        parts += ["\n## Comparisons\n", comparisons_markdown(made.comparisons)]
    return "\n".join(parts).rstrip() + "\n"


def _warnings(manifest: Mapping[str, Any], dataset: str) -> list[str]:
    """Say what makes the comparison worth less than it looks."""
    parts = []
    for facts in manifest["families"]:
        if facts["dataset"] == dataset and (said := coverage_warning(facts.get("unknown_share"))):
            parts.append(f"- **Language** ({escape(facts['family'])}): {said}.")
        whole = facts["documents"] - facts["documents_without_chunks"]
        if facts["dataset"] == dataset and facts["documents_of_one_chunk"] > ONE_CHUNK * whole:
            parts.append(
                f"- **Short documents**: {facts['documents_of_one_chunk']} of {whole} give one "
                f"chunk with {escape(facts['family'])}, so strategies that join chunks, and "
                f"chunkers, can hardly differ here."
            )
    for axis in manifest["no_effect"]:
        if axis["dataset"] == dataset:
            values = ", ".join(str(value) for value in axis["values"])
            parts.append(
                f"- **No effect**: {escape(axis['strategy'])} gives the same answers for "
                f"{escape(axis['axis'])} = {escape(values)} ({escape(axis['family'])})."
            )
    return ["### Mind\n", *parts, ""] if parts else []


def _dataset(dataset: Mapping[str, Any], made: Tables, figure: Path) -> list[str]:
    rows = [row for row in made.summary if row["dataset"] == dataset["name"]]
    by = "whole clusters of questions about the same documents"
    drawn = by if rows[0]["resampled_by"] == "cluster" else "questions (fewer than 20 clusters)"
    parts = [
        f"## {escape(dataset['name'])}\n",
        f"{_count(dataset['questions'], 'question')} over "
        f"{_count(dataset['documents'], 'document')} "
        f"({dataset['characters']:,} characters). Brackets hold 95 % bootstrap intervals, "
        f"drawing {drawn}. No difference is marked below {VERDICT} questions.\n",
        *_unanswerable(rows[0]),
        *[f"{escape(note)}\n" for note in dataset["notes"]],
        f"![Recall against tokens](figures/{figure.name})\n",
        "`margin`: points of recall above (+) or below (-) top-k at the same mean tokens, with its "
        "interval; `*` where that excludes 0. `oracle` knows the gold. `of oracle`: recall over "
        "that of the oracle at the same mean tokens. `ceiling`: the most recall that any choice "
        "of these chunks could have at these tokens.\n",
    ]
    for family, arms in families(rows, dataset["name"]).items():
        parts += _family(family, arms)
        parts += further(made, dataset["name"], family)
    if dataset["excluded"]:
        parts += [f"### Left out: {len(dataset['excluded'])} questions\n"]
        parts += [f"- {escape(k)}: {escape(v)}" for k, v in dataset["excluded"].items()] + [""]
    return parts


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _some_without(row: Row) -> bool:
    return row["undefined"] not in {0, row["questions"]}


def _unanswerable(row: Row) -> list[str]:
    if row["undefined"] == row["questions"]:
        return ["None of the questions has gold: only what answers cost and take is measured.\n"]
    if not _some_without(row):
        return []
    return [
        f"{row['undefined']} of the questions have no gold. All numbers but latency are those of "
        f"the others; what arms return for these {row['undefined']} is under other measures.\n"
    ]


def _family(family: str, rows: Sequence[Row]) -> list[str]:
    return [
        f"### {escape(family)}\n",
        table(_MAIN, rows),
        "Recall at the same tokens for every question: each answer cut at the budget, the last "
        "segment in part; an answer of fewer tokens keeps what it has.\n",
        table({"arm": short} | {f"{b:,}": _at(b) for b in BUDGETS}, rows),
        "Other measures:\n",
        table(_OTHER | _further(rows[0]) | _added(rows[0]), rows),
        "Dollars for a thousand questions, at the prices below; what models on this machine do "
        "costs none:\n",
        table(_DOLLARS, rows),
        "Warm latency in milliseconds, median / 95th / 99th percentile; what comes before `select` "
        "is shared by all arms of a family:\n",
        table(_latency(rows), rows),
    ]


def _at(budget: int) -> Any:  # noqa: ANN401
    return lambda row: points(row, f"recall_at_{budget}")


def _ms(stage: str) -> Any:  # noqa: ANN401
    return lambda row: " / ".join(f"{row[f'p{percent}_{stage}_ms']:.2f}" for percent in PERCENTS)


def _margin(row: Row) -> str:
    if isnan(row["low_margin"]) or isnan(row["high_margin"]):
        return margin(row)
    return f"{margin(row)} ({signed(row['low_margin'])} to {signed(row['high_margin'])})"


_MAIN: Mapping[str, Any] = {
    "arm": short,
    "recall %": lambda row: interval(row, "recall"),
    "precision %": lambda row: interval(row, "precision"),
    "tokens": lambda row: f"{row['mean_tokens']:.0f}",
    "p95 tokens": lambda row: f"{row['p95_tokens']:.0f}",
    "margin": _margin,
    "of oracle %": lambda row: percent(row["oracle_share"]),
    "ceiling %": lambda row: percent(row["mean_ceiling"]),
    "empty %": lambda row: percent(row["empty_rate"]),
}

_OTHER: dict[str, Any] = {
    "arm": short,
    "IoU %": lambda row: points(row, "iou"),
    "F1 %": lambda row: points(row, "f1"),
    "hit %": lambda row: points(row, "hit"),
    "full %": lambda row: points(row, "full"),
    "context precision %": lambda row: points(row, "context_precision"),
    "precision omega %": lambda row: points(row, "precision_omega"),
    "segments": lambda row: f"{row['mean_segments']:.1f}",
    "prompt tokens": lambda row: f"{row['mean_prompt_tokens']:.0f}",
    "undefined": lambda row: str(row["undefined"]),
    "failed": lambda row: str(row["failed"]),
}

_WITHOUT: Mapping[str, Any] = {
    "tokens without gold": lambda row: f"{row['mean_tokens_without_gold']:.0f}",
    "empty without gold %": lambda row: percent(row["empty_rate_without_gold"]),
}

_DOLLARS: Mapping[str, Any] = {
    "arm": short,
    **{name: (lambda row, part=name: dollars(row[f"dollars_{part}"])) for name in PARTS},
    "all": lambda row: dollars(row["dollars"]),
}

_IMAGES: Mapping[str, Any] = {"images": lambda row: f"{row['mean_images']:.1f}"}


def _further(row: Row) -> dict[str, Any]:
    """Return the columns that only some runs have."""
    return {
        **(_WITHOUT if _some_without(row) else {}),
        **(_IMAGES if "mean_images" in row else {}),
    }


def _added(row: Row) -> dict[str, Any]:
    """Return the columns of metrics that somebody has added, as the numbers they are."""
    return {escape(name): _plain(name) for name in added_columns(row)}


def _plain(name: str) -> Any:  # noqa: ANN401
    return lambda row: "-" if isnan(row[f"mean_{name}"]) else f"{row[f'mean_{name}']:.4g}"


def _latency(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the columns of latencies: stages that took any time, and those all arms have."""
    shown = [
        stage
        for stage in (*STAGES, "total")
        if stage not in ("queries", "rerank") or any(row[f"p95_{stage}_ms"] > 0 for row in rows)
    ]
    return {"arm": short, **{stage: _ms(stage) for stage in shown}}


def _made(manifest: Mapping[str, Any]) -> list[str]:
    machine, versions = manifest["machine"], manifest["versions"]
    lines = [
        f"- Machine: {escape(machine['cpu'])}, {machine['cores']} cores; "
        f"Python {manifest['python']}",
        "- Versions: " + ", ".join(f"{name} {number}" for name, number in versions.items()),
        f"- Bootstrap seed {manifest['spec']['seed']}; hits per query: {manifest['spec']['depth']}",
    ]
    for family in manifest["families"]:
        cold = family["cold_start_seconds"]
        busy = ", ".join(_load(load) for load in family["load"])
        lines.append(
            f"- {escape(family['dataset'])}, {escape(family['family'])}: "
            f"{family['chunks']:,} chunks, "
            f"{family['corpus_tokens']:,} tokens ({family['tokenizer']}); "
            f"{family['texts_over_the_limit']:,} chunks over the model's limit, "
            f"{family['tokens_lost']:,} of their tokens lost"
            + (
                f"; cold start: first search {1000 * cold['first_search']:.0f} ms, "
                f"first selection of all arms {1000 * cold['first_select_of_all_arms']:.0f} ms"
                if cold
                else ""
            )
            + f"; load of the machine before and after: {busy}"
        )
    lines.append(f"- Cosines below 0 raised to 0: {manifest['scores_clipped']:,}")
    return [*lines, *_prices(manifest)]


def _load(load: Sequence[float] | None) -> str:
    return "unknown" if load is None else f"{load[0]:.1f}"


def _prices(manifest: Mapping[str, Any]) -> list[str]:
    """Name the prices that dollars are made of."""
    units = {"input": "million tokens read", "search": "thousand searches"}
    reader = manifest["spec"]["prices"]["reader"]
    lines = []
    for model, price in manifest["prices"].items():
        said = " and ".join(
            f"{price[name]:g} dollars per {unit}"
            for name, unit in units.items()
            if price[name] is not None
        )
        origin = f"{price['source']}, {price['as_of']}" if price["source"] else "the spec's own"
        role = " (reads the context)" if model == reader else ""
        lines.append(f"- Price of {escape(model)}{role}: {said} ({escape(origin)})")
    return lines
