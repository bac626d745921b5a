"""`make perf` on tiny inputs: the same for all, the same answers, every row and column there."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from bench.perf import __main__ as command
from bench.perf import cold, dsrag, grid, table
from bench.perf.contenders import (
    DifferentAnswersError,
    check,
    contenders,
    mean_tokens,
    parameters,
    price_of,
)
from bench.perf.inputs import Case, questions
from bench.perf.rates import Rate, rates
from bench.perf.size import compare
from bench.perf.targets import targets
from bench.perf.timing import Contender, Times, summary, take_turns
from rse import RSE, Priced

CASES = [
    Case(preset, chunks, documents, queries, depth=40)
    for preset in ("balanced", "find_all")
    for chunks in (60, 300)
    for documents in (3, 20, 40)
    for queries in (1, 4)
]
SOME = CASES[3]


@pytest.fixture(scope="module")
def reference():
    module = dsrag.functions()
    if module is None:
        pytest.skip("dsrag is not installed; `make setup` installs it")
    return module


@pytest.fixture(scope="module")
def rows():
    return [grid.measure(case, count=1, seconds=0) for case in CASES]


def test_inputs_are_what_the_case_says():
    for case in CASES:
        (question,) = questions(case, 1)
        assert len(question.layout) == case.chunks
        assert [len(one) for one in question.hits] == [case.depth] * case.queries
        hit = np.concatenate([one.chunk for one in question.hits])
        assert len(set(question.layout.document(hit).tolist())) == case.documents
        for one in question.hits:
            assert (np.diff(one.score) <= 0).all()
        assert (question.gold.end > question.gold.start).all()


def test_hits_are_clustered():
    (question,) = questions(Case("balanced", 20_000, 50, 1), 1)
    beside = np.diff(np.sort(question.hits[0].chunk)) <= 2
    assert beside.mean() > 0.3  # 0.02 were they spread evenly


def test_the_same_inputs_in_every_run_and_for_every_preset():
    one, again = questions(SOME, 2), questions(replace(SOME, preset="find_all"), 2)
    for a, b in zip(one, again, strict=True):
        for hits, others in zip(a.hits, b.hits, strict=True):
            assert hits.chunk.tolist() == others.chunk.tolist()
            assert hits.score.tolist() == others.score.tolist()
    assert one[0].hits[0].chunk.tolist() != one[1].hits[0].chunk.tolist()


def test_dsrag_gets_the_same_inputs(reference):
    for case in CASES:
        (question,) = questions(case, 1)
        layout = question.layout
        given = dsrag.prepared(reference, question, parameters(case))
        assert given.splits[-1] == case.chunks
        assert len(given.splits) == case.documents
        for one, results in zip(question.hits, given.results, strict=True):
            found = [layout.start[r["metadata"]["doc_id"]] for r in results]
            found = [f + r["metadata"]["chunk_index"] for f, r in zip(found, results, strict=True)]
            assert found == one.chunk.tolist()
            assert [r["similarity"] for r in results] == one.score.tolist()
            lengths = [len(r["metadata"]["chunk_text"]) for r in results]
            assert lengths == layout.length[one.chunk].tolist()


def test_ours_are_called_with_the_question_itself():
    given = questions(SOME, 2)
    for name, contender in contenders(SOME, given, 0.001).items():
        assert len(contender.calls) == 2
        if name != "dsrag":
            for call, question in zip(contender.calls, given, strict=True):
                assert call.args[0] is question.hits
                assert call.args[1] is question.layout


def test_all_select_the_same_segments(reference):
    found = 0
    for case in CASES:
        given = questions(case, 3)
        check(case, given)
        found += mean_tokens(parameters(case), given)
    assert found > 0


def test_a_different_answer_stops_the_run(monkeypatch):
    monkeypatch.setattr(RSE, "select", lambda *_: [])
    with pytest.raises(DifferentAnswersError, match=r"greedy selects \[\], batch"):
        check(SOME, questions(SOME, 3))


def test_the_price_gives_about_as_many_tokens():
    given = questions(Case("balanced", 1_000, 10, 1), 4)
    found = mean_tokens(Priced(token_price=price_of(2_000, given)), given)
    assert 1_500 < found <= 2_000


def test_all_rows_with_positive_numbers(rows, reference):
    assert [row.case for row in rows] == CASES
    for row in rows:
        assert list(row.times) == list(table.NAMES)
        for times in row.times.values():
            assert 0 < times.least <= times.median <= times.p95
            assert times.n > 0
        assert all(row.ratio(name) > 0 for name in grid.RATIOS)
    drawn = table.contest(rows)
    assert len(drawn.rows) == len(CASES)
    assert {len(row) for row in drawn.rows} == {len(drawn.header)}


def test_the_cases_are_those_promised():
    assert len(set(grid.CASES)) == 24
    assert {case.depth for case in grid.CASES} == {200}


def test_turns_meet_every_question_equally_often():
    met = []
    calls = [lambda i=i: met.append(i) for i in range(3)]
    found = take_turns({"slow": Contender(calls, slow=True), "quick": Contender(calls)}, seconds=0)
    assert found["slow"].n == 3
    assert found["quick"].n == 9
    assert sorted(met) == sorted([0, 0, 1, 2] + [0, 1, 2] * 4)  # first calls are not counted


def test_a_summary_is_for_one_part():
    assert summary([1000, 2000, 3000], parts=2) == Times(1.0, 1.45, 0.5, 3)


def test_the_size_of_the_corpus_changes_no_answer():
    found = compare(0, case=SOME, copies=20, count=3)
    assert list(found) == ["greedy", "optimal", "priced", "batch"]


def test_rates_are_positive(monkeypatch):
    monkeypatch.setattr("bench.perf.rates.CASES", CASES[:2])
    found = rates(0, 1)
    assert list(found) == ["greedy", "optimal", "priced"]
    for rate in found.values():
        assert rate.settings == 500
        assert 0 < rate.slow <= rate.median


def test_first_calls_are_timed():
    assert all(seconds >= 0 for seconds in cold.first_calls().values())


def made(worst):
    """Rows as promised, the slowest documents `worst` times as fast as dsRAG."""
    found = []
    for chunks in (1_000, 20_000):
        for documents, factor in ((10, 9_999), (50, worst)):
            us = {"dsrag": factor, "greedy": 1, "optimal": 2, "priced": 4, "batch": 0.5}
            times = {name: Times(value, value, value, 1) for name, value in us.items()}
            found.append(grid.Row(Case("balanced", chunks, documents, 1), times, 0, {}))
    return found


def test_a_target_is_judged_by_its_worst_row():
    rate = {"greedy": Rate(500, 50_000, 1, 1), "optimal": Rate(500, 14_999, 1, 1)}
    time = Times(1, 1, 1, 1)
    found = targets(made(100), rate, {"greedy": (time, time)})
    assert [(one.value, one.met) for one in found] == [
        *[(100, True), (200, True), (100, False), (200, False)],
        *[(2, True), (4, False), (50_000, True), (14_999, False), (1, True)],
    ]


def test_without_dsrag_the_rest_is_there(monkeypatch):
    monkeypatch.setattr(dsrag, "functions", lambda: None)
    row = grid.measure(SOME, count=1, seconds=0)
    assert list(row.times) == ["greedy", "optimal", "priced", "batch"]
    assert row.ratio("dsrag/greedy") is None
    cells = dict(zip(table.contest([row]).header, table.contest([row]).rows[0], strict=True))
    assert cells["dsrag"] == cells["dsrag/greedy"] == "-"


def test_the_command_writes_both_files_and_prints(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(dsrag, "functions", lambda: None)
    monkeypatch.setattr(command, "CASES", CASES[:1])
    monkeypatch.setattr(command, "measure", lambda case: grid.measure(case, count=1, seconds=0))
    monkeypatch.setattr("bench.perf.rates.CASES", CASES[:1])
    monkeypatch.setattr(command, "rates", lambda: rates(0, 1))
    monkeypatch.setattr(command, "compare", lambda: compare(0, case=SOME, copies=2, count=1))
    monkeypatch.setattr(command, "cold_starts", lambda: {"compile": {"a": 1.0}, "load": {"a": 0.1}})
    command.main()
    facts = json.loads((tmp_path / "results/reference/perf/perf.json").read_text(encoding="utf-8"))
    report = (tmp_path / "results/reference/perf/perf.md").read_text(encoding="utf-8")
    shown = capsys.readouterr().out
    assert facts["machine"]["versions"]["numpy"]
    assert len(facts["rows"]) == 1
    for text in (report, shown):
        assert dsrag.MISSING in text
        assert "not measured" in text
        assert "Cold start" in text
