"""Questions as people write them, in JSONL and CSV."""

from __future__ import annotations

import csv
import json
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.data.errors import DatasetError
from bench.data.own.questions import COLUMNS, Wanted, read_questions
from bench.data.own.table import table


@pytest.fixture
def asked(tmp_path):
    """Read questions from text or bytes, or from rows of a JSONL file."""

    def read(content, name="questions.csv"):
        if isinstance(content, list):
            content, name = "".join(json.dumps(row) + "\n" for row in content), "q.jsonl"
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_questions(path)

    return read


def gold(**given):
    return Wanted(**dict.fromkeys(Wanted._fields) | given)


ROWS = [
    {"id": "a", "question": "A?", "quote": 'say "x",\nthen', "doc": "d.md", "answer": "x"},
    {"id": "a", "quote": "more", "page": 3, "doc": "e.pdf"},
    {"question": "B?", "doc": "d.md", "start": 0, "end": 4, "tags": {"kind": "short"}},
    {"question": "C?", "scope": ["d.md", "e f,g.pdf"]},
]
CSV = """id,Question, quote ,doc,page,start,end,answer,scope,tag_kind
a,A?,"say ""x"",
then",d.md,,,,x,,
a,,more,e.pdf,3,,,,,

,B?,,d.md,,0,4,,,short
,C?,,,,,,,"d.md
e f,g.pdf",
"""


@pytest.mark.parametrize("content", [ROWS, CSV, "\ufeff" + CSV, CSV.replace("\n", "\r\n")])
def test_both_forms_say_the_same(asked, content):
    a, b, c = asked(content)
    newline = "\r\n" if "\r" in str(content) else "\n"
    assert (a.id, a.text, a.answers) == ("a", "A?", ["x"])
    assert a.gold == [
        gold(quote=f'say "x",{newline}then', doc="d.md"),
        gold(quote="more", doc="e.pdf", page=3),
    ]
    assert (b.id, b.gold, b.tags) == (
        "q001",
        [gold(doc="d.md", start=0, end=4)],
        {"kind": "short"},
    )
    assert (c.id, c.gold, c.scope) == ("q002", [], ("d.md", "e f,g.pdf"))


def test_places_are_lines_of_the_file(asked):
    assert [question.place for question in asked(CSV)] == [
        f"questions.csv, line {line}" for line in (2, 6, 7)
    ]
    assert asked(ROWS)[2].place.endswith("q.jsonl, line 4")


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators(asked, separator):
    (found,) = asked(f"id{separator}question{separator}quote\nx{separator}Is it, or not?\n")
    assert (found.id, found.text) == ("x", "Is it, or not?")


def test_what_spreadsheets_call_unicode_text(asked):
    (found,) = asked("question\tquote\n谁?\t我\n".encode("utf-16"))
    assert (found.text, found.gold) == ("谁?", [gold(quote="我")])


def test_lists_in_json(asked):
    (found,) = asked([{"question": "Q", "quotes": ["x", "y"], "answer": ["1", "2"], "scope": "d"}])
    assert found.gold == [gold(quote="x"), gold(quote="y")]
    assert (found.answers, found.scope) == (["1", "2"], ("d",))


def test_made_ids_avoid_those_given(asked):
    rows = [{"question": "1"}, {"question": "2", "id": "q001"}, {"question": "3"}]
    assert [question.id for question in asked(rows)] == ["q002", "q001", "q003"]


def test_a_document_alone_is_kept_for_the_report(asked):
    (found,) = asked("question,doc\nQ,d.md\n")
    assert found.gold == [gold(doc="d.md")]


def test_a_later_row_may_repeat_the_question_and_add_answers(asked):
    rows = [{"id": "a", "question": "A?", "answer": "x", "scope": "d"}]
    (found,) = asked([*rows, *rows, {"id": "a", "answer": "y", "quote": "z"}])
    assert (found.answers, found.gold, found.scope) == (["x", "y"], [gold(quote="z")], ("d",))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"question": " "}], "line 1: there is no question"),
        ([{"question": "Q", "qoute": "x"}], "line 1: unknown key 'qoute'"),
        ([{"question": "Q", "page": "3"}], "line 1: page"),
        ([{"question": "Q", "page": 0}], "line 1: page: .*greater than or equal to 1"),
        ([{"question": "Q", "start": -1}], "line 1: start: .*greater than or equal to 0"),
        ([{"question": "Q", "quote": ""}], "line 1: quote"),
        ([{"question": "Q", "quotes": ["x", "y"], "start": 0}], "line 1: start and end go with"),
        ([{"id": "a", "question": "Q"}, {"id": "a", "question": "R"}], "line 2: .*another quest"),
        (
            [{"id": "a", "question": "Q"}, {"id": "a", "scope": "d"}],
            "line 2: the id 'a' stands at .*line 1 with another scope",
        ),
        ([{"id": "a", "question": "Q"}, {"id": "a", "tags": {"k": "v"}}], "line 2: .*another tags"),
        ("quote,answer\nx,y\n", "line 1: there is no column 'question'; .*names the columns"),
        ("question,qoute\nx,y\n", "line 1: no column 'qoute' is known; .* id, question, quote"),
        ("question,tag_\nx,y\n", "line 1: no column 'tag_' is known"),
        ("question,Question\nx,y\n", "line 1: the column 'question' stands there twice"),
        ("question,quote\nx,y,z\n", "line 2: 3 cells for 2 columns"),
        ("question,page\nx,three\n", "line 2: page: found 'three', expected a whole number from 1"),
        ("question,page\nx,0\n", "line 2: page: found '0'"),
        ("question,start\nx,-1\n", "line 2: start: found '-1'"),
        (f"question,start\nx,{'9' * 5000}\n", "line 2: start: found '999"),
        ("question,quote\nx,²\ny\n,z\n", "line 4: there is no question"),
        ('question,quote\na,b\nx,"y\n', "the row that begins in line 3: unexpected end of data"),
        (b"question\ncaf\xe9\n", r"questions.csv is not UTF-8 \(byte 12\)"),
    ],
)
def test_wrong_files(asked, rows, message):
    with pytest.raises(DatasetError, match=message):
        asked(rows)


def test_no_file_or_another_kind(tmp_path):
    with pytest.raises(DatasetError, match=r"cannot read .*q\.csv: No such file"):
        read_questions(tmp_path / "q.csv")
    with pytest.raises(DatasetError, match=r"q\.xlsx: expected questions as \.jsonl or \.csv"):
        read_questions(tmp_path / "q.xlsx")


def test_an_empty_file_asks_nothing(asked):
    assert asked("") == asked("question\n") == asked([]) == []


CELL = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)


@given(st.lists(st.tuples(CELL, CELL), max_size=5), st.sampled_from(",;\t"))
def test_cells_come_back(tmp_path_factory, rows, separator):
    written = StringIO(newline="")
    csv.writer(written, delimiter=separator).writerows([("question", "quote"), *rows])
    path = tmp_path_factory.mktemp("csv") / "q.csv"
    path.write_bytes(written.getvalue().encode())
    found = [(c["question"], c["quote"]) for _, c in table(path, COLUMNS, "tag_")]
    stripped = [(question.strip(), quote.strip()) for question, quote in rows]
    assert found == [row for row in stripped if any(row)]
