"""All tables of a run, computed from what it stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan, nan
from typing import Any, NamedTuple

from bench.costs.dollars import embedding_the_corpus
from bench.costs.prices import Prices
from bench.summary.arms import summarise
from bench.summary.comparisons import comparisons
from bench.summary.frontiers import frontier_rows
from bench.summary.latency import latency_rows
from bench.summary.rankings import ranking_rows
from bench.summary.resampling import Resampling
from bench.summary.row import Row
from bench.summary.strata import strata_rows
from bench.types import Record

BOUNDS = ("oracle", "random")
"""Strategies nobody can choose: to differ from them is no finding, and Holm counts findings."""


class Tables(NamedTuple):
    """What is written, one file each."""

    summary: list[Row]
    """One row for each dataset and arm."""
    comparisons: list[Row]
    """Every arm against its family's baseline."""
    frontiers: list[Row]
    """Whole curves of recall against tokens."""
    strata: list[Row]
    """Recall by kind of question."""
    rankings: list[Row]
    """Ranked metrics of what was found, before any choice."""
    latency: list[Row]
    """Percentiles of each stage with intervals."""


def tables(
    records: Sequence[Record], curves: Sequence[Mapping[str, Any]], manifest: Mapping[str, Any]
) -> Tables:
    """Compute everything that is derived from the records.

    Args:
        records: All answers of a run.
        curves: What was kept of each question and family.
        manifest: What the run says of itself.

    Raises:
        UserError: Arms have not answered the same questions.
    """
    cluster = {dataset["name"]: dataset["clusters"] for dataset in manifest["datasets"]}
    resampling = Resampling(cluster, manifest["spec"]["seed"], _with_gold(records))
    prices = Prices.model_validate(manifest["spec"]["prices"], strict=False)
    summary = summarise(records, curves, resampling, prices)
    _mark(summary, manifest, prices)
    choices = [record for record in records if _kind(record.arm) not in BOUNDS]
    strata = {dataset["name"]: dataset["strata"] for dataset in manifest["datasets"]}
    return Tables(
        summary,
        comparisons(choices, resampling),
        frontier_rows(records, curves, resampling),
        strata_rows(choices, strata, resampling),
        ranking_rows(curves, resampling),
        latency_rows(records, resampling),
    )


def _with_gold(records: Sequence[Record]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for record in records:
        if not isnan(record.metrics["recall"]):
            found.setdefault(record.dataset, set()).add(record.question)
    return found


def _kind(arm: str) -> str:
    """Return the name of an arm's strategy without its parameters."""
    return arm.partition(" / ")[0].partition("[")[0]


def _mark(summary: Sequence[Row], manifest: Mapping[str, Any], prices: Prices) -> None:
    """Add to each row what is known of its family; nan: nobody counted.

    The share of tokens that its encoder does not know, and dollars to embed its chunks once.
    """
    facts = {(one["dataset"], one["family"]): one for one in manifest["families"]}
    for row in summary:
        found = facts.get((row["dataset"], f"{row['chunker']} / {row['retriever']}"), {})
        share = found.get("unknown_share")
        row["unknown_token_share"] = nan if share is None else share
        tokens = found.get("corpus_tokens")
        row["dollars_index"] = (
            nan if tokens is None else embedding_the_corpus(prices, row["retriever"], tokens)
        )
