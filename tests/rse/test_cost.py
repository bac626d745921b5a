"""What a question takes depends on its hits, never on the corpus."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from rse import RSE, Hits, Layout, Optimal, Priced
from rse.batch import Batch
from rse.compiled import uncompiled

HITS = [Hits(np.arange(480, 520), np.linspace(1, 0, 40))]
LARGE = 3_000_000


def layout(chunks):
    """Make a corpus whose first 1,000 chunks are the ones that are hit."""
    return Layout([0, 500, 1000, chunks], np.full(chunks, 100), np.full(chunks, 20))


@pytest.fixture(scope="module")
def corpora():
    return layout(1000), layout(LARGE)


@pytest.fixture
def plain():
    """Run kernels as Python: what compiled code allocates cannot be seen from outside."""
    with uncompiled():
        yield


STRATEGIES = {
    "greedy": RSE().select,
    "optimal": Optimal().select,
    "optimal in tokens": Optimal(token_budget=60).select,
    "optimal by share": Optimal(value="share", token_budget=60).select,
    "priced": Priced(token_price=1e-3).select,
    "priced in tokens": Priced(token_budget=60).select,
    "batch": Batch([RSE(), Optimal(), Priced()]).select,
}


@pytest.mark.parametrize("select", STRATEGIES.values(), ids=STRATEGIES.keys())
@pytest.mark.usefixtures("plain")
def test_a_question_allocates_no_more_in_a_large_corpus_than_in_a_small_one(select, corpora):
    peaks = []
    answers = []
    for corpus in corpora:
        select(HITS, corpus)  # whatever is made once is made here
        tracemalloc.start()
        answers.append(select(HITS, corpus))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    for one, other in zip(*answers, strict=True):
        assert np.array_equal(one, other)
    assert peaks[1] < peaks[0] + LARGE / 10  # a byte for each chunk would be ten times as much
