"""Finding the document of a chunk."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rse.placed import owner


@given(st.lists(st.one_of(st.integers(0, 3), st.integers(0, 5000)), min_size=1, max_size=60))
def test_the_document_of_a_chunk_is_the_one_a_search_by_halves_finds(sizes):
    start = np.concatenate(([0], np.cumsum(sizes)))
    some = np.unique(np.concatenate((start, start - 1, start + 1)))
    for chunk in some[(some >= 0) & (some < start[-1])].tolist():
        assert owner(start, chunk) == np.searchsorted(start, chunk, side="right") - 1


@pytest.mark.parametrize("sizes", [[10**6, *[1] * 1000], [*[1] * 1000, 10**6], [0, 0, 5, 0, 0]])
def test_documents_of_very_unlike_lengths(sizes):
    start = np.concatenate(([0], np.cumsum(sizes)))
    for chunk in np.linspace(0, start[-1] - 1, 500).astype(int).tolist():
        assert owner(start, chunk) == np.searchsorted(start, chunk, side="right") - 1
