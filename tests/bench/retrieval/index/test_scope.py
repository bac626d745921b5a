"""Documents as runs of chunks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.retrieval.around import in_scope
from bench.retrieval.index.scope import numbers, runs, size
from tests.bench.retrieval.index.corpora import layout


@given(sizes=st.lists(st.integers(0, 3), min_size=1, max_size=12), data=st.data())
def test_runs_hold_the_chunks_of_the_documents_and_no_others(sizes, data):
    where = layout(*sizes)
    chosen = np.array(data.draw(st.lists(st.integers(0, len(sizes) - 1))), np.int64)
    found = runs(where, chosen)
    expected = np.flatnonzero(in_scope(where, chosen))
    assert numbers(found).tolist() == expected.tolist()
    assert size(found) == len(expected)
    assert len(found) == (np.diff(expected) > 1).sum() + bool(len(expected))  # as few as can be
    assert size(runs(where, None)) == len(where)


def test_blank_documents_part_no_run():
    assert runs(layout(4, 0, 3, 2), np.array([0, 1, 2])).tolist() == [[0, 7]]
    assert runs(layout(4, 0, 3, 2), np.array([1])).shape == (0, 2)
    assert runs(layout(4, 0, 3, 2), np.array([3, 0, 0])).tolist() == [[0, 4], [7, 9]]


@pytest.mark.parametrize(
    ("asked", "message"), [([2, 5], "documents 2 to 5"), ([-1], "there are 2")]
)
def test_what_is_no_document(asked, message):
    with pytest.raises(ValueError, match=message):
        runs(layout(1, 1), np.array(asked))
