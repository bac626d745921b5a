"""Policies from upstream's own file, and from a small one made here."""

from __future__ import annotations

import pytest

from bench.data import policyqa, squad_layout
from bench.types import Evidence
from tests.bench.data.layouts import article, asked, gold, paragraph, publish

KEEP = "How long do you keep letters?"
WHO = "Who reads letters?"
FIRST = "We burn letters after a week. The clerk reads them."
SECOND = "Parcels are opened by the clerk. We burn the rest after a month."


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Write one policy, its sections out of order; give what the loader makes of it."""

    def load(*second):
        first = [
            asked("r1", KEEP, ("after a week", 16), ("burn letters after a week", 3), type="A|||x"),
            asked("r2", WHO, ("The clerk reads them.", 30), type="B|||y"),
            asked("r3", KEEP, ("after a week", 16), type="C|||z"),
        ]
        sections = [paragraph(SECOND, *second, index="7"), paragraph(FIRST, *first, index="2")]
        content = {"data": [article(*sections, title="post.example")]}
        card = publish(tmp_path / "policyqa", "dev.json", content)
        monkeypatch.setattr(squad_layout, "card", lambda _: card)
        return policyqa.load(tmp_path)

    return load


def test_a_question_is_asked_once_of_the_whole_policy(made):
    dataset = made(asked("r4", KEEP, ("after a month", 50), type="A|||x"))
    (document,) = dataset.documents.values()
    assert (document.id, document.text) == ("post.example", f"{FIRST}\n\n{SECOND}")
    keep, who = dataset.questions
    assert (keep.id, keep.text, keep.scope) == ("post.example-000", KEEP, ("post.example",))
    assert (who.id, who.text) == ("post.example-001", WHO)
    # Answers of one section that overlap are one passage, those of two sections are two.
    assert gold(dataset) == {
        keep.id: [["burn letters after a week"], ["after a month"]],
        who.id: [["The clerk reads them."]],
    }
    assert keep.answers == ("after a week", "burn letters after a week", "after a month")
    assert (keep.tags["practice"], who.tags["practice"]) == ("A + C", "B")
    assert dataset.evidence == Evidence(located=4)  # the repeated row counts once


def test_a_lost_answer_costs_the_question(made):
    dataset = made(asked("r4", KEEP, ("after a decade", 50)))
    assert [question.text for question in dataset.questions] == [WHO]
    assert list(dataset.excluded) == ["post.example-000"]
    assert dataset.evidence == Evidence(located=3, unmatched=1)


def test_the_set_is_whole(shared):
    dataset = policyqa.load(shared / "data")
    assert (len(dataset.documents), len(dataset.questions)) == (20, 2420)
    assert dataset.evidence == Evidence(located=6040)  # 4 of 6,044 repeat another of their pair
    lengths = [len(document.text) for document in dataset.documents.values()]
    assert (round(sum(lengths) / 20), max(lengths)) == (12412, 33592)
    assert all(question.gold for question in dataset.questions)
