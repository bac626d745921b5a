"""dsRAG's own functions: its one file, loaded without what its package depends on."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Iterable
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

from bench.perf.inputs import Question
from rse.parameters import Parameters

MISSING = "dsRAG is not installed, so its column is empty (`make setup` installs it)."


class InOrder(list[Any]):
    """Stands in for `set` in dsRAG's file: there the order of documents changes with every run."""

    def __init__(self, items: Iterable[Any]) -> None:
        super().__init__(dict.fromkeys(items))


class Prepared(NamedTuple):
    """A question as dsRAG's functions take it."""

    results: list[list[dict[str, Any]]]
    """Ranked results of each query."""
    splits: list[int]
    """End of each document in the meta-document."""
    starts: dict[int, int]
    """Place of each document's first chunk in the meta-document."""
    documents: list[int]


@cache
def functions() -> ModuleType | None:
    """Return dsRAG's module of RSE; None where dsRAG is not installed."""
    try:
        file = importlib.metadata.distribution("dsrag").locate_file("dsrag/rse.py")
    except importlib.metadata.PackageNotFoundError:
        return None
    spec = importlib.util.spec_from_file_location("dsrag_rse", str(file))
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    vars(module)["set"] = InOrder
    return module


def prepared(module: ModuleType, question: Question, parameters: Parameters) -> Prepared:
    """Bring a question into dsRAG's form: neither this nor `get_meta_document` is timed."""
    layout = question.layout
    results = [
        [
            {
                "metadata": {
                    "doc_id": document,
                    "chunk_index": chunk - int(layout.start[document]),
                    "chunk_text": "x" * int(layout.length[chunk]),
                },
                "similarity": score,
            }
            for chunk, score, document in zip(
                one.chunk.tolist(),
                one.score.tolist(),
                layout.document(one.chunk).tolist(),
                strict=True,
            )
        ]
        for one in question.hits
    ]
    found = module.get_meta_document(results, parameters.top_k_for_document_selection)
    return Prepared(results, *found)


def select(
    module: ModuleType, given: Prepared, parameters: Parameters
) -> tuple[list[tuple[int, int]], list[float]]:
    """Value every chunk and select: `get_relevance_values`, then `get_best_segments`."""
    values = module.get_relevance_values(
        given.results,
        given.splits[-1],
        given.starts,
        given.documents,
        parameters.irrelevant_chunk_penalty,
        parameters.decay_rate,
        parameters.chunk_length_adjustment,
    )
    found: tuple[list[tuple[int, int]], list[float]] = module.get_best_segments(
        values,
        given.splits,
        parameters.max_length,
        parameters.chunk_budget(len(given.results)),
        parameters.minimum_value,
    )
    return found


def corpus_wide(
    found: list[tuple[int, int]], given: Prepared, question: Question
) -> list[tuple[int, int]]:
    """Turn places in the meta-document into chunk numbers of the corpus; sorted."""
    segments = []
    for first, last in found:
        document = max(given.documents, key=lambda d: (given.starts[d] <= first, given.starts[d]))
        shift = int(question.layout.start[document]) - given.starts[document]
        segments.append((first + shift, last + shift))
    return sorted(segments)
