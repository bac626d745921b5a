"""What hits and layouts refuse, and what they say then."""

from __future__ import annotations

import math

import pytest

from rse import RSE, Hits, Layout


@pytest.mark.parametrize(
    ("chunk", "score", "message"),
    [
        ([0, 0], [0.5, 0.4], "chunk 0 more than once"),
        ([0, 1], [0.5], "2 chunks but 1 scores"),
        ([-1], [0.5], "holds -1"),
        ([0.5], [0.5], "whole numbers"),
        (["a"], [0.5], "whole numbers"),
        ([True], [0.5], "whole numbers"),
        ([[0]], [0.5], "whole numbers"),
        ([0, 1], [0.5, math.nan], "nan"),
        ([0], [math.nan], "nan"),
        ([0], [math.inf], "inf"),
        ([0], [1.0001], "must lie in"),
        ([0], [-0.1], "must lie in"),
        ([0], ["high"], "list of numbers"),
    ],
)
def test_hits_refuse(chunk, score, message):
    with pytest.raises(ValueError, match=message):
        Hits(chunk=chunk, score=score)


def test_hits_name_their_scorer():
    with pytest.raises(ValueError, match="bge-reranker: scores must lie in"):
        Hits([0], [7.2], scorer="bge-reranker")


@pytest.mark.parametrize(
    ("start", "length", "message"),
    [
        ([], [], "begin with 0"),
        ([1, 2], [1, 1], "begin with 0"),
        ([0, 2, 1], [1], "never fall"),
        ([0, 2], [1], "ends with 2, but there are 1 chunks"),
        ([0, 1], [-1], "numbers from 0 to 100000000, found -1 to -1"),
        ([0, 1], [10**10], "numbers from 0 to 100000000, found 10000000000"),
        ([0, 1], [1e300], "beyond all use"),
    ],
)
def test_layouts_refuse(start, length, message):
    with pytest.raises(ValueError, match=message):
        Layout(start, length)


def test_layout_checks_tokens_and_sums_them():
    with pytest.raises(ValueError, match=r"Layout\.tokens"):
        Layout([0, 2], [5, 5], tokens=[1])
    layout = Layout([0, 2], [5, 5], tokens=[1, 2])
    assert layout.token_sum.tolist() == [0, 1, 3]


def test_layout_knows_the_document_of_a_chunk_past_empty_documents():
    layout = Layout([0, 2, 2, 3], [1, 1, 1])
    assert layout.document([0, 1, 2]).tolist() == [0, 0, 2]


def test_values_cannot_be_changed_behind_our_back():
    hits = Hits([0], [0.5])
    with pytest.raises(ValueError, match="read-only"):
        hits.score[0] = 1


def test_a_hit_outside_the_corpus_and_hits_without_their_list():
    with pytest.raises(ValueError, match="a hit names chunk 5, but there are 2"):
        RSE().select([Hits([5], [0.5])], Layout([0, 2], [1, 1]))
    with pytest.raises(ValueError, match="one for each search query"):
        RSE().select(Hits([0], [0.5]), Layout([0, 2], [1, 1]))


def test_hits_may_come_from_a_generator_and_nothing_else_is_taken():
    layout = Layout([0, 4], [700] * 4)
    hits = [Hits([1, 3, 2], [0.95, 0.9, 0.3])]
    assert RSE().select((one for one in hits), layout) == RSE().select(hits, layout) != []
    with pytest.raises(ValueError, match=r"takes a list of Hits, got \{\}"):
        RSE().select([{}], layout)
    for features in ({"a": 5}, {"a": [1]}):
        with pytest.raises(ValueError, match=r"features\['a'\] needs one row for each of 3"):
            Hits([1, 3, 2], [0.95, 0.9, 0.3], features)


def test_features_are_read_only_copies():
    given = {"bm25": [3, 1.5]}
    hits = Hits([4, 2], [0.9, 0.8], given)
    given["bm25"][0] = 7
    given["more"] = [1, 2]
    assert hits.features.keys() == {"bm25"}
    assert hits.features["bm25"].tolist() == [3.0, 1.5]
    with pytest.raises(ValueError, match="read-only"):
        hits.features["bm25"][0] = 0


def test_no_queries_at_all_are_no_reason_to_fail():
    layout = Layout([0, 2], [5, 5], tokens=[1, 1])
    assert RSE(overall_max_length=1, overall_max_length_extension=5).select([], layout) == []


def test_no_features_and_names_that_are_none():
    assert Hits([1], [0.1], None).features == {}
    with pytest.raises(ValueError, match=r"Layout.identity needs one name for each of 1 documents"):
        Layout([0, 1], [1], identity=3)
