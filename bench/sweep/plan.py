"""How much a sweep is, before anything of it is run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.catalog import chunker, retriever
from bench.corpus import cut
from bench.costs.dollars import embedding_the_corpus
from bench.costs.prices import DEFAULT
from bench.data.load_all import load_all
from bench.family import COST
from bench.sweep.dataset import Options
from bench.sweep.pool import split_of
from bench.sweep.settings import all_settings, families
from bench.sweep.spec import SweepSpec
from bench.tokens import tokenizer

CHUNKS, QUESTIONS, SELECTIONS = 15.0, 40.0, 50_000.0
"""Embedded, searched and selected in a second on two cores: rough, and on the slow side."""


def plan(spec: SweepSpec, folder: Path, options: Options) -> Iterator[str]:
    """Yield lines that say what would be done; documents are read and chunked, no more.

    Raises:
        UserError: Data that is not here, or too few documents for the folds.
    """
    settings = all_settings(spec)
    wrong = sum(bool(one.error) for one in settings)
    yield f"{len(settings):,} settings" + (f", {wrong:,} of which cannot be built" if wrong else "")
    seconds, dollars = 0.0, 0.0
    datasets, missing = load_all(spec.datasets, options.raw, spec.limit)
    yield from (f"left out: {why}" for why in missing)
    for dataset in datasets:
        split_of(
            dataset.name,
            dataset.questions,
            1 if spec.split == "datasets" else spec.folds,
            spec.seed,
        )
        for chunker_name, retriever_name in families(spec):
            corpus = cut(dataset, chunker(chunker_name)[1], tokenizer(COST))
            chunks, tokens = len(corpus.layout), int(corpus.costs.sum())
            own = sum(one.family == f"{chunker_name} / {retriever_name}" for one in settings)
            asked = len(dataset.questions)
            local = "bm25" not in retriever(retriever_name)[0].partition("+")[0]
            yield (
                f"{dataset.name}, {chunker_name} / {retriever_name}: {chunks:,} chunks, "
                f"{asked:,} questions, {own * asked:,} selections"
            )
            seconds += asked / QUESTIONS + own * asked / SELECTIONS
            seconds += chunks / CHUNKS if local else 0.0
            dollars += embedding_the_corpus(DEFAULT, retriever_name, tokens)
    yield f"about {_time(seconds)} with nothing cached; {dollars:.2f} dollars to embed the corpora"
    yield f"would be written to {folder}"


def _time(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds >= 90 else f"{seconds:.0f} seconds"
