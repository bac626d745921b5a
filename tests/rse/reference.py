"""dsRAG's own selection as an oracle: its one file, loaded without its package."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from functools import cache

import numpy as np
import pytest


class InOrder(list):
    """Stands in for `set` in dsRAG's file, whose order changes with the hash seed."""

    def __init__(self, items):
        super().__init__(dict.fromkeys(items))


@cache
def dsrag():
    try:
        file = importlib.metadata.distribution("dsrag").locate_file("dsrag/rse.py")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("dsrag is not installed; `make setup` installs it")
    spec = importlib.util.spec_from_file_location("dsrag_rse", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.set = InOrder
    return module


def reference_segments(hits, layout, parameters):
    """Return dsRAG's segments as (first, last, score) in corpus-wide chunk numbers."""
    module = dsrag()
    results = []
    for one in hits:
        document = layout.document(one.chunk)
        results.append(
            [
                {
                    "metadata": {
                        "doc_id": int(d),
                        "chunk_index": int(chunk - layout.start[d]),
                        "chunk_text": "x" * int(layout.length[chunk]),
                    },
                    "similarity": float(score),
                }
                for chunk, score, d in zip(one.chunk, one.score, document, strict=True)
            ]
        )
    splits, starts, documents = module.get_meta_document(
        results, parameters.top_k_for_document_selection
    )
    values = module.get_relevance_values(
        results,
        splits[-1] if splits else 0,
        starts,
        documents,
        parameters.irrelevant_chunk_penalty,
        parameters.decay_rate,
        parameters.chunk_length_adjustment,
    )
    found, scores = module.get_best_segments(
        values,
        splits,
        parameters.max_length,
        parameters.chunk_budget(len(hits)),
        parameters.minimum_value,
    )
    return [
        _corpus_wide(run, score, splits, documents, layout)
        for run, score in zip(found, scores, strict=True)
    ]


def _corpus_wide(run, score, splits, documents, layout):
    place = int(np.searchsorted(splits, run[0], side="right"))
    shift = layout.start[documents[place]] - (splits[place - 1] if place else 0)
    return (int(run[0] + shift), int(run[1] + shift), float(score))
