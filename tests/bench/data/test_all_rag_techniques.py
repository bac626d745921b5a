"""The tutorial's document and questions, and small ones made here."""

from __future__ import annotations

import hashlib
import json

import pytest

from bench.data import all_rag_techniques as module
from bench.data.all_rag_techniques import headings, load, section
from bench.data.errors import DatasetError
from bench.types import Evidence
from tests.bench.data.pdfs import page, pdf

TEXT = """A Book of Trees
Chapter 1: Trees
Trees are tall and \nold.
Chapter 2: Parts - Small Ones
Leaves
Leaves are green. They fall \nin autumn:
Needles
Needles are sharp.
Leaves
They are here again.
Chapter 12: The End
Needles
All ends.
"""


def named(path):
    found = section(path, headings(TEXT))
    return found and TEXT[found.begin : found.end]


def test_headings_are_lines_of_their_own():
    assert [(one.text, one.chapter) for one in headings(TEXT)] == [
        ("A Book of Trees", 0),
        ("Chapter 1: Trees", 1),
        ("Chapter 2: Parts - Small Ones", 2),
        ("Leaves", 2),
        ("Needles", 2),
        ("Leaves", 2),
        ("Chapter 12: The End", 12),
        ("Needles", 12),
    ]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("Chapter 1: Trees", "Chapter 1: Trees\nTrees are tall and \nold.\n"),
        ("Chapter 12", "Chapter 12: The End\nNeedles\nAll ends.\n"),
        ("Chapter 12: The End- Needles", "Needles\nAll ends.\n"),
        ("Chapter 2 - Needles", "Needles\nNeedles are sharp.\n"),
        ("Chapter 2 - Leaves", None),  # twice there
        ("Chapter 2 - Needles - Leaves", None),
        ("Chapter 12 - Leaves", None),
        ("Chapter 12: The Beginning", None),
        ("Chapter 3", None),
        ("Needles", None),
        ("", None),
    ],
)
def test_sections_are_found_where_certain(path, found):
    assert named(path) == found


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Lay out questions as upstream does; give a function that loads them."""
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / module.NAME
    folder.mkdir()

    def make(asked):
        lines = ["A Book of Trees", "Chapter 1: Trees", "Trees are tall.", "Oaks", "Oaks are old."]
        (folder / module.PDF).write_bytes(pdf(page(*lines), page("Firs", "Firs are green.")))
        (folder / module.QUESTIONS).write_text(json.dumps(asked), encoding="utf-8")
        digests = {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()
        }
        monkeypatch.setattr(module, "card", lambda _: {"sha256": digests})
        return load(tmp_path)

    return make


def asked(reference, has_answer=True):
    return {"question": "?", "ideal_answer": "!", "reference": reference} | {
        "has_answer": has_answer,
        "reasoning": "",
    }


def test_named_sections_are_gold(made):
    dataset = made(
        [
            asked("Chapter 1: Trees - Oaks; Chapter 1 - Firs"),
            asked("None, though Chapter 1 says more", has_answer=False),
            asked("Chapter 1 - Oaks; Chapter 1 - Elms"),
        ]
    )
    (document,) = dataset.documents.values()
    first, second = dataset.questions
    assert [document.text[s.start : s.end] for ((s),) in first.gold] == [
        "Oaks\nOaks are old.",
        "Firs\nFirs are green.",
    ]
    assert (first.id, first.answers, first.scope) == ("q00", ("!",), (document.id,))
    assert (second.id, second.gold, second.answers) == ("q01", (), ())
    assert dataset.excluded == {"q02": "the PDF has no headings as in 'Chapter 1 - Elms'"}
    assert dataset.evidence == Evidence(located=3, unmatched=1)


def test_rows_of_another_shape_are_refused(made):
    with pytest.raises(DatasetError, match=r"val\.json: 0\.question"):
        made([{"reference": ""}])


def test_the_set_is_whole(shared, tmp_path, monkeypatch):
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path))
    dataset = load(shared / "data")
    (document,) = dataset.documents.values()
    chapters = [one for one in headings(document.text) if one.text.startswith("Chapter ")]
    assert (len(document.pages), len(chapters)) == (15, 21)
    passages = [(question.id, len(question.gold)) for question in dataset.questions]
    assert passages[:4] == [("q00", 2), ("q01", 0), ("q02", 0), ("q03", 1)]
    assert passages[4:] == [("q04", 0), ("q06", 0), ("q07", 1), ("q09", 0)]
    assert list(dataset.excluded) == ["q05", "q08"]
    # The headings of these two are not in the PDF, and neither is what they ask for.
    assert "smart grid" not in document.text.lower()
    assert "direct air" not in document.text.lower()
    for question in dataset.questions:
        for ((begin, end),) in [[span[1:] for span in passage] for passage in question.gold]:
            assert document.text[begin:end].count("\n") >= 2
