"""Contracts from upstream's own file, and from a small one made here."""

from __future__ import annotations

import pytest

from bench.data import contract_nli
from bench.data.errors import DatasetError
from bench.types import Evidence
from tests.bench.data.layouts import gold, publish

TEXT = "NDA\r\n(a) Keep it. (b) Tell none.   End."
SPANS = [[0, 3], [5, 18], [18, 32], [32, 33], [33, 39]]
"""The title, two items (a blank follows the first), a blank, and the rest."""


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Write one contract with annotations; give what the loader makes of it."""

    def load(**annotations):
        labels = {key: {"hypothesis": f"Is {key} so?"} for key in ("x", "y", "z")}
        sets = [
            {"annotations": {k: {"choice": c, "spans": s} for k, (c, s) in annotations.items()}}
        ]
        contract = {"id": 3, "file_name": "a.pdf", "text": TEXT, "spans": SPANS}
        content = {"documents": [contract | {"annotation_sets": sets}], "labels": labels}
        card = publish(tmp_path / "contract_nli", "dev.json", content)
        monkeypatch.setattr(contract_nli, "card", lambda _: card)
        return contract_nli.load(tmp_path)

    return load


def test_spans_that_follow_one_another_are_one_passage(made):
    dataset = made(x=("Entailment", [4, 1, 2]), y=("Contradiction", [0]), z=("NotMentioned", []))
    assert gold(dataset) == {
        "3-x": [["(a) Keep it. (b) Tell none."], ["End."]],
        "3-y": [["NDA"]],
        "3-z": [],
    }
    assert [q.tags["choice"] for q in dataset.questions] == [
        "Entailment",
        "Contradiction",
        "NotMentioned",
    ]
    assert next((q.text, q.scope) for q in dataset.questions) == ("Is x so?", ("3",))
    assert dataset.evidence == Evidence(located=4)


def test_gold_of_blanks_is_left_out_and_told(made):
    dataset = made(x=("Entailment", [1, 3]))
    assert gold(dataset) == {"3-x": [["(a) Keep it."]]}
    assert [note for note in dataset.notes if "blanks: 1." in note]


@pytest.mark.parametrize(
    ("key", "choice", "spans", "message"),
    [
        ("x", "Entailment", [5], "spans 5-5 of 5"),
        ("x", "Entailment", [-1], "spans -1--1 of 5"),
        ("x", "Entailment", [], "Entailment with 0"),
        ("x", "Contradiction", [3], "Contradiction with 0"),
        ("x", "NotMentioned", [1], "NotMentioned with 1"),
        ("w", "Entailment", [1], "no such label; there are: x, y, z"),
        ("x", "Perhaps", [1], "choice"),
    ],
)
def test_what_makes_no_sense_is_refused(made, key, choice, spans, message):
    with pytest.raises(DatasetError, match=message):
        made(**{key: (choice, spans)})


def test_the_set_is_whole(shared):
    dataset = contract_nli.load(shared / "data")
    counts = [len(question.gold) for question in dataset.questions]
    assert (len(dataset.documents), len(counts), sum(map(bool, counts))) == (61, 1037, 614)
    assert dataset.evidence == Evidence(located=1228)
    lengths = [len(document.text) for document in dataset.documents.values()]
    assert (sum(lengths) // 61, max(lengths)) == (12094, 32359)
