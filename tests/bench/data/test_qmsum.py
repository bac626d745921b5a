"""Meetings from upstream's own files, and from small ones made here."""

from __future__ import annotations

import hashlib
import json

import pytest

from bench.data import qmsum
from bench.data.errors import DatasetError
from bench.data.load import load as load_any

TURNS = [("Ann", "Good morning ."), ("博", "早上好。"), ("Ann", ""), ("Bo", "Bye .")]


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Lay out one small meeting as upstream does; give a function that loads it."""

    def load(spans):
        meeting = {
            "meeting_transcripts": [{"speaker": s, "content": c} for s, c in TURNS],
            "topic_list": [],
            "general_query_list": [],
            "specific_query_list": [
                {"query": "Who greets ?", "answer": "Both .", "relevant_text_span": spans}
            ],
        }
        path = tmp_path / "qmsum" / "data" / "ALL" / "val" / "m.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(meeting), encoding="utf-8")
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        monkeypatch.setattr(qmsum, "card", lambda _: {"sha256": {"data/ALL/val/m.json": digest}})
        return qmsum.load(tmp_path)

    return load


def test_turns_are_lines_and_both_ends_count(made):
    dataset = made([["0", "1"], ["3", "3"], ["3", "3"]])
    (document,) = dataset.documents.values()
    assert document.text == "Ann: Good morning .\n博: 早上好。\nAnn: \nBo: Bye .\n"
    (question,) = dataset.questions
    assert [document.text[s.start : s.end] for ((s),) in question.gold] == [
        "Ann: Good morning .\n博: 早上好。",
        "Bo: Bye .",
    ]
    assert (question.id, question.scope, question.answers) == ("m-00", ("m",), ("Both .",))


@pytest.mark.parametrize("span", [["2", "4"], ["-1", "0"], ["2", "1"]])
def test_turns_that_do_not_exist_are_refused(made, span):
    with pytest.raises(DatasetError, match="m, question 0: no turns"):
        made([span])


def test_other_bytes_are_refused(made, tmp_path):
    made([["0", "0"]])
    path = tmp_path / "qmsum" / "data" / "ALL" / "val" / "m.json"
    path.write_text(path.read_text(encoding="utf-8") + " ", encoding="utf-8")
    with pytest.raises(DatasetError, match=r"val/m\.json: sha256 is"):
        qmsum.load(tmp_path)


def test_missing_files_are_named_with_the_way_to_get_them(tmp_path):
    with pytest.raises(
        DatasetError,
        match=r"data/ALL/val: `rse-bench data get qmsum` downloads them; or `git clone",
    ):
        load_any("qmsum", tmp_path)


@pytest.mark.parametrize(
    ("name", "questions", "passages"), [("qmsum", 237, 248), ("qmsum-test", 244, 286)]
)
def test_the_set_is_whole(shared, name, questions, passages):
    dataset = load_any(name, shared / "data")
    assert (len(dataset.documents), len(dataset.questions)) == (35, questions)
    assert sum(len(question.gold) for question in dataset.questions) == passages
    assert len({question.id for question in dataset.questions}) == questions


def test_a_file_that_lacks_is_named_with_the_way_to_get_it(tmp_path, shared):
    source = shared / "data" / "qmsum" / "data" / "ALL" / "val"
    folder = tmp_path / "qmsum" / "data" / "ALL" / "val"
    folder.mkdir(parents=True)
    for path in sorted(source.iterdir())[1:]:
        (folder / path.name).write_bytes(path.read_bytes())
    with pytest.raises(DatasetError, match=r"Bed002.json is missing: `rse-bench data get qmsum`"):
        load_any("qmsum", tmp_path)
