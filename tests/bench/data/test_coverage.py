"""How much of a dataset an encoder knows, and when to say so."""

from __future__ import annotations

from math import nan

from bench.data.assemble import assemble
from bench.data.coverage import PIECE, SAMPLE, coverage_warning, sample, unknown_shares
from bench.types import Document, Question


def test_queries_count_where_they_stand_for_the_question():
    dataset = assemble(
        "made",
        [Document("a", "one two"), Document("b", " ")],
        [Question("q", "known", queries=("NO yes", "NO NO")), Question("r", "yes")],
    )
    seen = []

    def count(texts):
        seen.append(texts)
        words = " ".join(texts).split()
        return len(words), words.count("NO")

    found = unknown_shares(dataset, count)
    assert seen == [["one two"], ["NO yes", "NO NO", "yes"]]
    assert found == (0.0, 0.6)
    assert found.worst == 0.6


def test_the_sample_is_even_and_small_documents_are_read_whole():
    small = [Document("a", "x" * 5000), Document("b", "y" * 10)]
    assert list(map(len, sample(small))) == [5000, 10]
    large = [Document(str(number), "x" * 3001) for number in range(1000)]
    taken = sum(map(len, sample(large)))
    assert 0.5 * SAMPLE < taken <= SAMPLE
    assert {len(piece) for piece in sample([Document("a", "x" * 3 * SAMPLE)])} == {PIECE}


def test_a_warning_is_due_where_results_suffer():
    assert [coverage_warning(share) for share in (None, nan, 0.0, 0.05)] == [None] * 4
    assert coverage_warning(0.051) == "the encoder does not know 5.1 % of the tokens"
    assert "does not cover this language: 41.0 % of tokens" in coverage_warning(0.41)
