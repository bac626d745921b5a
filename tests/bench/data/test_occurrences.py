"""Many texts in one pass, against looking for each by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.data import occurrences as module
from bench.data.occurrences import occurrences
from bench.types import Document

FEW = st.text(alphabet="ab🙂é\ud800", max_size=30)


def by_hand(documents, text):
    return [
        (document.id, at)
        for document in documents.values()
        for at in range(len(document.text))
        if document.text.startswith(text, at)
    ]


@pytest.mark.parametrize("block", [1, 7, 1_000_000])
@given(texts=st.lists(FEW, max_size=3), wanted=st.lists(FEW, max_size=6), anchor=st.integers(1, 4))
def test_every_place_and_no_other(block, texts, wanted, anchor):
    documents = {f"d{i}": Document(f"d{i}", text) for i, text in enumerate(texts)}
    wanted = [text for text in wanted if len(text) >= anchor]
    wanted += [text[1:6] for text in texts if len(text[1:6]) >= anchor]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        found = occurrences(documents, wanted, anchor)
    assert found == {text: places for text in wanted if (places := by_hand(documents, text))}
