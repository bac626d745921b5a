"""Datasets in BEIR's form, read back by our own loader."""

from __future__ import annotations

import pytest

from bench.data.assemble import assemble
from bench.data.beir import load_beir
from bench.export.beir import write_beir
from bench.types import Document, Question, Span

TEXT = "The kiln reaches a thousand degrees. Dry it before the first firing."


def docs(question):
    return {span.doc for passage in question.gold for span in passage}


def made(documents, questions):
    return assemble("set", documents, questions)


def test_read_back(tmp_path):
    documents = [
        Document("d1", f"{TEXT} End."),
        Document("d2", f"Kilns\n\n{TEXT} More.", "Kilns"),
        Document("d 3", "雨が降る。\tline\nline", "Not in the text"),
        Document("-50%", " \n "),
        Document("d5", f"Kilns \n\n{TEXT} Less.", "Kilns "),
    ]
    questions = [
        Question("q1", "How hot?", ((Span("d2", 10, 44),), (Span("d 3", 0, 2),))),
        Question("q 2", "No gold?"),
        Question("d1", "雨?", ((Span("d1", 0, 5),),)),
    ]
    dataset = made(documents, questions)
    written = write_beir(dataset, tmp_path / "set")
    again = load_beir(tmp_path / "set")
    assert [path.name for path in written.files] == ["corpus.jsonl", "queries.jsonl", "test.tsv"]
    assert again.name == "set"
    assert {d.id.replace("%25", "%"): d.text for d in again.documents.values()} == {
        d.id: d.text for d in documents
    }
    assert again.documents["d2"].title == "Kilns"
    assert [(q.id, q.text) for q in again.questions] == [(q.id, q.text) for q in questions]
    assert [docs(q) for q in again.questions] == [docs(q) for q in dataset.questions]
    assert docs(dataset.questions[0]) >= {"d1", "d2", "d 3"}  # a copy counts as well
    assert again.questions[1].gold == ()


def test_what_was_beir_stays_the_same(tmp_path):
    documents = [Document("d1", f"Kilns\n\n{TEXT}", "Kilns"), Document("d2", "A ferry is slow.")]
    gold = ((Span("d1", 0, len(documents[0].text)),),)
    dataset = made(documents, [Question("q1", "What is hot?", gold)])
    write_beir(dataset, tmp_path / "set")
    assert load_beir(tmp_path / "set").revision == dataset.revision


@pytest.mark.parametrize("name", ["a\tb", "a\nb", " a ", "a\u2028b", "\u3000a", "query-id"])
def test_ids_do_not_break_rows(tmp_path, name):
    gold = ((Span(name, 0, 8),),)
    dataset = made([Document(name, TEXT), Document("other", "Else.")], [Question(name, "?", gold)])
    write_beir(dataset, tmp_path / "set")
    (question,) = load_beir(tmp_path / "set").questions
    assert docs(question) == {next(iter(load_beir(tmp_path / "set").documents))}


def test_scope(tmp_path):
    gold = ((Span("d1", 0, 30), Span("d2", 0, 30)),)
    dataset = made(
        [Document("d1", TEXT), Document("d2", TEXT)],
        [Question("q1", "?", gold, queries=("a", "b"), scope=("d2",))],
    )
    written = write_beir(dataset, tmp_path)
    rows = (tmp_path / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()
    assert rows == ["query-id\tcorpus-id\tscore", "q1\td2\t1"]
    assert len(written.lost) == 3
    assert written.lost[0].startswith("1 questions search only some documents")
