"""Folders in the BEIR format, made here."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.data.beir import is_beir, load_beir
from bench.data.errors import DatasetError
from bench.types import Span

CORPUS = [
    {"_id": "d1", "title": "Kilns", "text": "A kiln is hot."},
    {"_id": "d2", "title": "", "text": "A ferry is slow."},
    {"_id": "d3", "text": "雨が降る。", "metadata": {"url": "x"}},
]
QUERIES = [
    {"_id": "q1", "text": "What is hot?"},
    {"_id": "q2", "text": "What is slow?", "metadata": {}},
    {"_id": "q3", "text": "Not asked."},
]
HEADER = "query-id\tcorpus-id\tscore\n"
QRELS = HEADER + "q2\td3\t2\nq2\td2\t1\nq2\td1\t0\nq1\td1\t1\n"


def write(folder, qrels=QRELS, corpus=CORPUS, queries=QUERIES, split="test"):
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    for name, rows in (("corpus", corpus), ("queries", queries)):
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    content = qrels if isinstance(qrels, bytes) else qrels.encode()
    (folder / "qrels" / f"{split}.tsv").write_bytes(content)
    return folder


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "small"


def gold(dataset):
    return {q.id: [[span.doc for span in p] for p in q.gold] for q in dataset.questions}


def test_relevant_documents_are_gold_as_a_whole(folder):
    dataset = load_beir(write(folder))
    assert dataset.name == "small"
    assert [document.text for document in dataset.documents.values()] == [
        "Kilns\n\nA kiln is hot.",
        "A ferry is slow.",
        "雨が降る。",
    ]
    first, second = dataset.questions
    assert first.gold == ((Span("d1", 0, 21),),)
    assert second.gold == ((Span("d3", 0, 5),), (Span("d2", 0, 16),))
    assert (first.id, first.text, first.scope) == ("q1", "What is hot?", None)
    assert dataset.evidence == (3, 0, 0, 0)
    assert dataset.notes == ()


@pytest.mark.parametrize(
    "qrels",
    [
        QRELS.removeprefix(HEADER),
        "\ufeff" + QRELS,
        "\ufeff" + QRELS.removeprefix(HEADER),
        QRELS.replace("\n", "\r\n"),
        QRELS.replace("\n", "\n\n"),
        QRELS.removesuffix("\n"),
        QRELS.replace("\t1\n", "\t1.0\n"),
        QRELS.replace("d1\t0", "d1\t-2"),
    ],
    ids=["no header", "BOM", "both", "CRLF", "blank lines", "no end", "1.0", "below 0"],
)
def test_qrels_that_say_the_same_give_the_same(folder, qrels):
    plain = load_beir(write(folder)).revision
    assert load_beir(write(folder, qrels)).revision == plain


def test_repeated_rows_count_once_and_are_told(folder):
    dataset = load_beir(write(folder, QRELS + "q1\td1\t1\n"))
    assert gold(dataset) == {"q1": [["d1"]], "q2": [["d3"], ["d2"]]}
    assert dataset.notes == ("Rows of the qrels that repeat an earlier one: 1.",)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("q1\td1\t2", r"small/qrels/test\.tsv, line 6: 2 for query 'q1' and document 'd1'.*1 fur"),
        ("q1\td2\thigh", r"line 6: the score 'high' is not a whole number"),
        ("q1\td2\t0.5", r"line 6: the score '0\.5' is not"),
        ("q1\td2\tnan", r"line 6: the score 'nan' is not"),
        ("q1\td2", r"line 6: found 2 fields, \['q1', 'd2'\]; expected query id"),
        ("q1 0 d2 1", r"line 6: found 1 fields"),
        ("q1\t\t1", r"line 6: found 3 fields"),
        ("q1\tzz\t1\nq1\tyy\t1", r"names 2 documents that are not in corpus\.jsonl: 'zz', 'yy';"),
        ("q9\td1\t1", r"names 1 queries that are not in queries\.jsonl: 'q9';"),
    ],
)
def test_rows_that_cannot_be_right_are_refused(folder, row, message):
    with pytest.raises(DatasetError, match=message):
        load_beir(write(folder, QRELS + row + "\n"))


def test_a_first_row_with_a_bad_score_is_no_header(folder):
    with pytest.raises(DatasetError, match="line 1: the score 'high'"):
        load_beir(write(folder, "q1\td1\thigh\n"))


def test_an_unknown_document_of_score_zero_says_nothing(folder):
    assert gold(load_beir(write(folder, QRELS + "q1\tzz\t0\n")))["q1"] == [["d1"]]


def test_a_query_without_relevant_documents_is_asked_without_gold(folder):
    dataset = load_beir(write(folder, "q1\td1\t0\n"))
    assert gold(dataset) == {"q1": []}
    assert not dataset.excluded


def test_documents_without_text_are_no_gold(folder):
    corpus = [*CORPUS, {"_id": "d4", "title": " ", "text": " \n"}]
    dataset = load_beir(write(folder, "q1\td4\t1\nq2\td4\t1\nq2\td2\t1\n", corpus))
    assert gold(dataset) == {"q2": [["d2"]]}
    assert list(dataset.excluded) == ["q1"]
    assert "Documents without any text: 1." in dataset.notes


def test_equal_documents_count_for_one_another(folder):
    corpus = [*CORPUS, {"_id": "d4", "text": "A ferry is slow."}]
    dataset = load_beir(write(folder, "q2\td2\t1\n", corpus))
    assert gold(dataset) == {"q2": [["d2", "d4"]]}


def test_a_query_may_find_itself_unless_it_is_told_not_to(folder):
    queries = [{"_id": "d1", "text": "What is hot?"}, QUERIES[1]]
    write(folder, "d1\td1\t1\nd1\td2\t1\nq2\td3\t1\n", queries=queries)
    found = load_beir(folder)
    assert gold(found) == {"d1": [["d1"], ["d2"]], "q2": [["d3"]]}
    assert [question.scope for question in found.questions] == [None, None]
    assert found.notes == (
        "Questions whose id is also that of a document, which is searched like any other: 1.",
    )
    hidden = load_beir(folder, ignore_same_id=True)
    assert gold(hidden) == {"d1": [["d2"]], "q2": [["d3"]]}
    assert [question.scope for question in hidden.questions] == [("d2", "d3"), None]
    assert "which is not searched: 1." in hidden.notes[0]


def test_a_query_with_nothing_but_itself_is_excluded_when_that_is_hidden(folder):
    write(folder, "d1\td1\t1\nq2\td2\t1\n", queries=[{"_id": "d1", "text": "?"}, QUERIES[1]])
    assert list(load_beir(folder, ignore_same_id=True).excluded) == ["d1"]


def test_numbers_as_ids_and_line_separators_in_texts_are_fine(folder):
    corpus = [{"_id": 7, "text": "One\u2028line,\x85not three.\r\nTwo."}]
    dataset = load_beir(write(folder, "q1\t7\t1\n", corpus))
    assert dataset.documents["7"].text == "One\u2028line,\x85not three.\nTwo."


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("corpus.jsonl", b'{"_id": "d1"}\n', r"small/corpus\.jsonl, line 1: text: Field required"),
        ("corpus.jsonl", b'\n{"_id": "d1", "te', r"corpus\.jsonl, line 2: Invalid JSON"),
        ("corpus.jsonl", b'{"_id": "d1", "text": "\xff"}', r"corpus\.jsonl, line 1: "),
        ("corpus.jsonl", b'{"_id": "d", "text": ""}\n' * 2, r"line 2: the document 'd' stands"),
        ("queries.jsonl", b'{"_id": "q1", "text": ""}\n' * 2, r"line 2: the query 'q1' st"),
        ("qrels/test.tsv", b"q1\td1\t1\n\xff", r"test\.tsv is not UTF-8"),
        ("qrels/test.tsv", HEADER.encode(), r"test\.tsv has no rows"),
    ],
)
def test_broken_files_are_named(folder, file, content, message):
    (write(folder) / file).write_bytes(content)
    with pytest.raises(DatasetError, match=message):
        load_beir(folder)


def test_a_byte_order_mark_before_the_corpus_is_no_text(folder):
    path = write(folder) / "corpus.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert len(load_beir(folder).documents) == 3


def test_another_split_is_part_of_the_name(folder):
    write(folder, split="dev")
    assert load_beir(folder, "dev").name == "small-dev"
    with pytest.raises(DatasetError, match=r"no qrels/test\.tsv; its splits are: dev"):
        load_beir(folder)


def test_the_format_is_known_by_its_files(folder):
    assert not is_beir(folder)
    assert is_beir(write(folder))
    (folder / "queries.jsonl").unlink()
    assert not is_beir(folder)
    assert not is_beir(folder / ("x" * 5000))
    assert not is_beir(folder / "\0")


@given(
    st.dictionaries(
        st.tuples(st.sampled_from(["q1", "q2", "q3"]), st.sampled_from(["d1", "d2", "d3"])),
        st.integers(-1, 2),
        min_size=1,
    )
)
def test_gold_is_what_has_a_score_above_zero(tmp_path_factory, scores):
    lines = "".join(f"{q}\t{d}\t{score}\n" for (q, d), score in scores.items())
    dataset = load_beir(write(tmp_path_factory.mktemp("any"), lines))
    assert {(q, doc) for q, found in gold(dataset).items() for (doc,) in found} == {
        pair for pair, score in scores.items() if score > 0
    }
    assert set(gold(dataset)) == {query for query, _ in scores}
