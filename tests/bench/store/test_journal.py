"""The journal outlives a kill."""

from __future__ import annotations

import json

import pytest

from bench.store.folder import ResultsError
from bench.store.journal import Journal

WHOLE = b'{"key": "q1", "x": 1}\n{"key": "q2", "x": 2}\n'


@pytest.mark.parametrize(
    "tail",
    [
        b"",
        b'{"key": "q4", "rec',
        b'{"key": "q3"}',
        b"\xff\xfe\x00garbage\n",
        b"\x00" * 50,
        b"[1]\n",
        b'{"no": "key"}\n',
        b'{"key": 3}\n',
        b"\n",
    ],
)
def test_a_torn_tail_is_dropped_and_writing_goes_on(tmp_path, tail):
    path = tmp_path / "journal"
    path.write_bytes(WHOLE + tail)
    with Journal(path) as journal:
        assert list(journal.rows) == ["q1", "q2"]
        assert path.read_bytes() == WHOLE
        journal.append({"key": "q3", "x": float("nan")})
        assert journal.rows["q3"] == {"key": "q3", "x": None}
        assert path.read_bytes() == WHOLE + b'{"key": "q3", "x": null}\n'
    with Journal(path) as journal:
        assert list(journal.rows) == ["q1", "q2", "q3"]


@pytest.mark.parametrize("bad", [b"\xff\xfe\x00garbage\n", b'{"key": "q9", "x"\n', b"[1]\r\n"])
def test_a_damaged_line_costs_no_other(tmp_path, bad):
    path = tmp_path / "journal"
    first, second = WHOLE.splitlines(keepends=True)
    path.write_bytes(first + bad + second + bad + b'{"torn": ')
    with Journal(path) as journal:
        assert list(journal.rows) == ["q1", "q2"]
        assert journal.dropped == 2
    assert path.read_bytes() == WHOLE
    with Journal(path) as journal:
        assert journal.dropped == 0


def test_a_row_that_cannot_be_used_is_dropped(tmp_path):
    path = tmp_path / "journal"
    path.write_bytes(WHOLE)
    with Journal(path, lambda row: row["x"] == 2) as journal:
        assert (list(journal.rows), journal.dropped) == (["q2"], 1)


@pytest.mark.parametrize("content", [b"my diary\n", b'{"a": 1}\n\n', b"[" * 10_000 + b"\n"])
def test_somebody_elses_file_is_left_alone(tmp_path, content):
    path = tmp_path / "journal"
    path.write_bytes(content)
    with pytest.raises(ResultsError, match="holds no row of a run: move it away"):
        Journal(path)
    assert path.read_bytes() == content


def test_killed_after_any_byte_it_ends_as_undisturbed(tmp_path):
    rows = [{"key": f"q{i}", "text": "é\ud800"} for i in range(3)]
    path = tmp_path / "journal"
    with Journal(path) as journal:
        for row in rows:
            journal.append(row)
    whole = path.read_bytes()
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        with Journal(path) as journal:
            for row in rows:
                if row["key"] not in journal.rows:
                    journal.append(row)
            assert list(journal.rows.values()) == rows
        assert path.read_bytes() == whole


def test_failed_rows_are_done_again(tmp_path):
    path = tmp_path / "journal"
    with Journal(path) as journal:
        journal.append({"key": "a", "failed": True})
        journal.append({"key": "b", "failed": False})
    with Journal(path) as journal:
        assert list(journal.rows) == ["b"]
        journal.append({"key": "a", "failed": False})
    with Journal(path) as journal:
        assert journal.rows["a"] == {"key": "a", "failed": False}
    assert len([json.loads(line) for line in path.read_bytes().splitlines()]) == 3
