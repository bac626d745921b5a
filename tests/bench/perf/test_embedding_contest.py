"""Forms of a model are timed in turns and compared with the exact one."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bench.errors import UserError
from bench.perf.embedding import __main__ as command
from bench.perf.embedding.contest import EXACT, FORMS, contest, nearest, overlap
from tests.bench.retrieval.fakes import Fake

TEXTS = [f"text {i}" for i in range(24)]


def make(batch, computing):
    if computing.backend == "onnx":
        raise UserError("onnx is not installed here")
    return Fake("other" if computing.dtype == "bfloat16" else "exact", 16)


def test_every_form_has_a_row():
    rows = contest(TEXTS, make, block=8, seconds=0)
    assert [row.form for row in rows] == list(FORMS)
    by_name = {(row.form.name, row.form.batch): row for row in rows}
    assert by_name["onnx float32", 8].why == "onnx is not installed here"
    for batch in (2, 8, 32):
        row = by_name["torch float32", batch]
        assert (row.cosine, row.overlap) == (pytest.approx(1), 1)
        assert row.n == 3
        assert row.slow <= row.rate <= row.fast
    other = by_name["torch bfloat16", 8]
    assert other.cosine < 0.9
    assert other.overlap < 0.9
    assert EXACT in FORMS


def test_neighbours_leave_out_the_text_itself():
    rows = np.array([[1, 0], [0.8, 0.6], [0, 1], [-1, 0]], np.float32)
    assert nearest(rows).tolist() == [[1, 2, 3], [0, 2, 3], [1, 0, 3], [2, 1, 0]]
    many = Fake(dimension=8).encode(TEXTS)
    assert nearest(many).shape == (24, 10)
    assert overlap(many, many) == 1
    assert overlap(-many[::-1], many) < 1


def test_the_page_and_the_numbers(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "_model", make)
    command.main(["--texts", "20", "--seconds", "0", "--folder", str(tmp_path)])
    found = json.loads((tmp_path / "embedding.json").read_text(encoding="utf-8"))
    assert [row["form"]["name"] for row in found["rows"]] == [form.name for form in FORMS]
    assert found["machine"]["texts"] == 20
    assert found["machine"]["versions"]["torch"]
    page = (tmp_path / "embedding.md").read_text(encoding="utf-8")
    assert "torch float32, batch 32" in page
    assert "onnx is not installed here" in page
    assert "torch float32, batch 2" in capsys.readouterr().out


def test_texts_are_drawn_with_a_seed():
    first, again = command.sample(5), command.sample(5)
    assert first == again
    assert len(set(first)) == 5
    assert max(map(len, first)) <= command.SIZE
