"""Ids that survive any reader, lines that are whole."""

from __future__ import annotations

import doctest
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.errors import UserError
from bench.export import text as module
from bench.export.text import escaped, span_id, span_of, unescaped, write_json_lines, write_lines
from bench.types import Span

# Half surrogate pairs among them; JSON would make one sign of two halves.
anything = st.text(st.characters(exclude_categories=()), min_size=1)
whole = st.text()


def test_examples():
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


@given(anything)
def test_an_id_is_one_word_and_comes_back(name):
    assert escaped(name).split() == [escaped(name)]
    assert len(escaped(name).splitlines()) == 1
    assert escaped(name).encode("utf-8")
    assert unescaped(escaped(name)) == name


@given(anything, st.integers(0, 99), st.integers(0, 99))
def test_a_place_comes_back(doc, start, end):
    span = Span(doc, start, end)
    assert span_of(span_id(span)) == span


@given(st.lists(st.dictionaries(whole, whole | st.floats(), max_size=3)))
def test_json_is_strict(tmp_path_factory, rows):
    path = write_json_lines(tmp_path_factory.mktemp("json") / "deep" / "rows.jsonl", rows)
    lines = path.read_bytes().decode("utf-8").split("\n")
    assert lines.pop() == ""

    def refuse(constant):
        raise AssertionError(constant)

    read = [json.loads(line, parse_constant=refuse) for line in lines]
    expected = [
        {k: None if isinstance(v, float) and not abs(v) < float("inf") else v for k, v in r.items()}
        for r in rows
    ]
    assert read == expected


def test_half_a_surrogate_pair(tmp_path):
    assert unescaped(escaped("a\ud83d b")) == "a\ud83d b"
    path = write_json_lines(tmp_path / "x", [{"a": "\ud83d"}])
    assert path.read_bytes() == b'{"a": "\\ud83d"}\n'
    assert json.loads(path.read_bytes()) == {"a": "\ud83d"}


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"cannot write .*choose another folder with -o"):
        write_lines(tmp_path / "file" / "x.csv", ["a"])


def test_files_appear_whole(tmp_path):
    def broken():
        yield "one"
        raise KeyError("two")

    write_lines(tmp_path / "x", ["before"])
    with pytest.raises(KeyError):
        write_lines(tmp_path / "x", broken())
    assert (tmp_path / "x").read_bytes() == b"before\n"
    assert [path.name for path in tmp_path.iterdir()] == ["x"]
