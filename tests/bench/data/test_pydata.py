"""The set that runs with nothing but pip: its promises, and what happens under other versions."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from bench.data import pydata
from bench.data.cards import CARDS


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RSE_BENCH_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield pydata.load()


@pytest.fixture(scope="module")
def chinese(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RSE_BENCH_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield pydata.load_zh()


def test_the_corpus_is_large_enough_for_search_to_matter(dataset):
    assert len(dataset.documents) >= 100
    assert 800_000 <= sum(len(d.text) for d in dataset.documents.values()) <= 1_200_000


def test_three_kinds_of_questions_on_long_pages(dataset):
    assert dataset.excluded == {}
    kinds = {}
    for question in dataset.questions:
        kinds.setdefault(question.tags["kind"], []).append(question)
    assert {kind: len(found) for kind, found in kinds.items()} == {
        "short": 70,
        "section": 70,
        "several": 70,
    }
    assert all(len(q.gold) == 1 for q in kinds["short"] + kinds["section"])
    assert all(q.gold[0][0].end - q.gold[0][0].start > 1500 for q in kinds["section"])
    assert all(len(q.gold) >= 2 for q in kinds["several"])
    pages = {q.gold[0][0].doc for q in dataset.questions}
    assert len(pages) >= 60
    assert {q.tags["language"] for q in dataset.questions} == {"en"}
    assert len([page for page in pages if len(dataset.documents[page].text) > 5000]) >= 40


def test_the_first_questions_are_of_every_kind(dataset):
    for count in range(3, 211, 3):
        kinds = [question.tags["kind"] for question in dataset.questions[:count]]
        assert {kind: kinds.count(kind) for kind in set(kinds)} == dict.fromkeys(
            ("short", "section", "several"), count // 3
        )


def test_chinese_questions_ask_about_the_same_english_pages(dataset, chinese):
    assert chinese.name == "pydata-docs-zh"
    assert chinese.documents == dataset.documents
    assert len(chinese.questions) >= 30
    for question in chinese.questions:
        assert question.tags["language"] == "zh"
        assert sum("\u4e00" <= sign <= "\u9fff" for sign in question.text) >= 8
    assert not {q.id for q in chinese.questions} & {q.id for q in dataset.questions}


def test_gold_is_as_long_as_its_kind_says(dataset, chinese):
    for question in (*dataset.questions, *chinese.questions):
        spans = [passage[0] for passage in question.gold]
        lengths = [span.end - span.start for span in spans]
        if question.tags["kind"] == "several":
            assert 2 <= len(spans) <= 4
            gaps = [b.start - a.end for a, b in pairwise(sorted(spans))]
            assert min(gaps) > 0
        else:
            assert len(spans) == 1
            assert (lengths[0] > 1500) == (question.tags["kind"] == "section")


def test_no_question_is_asked_twice(dataset, chinese):
    texts = [question.text for question in (*dataset.questions, *chinese.questions)]
    assert len(set(texts)) == len(texts)


def test_gold_begins_and_ends_with_words(dataset, chinese):
    for question in (*dataset.questions, *chinese.questions):
        for passage in question.gold:
            for span in passage:
                text = dataset.documents[span.doc].text[span.start : span.end]
                assert text == text.strip()
                assert text


def test_a_page_of_another_version_leaves_its_questions_out(monkeypatch, tmp_path):
    folder = tmp_path / "pydata-docs"
    folder.mkdir()
    rows = [
        json.loads(line)
        for line in (CARDS / "pydata-docs" / "questions.jsonl").read_text("utf-8").splitlines()
    ]
    changed = rows[0]["page"]
    for row in rows:
        if row["page"] == changed:
            row["sha256"] = "0" * 64
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (folder / "pages.jsonl").write_bytes((CARDS / "pydata-docs" / "pages.jsonl").read_bytes())
    monkeypatch.setattr("bench.data.cards.CARDS", tmp_path)
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    found = pydata.load()
    gone = {row["id"] for row in rows if row["page"] == changed and row["language"] == "en"}
    assert set(found.excluded) == gone
    asked = [row for row in rows if row["language"] == "en"]
    assert len(found.questions) == len(asked) - len(gone)
    assert changed in found.documents


def test_a_missing_file_or_object_is_an_empty_page(tmp_path, monkeypatch):
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path))
    rows = [
        pydata.PageRow(id=name, file=file, object=what, sha256="", characters=0)
        for name, file, what in (
            ("a", "numpy/no_such_file.py", "x"),
            ("b", "numpy/__init__.py", "no_such_object"),
            ("c", "numpy/__init__.py", ""),
        )
    ]
    texts = pydata._texts(rows)
    assert texts["a"] == texts["b"] == ""
    assert texts["c"].startswith("NumPy")
