"""Filings from upstream's own files, and from small ones made here."""

from __future__ import annotations

import hashlib
import json
import time

import pytest

from bench.data import financebench
from bench.data.errors import DatasetError
from bench.data.locate import normal
from bench.types import Evidence
from tests.bench.data.pdfs import page, pdf

FILES = {
    "MILL_2020_10K": pdf(
        page("Grain mills", "Sales and other income of the year"),
        page("Sales   $ 1,200   $ 1,100", "Costs     (900)     (800)", "A mill is a mill."),
    ),
    "BAKER_2021_10Q": pdf(page("Bread is baked here, some says the baker.", "Flour: 12 %")),
}


def row(number, quotes, doc="MILL_2020_10K", **more):
    evidence = [
        {
            "evidence_text": text,
            "doc_name": doc,
            "evidence_page_num": at,
            "evidence_text_full_page": "",
        }
        for at, text in quotes
    ]
    return {
        "financebench_id": f"id_{number}",
        "company": doc.split("_")[0].title(),
        "doc_name": doc,
        "question_type": "metrics-generated",
        "question_reasoning": None,
        "question": f"What of {number}?",
        "answer": "That.",
        "evidence": evidence,
        **more,
    }


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Lay out questions as upstream does; give a function that loads them."""
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "financebench"

    def load(*asked, absent=()):
        for part in ("data", "pdfs"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        about = [
            {"doc_name": name, "company": name.split("_")[0].title(), "doc_type": name[-3:].lower()}
            | {"doc_period": int(name.split("_")[1]), "gics_sector": "Food", "doc_link": ""}
            for name in (*FILES, "GONE_2022_10K")
        ]
        for name, lines in ((financebench.QUESTIONS, asked), (financebench.FILINGS, about)):
            text = "".join(json.dumps(line) + "\n" for line in lines)
            (folder / name).write_text(text, encoding="utf-8")
        for name, content in FILES.items():
            (folder / "pdfs" / f"{name}.pdf").write_bytes(content)
        digests = {
            path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in folder.rglob("*.*")
        }
        for name in absent:
            (folder / "pdfs" / f"{name}.pdf").unlink()
        monkeypatch.setattr(financebench, "card", lambda _: {"sha256": digests})
        return financebench.load(tmp_path)

    return load


def said(dataset, question):
    return [
        [dataset.documents[span.doc].text[span.start : span.end] for span in passage]
        for passage in question.gold
    ]


def test_quotes_are_found_on_their_page(made):
    table = "Sales\n \n$\n1,200 \n$\n1,100 \nCosts\n(900)\n(800)"
    dataset = made(row(1, [(1, table), (0, "Grain\nmills")]), row(2, [(0, "Sales")]))
    first, second = dataset.questions
    assert [len(passage) for passage in first.gold] == [1, 1]
    assert normal(said(dataset, first)[0][0], loose=True) == "sales$1200$1100costs900800"
    assert said(dataset, first)[1] == ["Grain mills"]
    assert said(dataset, second) == [["Sales"]]
    assert second.gold[0][0].start == dataset.documents["MILL_2020_10K"].text.index("Sales and")
    assert dataset.evidence == Evidence(located=3)
    assert (first.scope, first.answers) == (("MILL_2020_10K",), ("That.",))
    assert first.tags == {
        "language": "en",
        "kind": "10k",
        "question_type": "metrics-generated",
        "company": "Mill",
    }


def test_quotes_that_are_nowhere_or_twice_leave_their_question_out(made):
    dataset = made(
        row(1, [(1, "Grain mills")]),
        row(2, [(1, "mill"), (0, "Grain")]),
        row(3, [(2, "mill")]),
        row(4, [(-1, "mill")]),
        row(5, [(0, "Bread")], doc="BAKER_2021_10Q"),
    )
    assert [question.id for question in dataset.questions] == ["id_5"]
    assert set(dataset.excluded) == {"id_1", "id_2", "id_3", "id_4"}
    assert dataset.excluded["id_2"].startswith("of 2 quotes 0 stand nowhere on their page and 1 at")
    assert dataset.evidence == Evidence(located=2, ambiguous=1, unmatched=3)


def test_documents_without_pdf_are_counted_and_named(made):
    dataset = made(
        row(1, [(0, "Grain")]),
        row(2, [(0, "x")], doc="GONE_2022_10K"),
        row(3, [(0, "Bread")], doc="BAKER_2021_10Q"),
        absent=["BAKER_2021_10Q"],
    )
    assert list(dataset.documents) == ["MILL_2020_10K"]
    assert list(dataset.excluded) == ["id_2", "id_3"]
    assert dataset.notes[0] == (
        "2 of 3 documents have no PDF here, so 2 questions are left out: "
        "BAKER_2021_10Q, GONE_2022_10K."
    )


def test_documents_know_their_pages_and_their_file(made, tmp_path):
    (document,) = made(row(1, [(0, "Grain")])).documents.values()
    assert document.title == "Mill, 10k, 2020"
    assert document.file == tmp_path / "financebench" / "pdfs" / "MILL_2020_10K.pdf"
    begin, end = document.pages[1]
    assert document.text[begin:end].startswith("Sales")
    assert len(document.pages) == 2


def test_no_pdf_at_all_is_an_error(made):
    with pytest.raises(DatasetError, match=r"financebench needs PDFs, expected .*pdfs"):
        made(row(1, [(0, "Grain")]), absent=list(FILES))


def test_other_bytes_are_refused(made, tmp_path):
    made(row(1, [(0, "Grain")]))
    with (tmp_path / "financebench" / "pdfs" / "MILL_2020_10K.pdf").open("ab") as file:
        file.write(b"\n")
    with pytest.raises(DatasetError, match=r"pdfs/MILL_2020_10K\.pdf: sha256 is"):
        financebench.load(tmp_path)


@pytest.mark.parametrize(
    "asked",
    [
        row(1, [(0, "Grain")], doc="ELSE_2020_10K"),
        row(1, [(0, "Grain")]) | {"doc_name": "BAKER_2021_10Q"},
        row(1, []),
        {"question": "What?"},
    ],
)
def test_rows_of_another_shape_are_refused(made, asked):
    with pytest.raises(DatasetError, match=r"financebench_open_source\.jsonl, line 1"):
        made(asked)


@pytest.mark.long
def test_the_set_is_whole(shared, tmp_path, monkeypatch):
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path))
    raw = shared / "data"
    dataset = financebench.load(raw)
    counts = financebench.card(financebench.NAME)["counts"]
    assert len(dataset.documents) == counts["documents"] == 20
    assert sum(len(document.pages) for document in dataset.documents.values()) == 2566
    assert len(dataset.questions) == counts["questions"] == 67
    assert dataset.evidence == Evidence(located=83)
    assert len(dataset.excluded) == counts["excluded"] == 150 - 67
    for question in dataset.questions:
        for passage in question.gold:
            assert len(passage) == 1
    begin = time.process_time()
    assert financebench.load(raw) == dataset
    assert time.process_time() - begin < 5
