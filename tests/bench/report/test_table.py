"""The table on a terminal."""

from __future__ import annotations

from bench.report.table import margin, show
from bench.report.write import rebuild

GRIDS = [{"strategy": "topk", "params": {"k": [1, 3]}}]


def lines(capsys):
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_several_datasets_are_one_table(bench, made, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    show(bench(made("one"), made("two"), grids=GRIDS).summary)
    found = lines(capsys)
    assert len([line for line in found if "recall" in line and "prec." in line]) == 1
    named = [line.split() for line in found if line.split()[:1] in (["one:"], ["two:"])]
    assert named == [["one:", "4"], ["two:", "4"]]
    arms = [line.split()[0] for line in found if "topk[k=" in line]
    assert arms == ["topk[k=1]", "topk[k=3]"] * 2


def test_several_families_of_several_datasets_are_named(bench, made, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    chunkers = ["fixed[size=36]", "recursive[size=60]"]
    show(bench(made("one"), made("two"), grids=GRIDS, chunkers=chunkers).summary)
    found = "\n".join(lines(capsys))
    for name in ("one", "two"):
        for chunker in chunkers:
            assert f"{name}: 4, {chunker} / minilm" in found


def test_a_language_the_encoder_does_not_cover_is_marked(bench, made, capsys):
    outcome = bench(made("one"), made("zwei"), grids=GRIDS)
    for row in outcome.summary:
        row["unknown_token_share"] = 0.64 if row["dataset"] == "zwei" else 0.0
    show(outcome.summary)
    found = "\n".join(lines(capsys))
    assert "zwei !: 4" in found
    assert "one !" not in found
    assert "! zwei: the encoder does not cover this language: 64.0 % of tokens" in found


def test_a_rebuilt_summary_has_the_share_as_well(bench, made):
    outcome = bench(made(), grids=GRIDS)
    assert {"unknown_token_share"} <= set(outcome.summary[0])
    assert [list(row) for row in rebuild(outcome.folder)] == [list(row) for row in outcome.summary]


def test_stars_need_twenty_questions_with_gold():
    row = {"margin": 0.1, "low_margin": 0.05, "high_margin": 0.2, "questions": 28, "undefined": 8}
    assert margin(row) == "+10.0*"
    assert margin(row | {"undefined": 9}) == "+10.0"
    assert margin(row | {"low_margin": -0.01}) == "+10.0"


def test_answers_that_failed_are_said(bench, made, capsys):
    outcome = bench(made(), grids=GRIDS)
    show(outcome.summary)
    assert "failed" not in capsys.readouterr().out
    outcome.summary[1]["failed"] = 3
    show(outcome.summary)
    assert "! made, topk[k=3]: 3 of 4 answers failed and count as empty" in capsys.readouterr().out


def test_one_question_is_one(bench, made, capsys):
    show(bench(made(), grids=GRIDS, limit=1).summary)
    assert "made: 1 question, " in capsys.readouterr().out
