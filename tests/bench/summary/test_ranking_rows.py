"""Ranked metrics of a family with intervals."""

from __future__ import annotations

from math import isnan

import pytest

from bench.summary.rankings import NAMES, ranking_rows
from bench.summary.resampling import Resampling


def kept(number, value):
    values = dict.fromkeys(NAMES, value)
    return {
        **{"dataset": "data", "family": "c / r", "question": f"q{number}"},
        **{"ranked_chunks": values, "answers_chunks": dict.fromkeys(NAMES, 0.25)},
        "ranked_documents": values | {"mrr": None if value is None else 1.0},
        **{"answers_documents": values, "searched_chunks": 7, "searched_documents": 3},
    }


def test_undefined_questions_are_left_out_and_counted():
    curves = [kept(0, 0.5), kept(1, 1.0), kept(2, None)]
    resampling = Resampling({"data": {f"q{i}": i for i in range(3)}}, 0)
    chunks, answers, documents, _ = ranking_rows(curves, resampling)
    assert (answers["judged_by"], answers["mean_map"], answers["searched"]) == ("answers", 0.25, 7)
    assert (chunks["of"], documents["of"]) == ("chunks", "documents")
    assert (chunks["questions"], chunks["undefined"]) == (3, 1)
    assert chunks["mean_ndcg@10"] == pytest.approx(0.75)
    assert chunks["low_ndcg@10"] <= 0.75 <= chunks["high_ndcg@10"]
    assert documents["mean_mrr"] == 1


def test_nothing_defined():
    chunks, *_ = ranking_rows([kept(0, None)], Resampling({"data": {"q0": 0}}, 0))
    assert (chunks["undefined"], isnan(chunks["mean_map"])) == (1, True)


def test_a_run_holds_them(bench, made):
    """The first question's passage is chunk 0 and is found wherever the fake puts it."""
    folder = bench(made(), grids=[{"strategy": "topk"}]).folder
    text = (folder / "rankings.csv").read_text(encoding="utf-8")
    assert text.splitlines()[0].startswith("dataset,family,of,judged_by,searched,questions,")
    assert len(text.splitlines()) == 5
    assert "The ranking itself" in (folder / "report.md").read_text(encoding="utf-8")
