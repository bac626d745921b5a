"""What the report says beside its numbers."""

from __future__ import annotations

import re
from math import nan

import pytest

from bench.report.markdown import _margin
from tests.bench.conftest import ASKED, TEXTS

TOPK = [{"strategy": "topk"}]


def report(outcome):
    return (outcome.folder / "report.md").read_text(encoding="utf-8")


def test_a_margin_without_an_interval_stands_alone():
    row = {"margin": 0.091, "low_margin": nan, "high_margin": nan, "questions": 66}
    row["undefined"] = 0
    assert _margin(row) == "+9.1"
    assert _margin(row | {"margin": nan}) == "-"
    known = row | {"low_margin": 0.041, "high_margin": 0.152}
    assert _margin(known) == "+9.1* (+4.1 to +15.2)"


@pytest.mark.parametrize(("size", "flagged"), [(500, True), (36, False)])
def test_short_documents_are_flagged(bench, made, size, flagged):
    texts = TEXTS | {"blank": " "}
    found = report(bench(made(texts=texts), grids=TOPK, chunkers=[f"fixed[size={size}]"]))
    assert ("**Short documents**: 3 of 3 give one chunk" in found) == flagged


def test_each_family_is_named_with_its_dataset(bench, made):
    found = report(bench(made("one"), made("two"), grids=TOPK))
    made_by = found[found.index("How this was made") :]
    assert re.findall(r"^- (one|two), fixed", made_by, re.MULTILINE) == ["one", "two"]


def test_unanswerable_questions_stand_apart(bench, made):
    found = report(bench(made(asked=ASKED | {"q5": []}), grids=TOPK))
    assert "1 of the questions have no gold." in found
    assert "| tokens without gold | empty without gold % |" in found
    assert "without gold" not in report(bench(made("all"), grids=TOPK))


def test_notes_of_the_data_are_there(bench, made):
    found = report(bench(made(texts=TEXTS | {"twin": TEXTS["kiln"]}), grids=TOPK))
    assert "Documents with the text of an earlier one: 1." in found
