"""Papers in QASPER's published schema, made here: the real file cannot be had."""

from __future__ import annotations

import json

import pytest

from bench.data import qasper
from bench.data.errors import DatasetError

PARAGRAPHS = {
    "first": "Kilns are hot.",
    "second": "Ferries are slow.",
    "twice": "See above.",
    "odd": "An e\ufb03cient\nkiln.",
}


def answer(*evidence, spans=(), yes_no=None, free="", unanswerable=False):
    return {
        "annotation_id": "x",
        "answer": {
            "unanswerable": unanswerable,
            "extractive_spans": list(spans),
            "yes_no": yes_no,
            "free_form_answer": free,
            "evidence": list(evidence),
            "highlighted_evidence": [],
        },
    }


NOBODY = answer(unanswerable=True)


@pytest.fixture
def made(tmp_path):
    """Write a file of one paper; give a function that loads it with questions of these answers."""

    def load(*asked, paper="1901.00001"):
        p = PARAGRAPHS
        content = {
            "title": "Of  Kilns",
            "abstract": "We ask.",
            "full_text": [
                {"section_name": "Method", "paragraphs": [p["first"], "", p["twice"]]},
                {"section_name": "Method ::: Data", "paragraphs": [p["second"], p["twice"]]},
                {"section_name": None, "paragraphs": [p["odd"]]},
            ],
            "qas": [
                {"question": f"Q{n}?", "question_id": f"q{n}", "nlp_background": "", "answers": a}
                for n, a in enumerate(asked)
            ],
            "figures_and_tables": [],
        }
        folder = tmp_path / "qasper"
        folder.mkdir(exist_ok=True)
        (folder / qasper.FILE).write_text(json.dumps({paper: content}), encoding="utf-8")
        return qasper.load(tmp_path)

    return load


def words(dataset, question):
    text = dataset.documents[question.scope[0]].text
    return [[text[s.start : s.end] for s in passage] for passage in question.gold]


def test_a_paper_is_headings_and_paragraphs_with_empty_lines_between(made):
    (document,) = made([NOBODY]).documents.values()
    assert document.text == (
        "# Of Kilns\n\n## Abstract\n\nWe ask.\n\n## Method\n\nKilns are hot.\n\nSee above.\n\n"
        "### Data\n\nFerries are slow.\n\nSee above.\n\nAn e\ufb03cient\nkiln."
    )
    assert (document.id, document.title) == ("1901.00001", "Of  Kilns")


def test_paragraphs_are_passages_and_their_copies_alternatives(made):
    dataset = made([answer(PARAGRAPHS["second"], PARAGRAPHS["twice"], free="Slowly.")])
    (question,) = dataset.questions
    assert words(dataset, question) == [["Ferries are slow."], ["See above.", "See above."]]
    assert (question.id, question.text, question.scope) == ("q0", "Q0?", ("1901.00001",))
    assert question.answers == ("Slowly.",)
    assert dataset.evidence == (2, 0, 0, 0)


def test_the_first_annotator_with_all_evidence_in_the_text_counts(made):
    dataset = made(
        [
            NOBODY,
            answer(PARAGRAPHS["first"], "FLOAT SELECTED: Table 1: Heat.", spans=["a", "b"]),
            answer(free="No evidence."),
            answer(PARAGRAPHS["second"], yes_no=False),
            answer(PARAGRAPHS["first"], free="Too late."),
        ]
    )
    (question,) = dataset.questions
    assert words(dataset, question) == [["Ferries are slow."]]
    assert question.answers == ("Unanswerable", "a, b", "No evidence.", "No", "Too late.")
    assert question.tags == {"language": "en", "kind": "boolean"}
    assert dataset.evidence == (3, 0, 0, 1)
    assert dataset.notes == ("Pieces of evidence that are tables or figures: 1.",)


def test_only_what_nobody_can_answer_is_kept_without_gold(made):
    dataset = made(
        [NOBODY, NOBODY],
        [NOBODY, answer("FLOAT SELECTED: Figure 1: Heat.", spans=["a"])],
        [answer("Never said.", free="b")],
        [answer(yes_no=True)],
    )
    assert [(q.id, q.gold, q.tags["kind"]) for q in dataset.questions] == [
        ("q0", (), "unanswerable")
    ]
    assert dataset.questions[0].answers == ("Unanswerable",)
    assert list(dataset.excluded) == ["q1", "q2", "q3"]
    assert dataset.evidence == (0, 0, 0, 2)


def test_other_white_space_and_ligatures_are_repaired_where_the_place_is_certain(made):
    dataset = made(
        [answer("An efficient kiln.", spans=["kiln"])],
        [answer("are", spans=["kiln"])],
        [answer("We ask.", free="c")],
    )
    assert {q.id: words(dataset, q) for q in dataset.questions} == {
        "q0": [["An e\ufb03cient\nkiln."]],
        "q2": [["We ask."]],
    }
    assert dataset.evidence == (1, 1, 1, 0)
    assert [q.tags["kind"] for q in dataset.questions] == ["extractive", "abstractive"]


def test_a_question_without_answers_is_refused(made):
    with pytest.raises(DatasetError, match="question 'q0' has no answers"):
        made([])


def test_a_file_of_another_kind_is_refused(made, tmp_path):
    made([NOBODY])
    path = tmp_path / "qasper" / qasper.FILE
    path.write_text('{"1": {"title": "x"}}', encoding="utf-8")
    with pytest.raises(DatasetError, match=r"qasper-dev-v0\.3\.json: 1\.abstract: Field required"):
        qasper.load(tmp_path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DatasetError, match=r"expected .*qasper-dev-v0\.3\.json"):
        qasper.load(tmp_path)
