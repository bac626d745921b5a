"""What `data check` counts, on a dataset made here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.chunking import Recursive
from bench.data.assemble import assemble
from bench.data.coverage import UnknownShares
from bench.data.inspect import differences, inspect
from bench.data.told import told, warnings
from bench.types import Document, Evidence, Question, Span

TEXT = "One river runs north. Another river runs south, slowly."


def words(texts):
    """Stand in for a tokenizer: words, of which those in capitals are unknown."""
    found = [word for text in texts for word in text.split()]
    return len(found), sum(word.isupper() for word in found)


@pytest.fixture
def dataset():
    documents = [
        Document("a", TEXT),
        Document("b", "  \n"),
        Document("c", TEXT),
        Document("d", "NO NO yes. " * 200),
    ]
    questions = [
        Question("q1", "Which way?", ((Span("a", 0, 20),), (Span("d", 0, 4),))),
        Question("q2", "Nothing?"),
    ]
    return assemble(
        "made",
        documents,
        questions,
        evidence=Evidence(1, 1, 0, 1),
        excluded={"q3": "lost", "q4": "lost"},
        notes=["Made here."],
    )


def test_everything_is_counted(dataset):
    found = inspect(dataset, Recursive(size=100), words)
    assert (found.documents, found.empty_documents, found.duplicate_documents) == (4, 1, 1)
    assert (found.characters, found.longest_document) == (2 * len(TEXT) + 3 + 2200, 2200)
    assert found.single_chunk_documents == 2
    assert (found.questions, found.with_gold, found.without_gold) == (2, 1, 1)
    assert found.excluded == {"lost": 2}
    # The first passage stands in "c" as well; the second is too short to count elsewhere.
    assert (found.passages, found.several_passages, found.several_places) == (2, 1, 1)
    assert found.gold == (24, 24, 24)
    assert (found.located, found.repaired, found.ambiguous, found.unmatched) == (1, 1, 0, 1)
    assert found.unknown.documents == pytest.approx(400 / 618)
    assert found.unknown.questions == 0


def test_a_card_that_counts_otherwise_is_told(dataset):
    found = inspect(dataset, Recursive(size=100), words)
    right = {"documents": 4, "with_gold": 1, "excluded": 2, "located": 1}
    assert list(differences(found, right)) == []
    assert list(differences(found, {"questions": 3, "unmatched": 0})) == [
        "questions: 2 found, 3 on the card",
        "unmatched: 1 found, 0 on the card",
    ]
    assert list(differences(found, {"pages": 3})) == ["pages: None found, 3 on the card"]


def test_the_report_says_it_in_words(dataset):
    found = inspect(dataset, Recursive(size=100), words)
    lines = "\n".join(told(found))
    assert "questions            2: 1 with gold, 1 without" in lines
    assert "left out             2: lost" in lines
    assert "gold                 1 located, 1 repaired, 0 ambiguous, 1 unmatched" in lines
    assert "note                 Made here." in lines


def test_warnings_begin_where_results_suffer(dataset):
    found = inspect(dataset, Recursive(size=100), words)
    assert list(warnings(found)) == [
        "the encoder does not cover this language: 64.7 % of tokens are unknown",
        "1 pieces of gold have no certain place",
    ]
    fine = replace(found, unknown=UnknownShares(0.05, 0.0), unmatched=0)
    assert list(warnings(fine)) == []
    assert list(warnings(replace(fine, unknown=UnknownShares(0.0, 0.06)))) == [
        "the encoder does not know 6.0 % of the tokens"
    ]
    single = replace(fine, single_chunk_documents=3)
    assert "a single chunk" in next(warnings(single))


def test_a_dataset_without_text_or_gold_divides_by_nothing():
    found = inspect(
        assemble("empty", [Document("a", "")], [Question("q", " ")]), Recursive(size=9), words
    )
    assert (found.unknown, found.unknown.worst, found.gold) == ((None, None), None, None)
    assert any("- of the documents'" in line for line in told(found))
