"""The experiment on made-up documents, with a retriever that guesses."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest

from bench.engine.crossfit import OPENING, CrossFit
from bench.engine.experiment import CHOICES, SHIPPED, SMOOTH, brief, fit, run
from bench.engine.pool import DEPTH, curve
from bench.engine.report import TABLES, write
from bench.engine.rows import EVEN, best_rse
from bench.engine.transfer import hang, transfer
from bench.stats.clusters import clusters
from bench.stats.folds import assign
from bench.stats.traced import Traced
from rse import Hits

BY_HAND = {"smoothing by hand": CHOICES["smoothing by hand"]}


def test_folds_split_by_document_and_are_the_same_each_time(dataset):
    questions = [q for q in dataset.questions if q.gold]
    folds = assign(clusters(questions), 3, 0)
    assert folds == assign(clusters(questions), 3, 0)
    assert sorted(set(folds)) == [0, 1, 2]
    of = {}
    for question, fold in zip(questions, folds, strict=True):
        assert of.setdefault(question.scope, fold) == fold
    assert len(set(assign(clusters(questions), 99, 0))) == 6  # no more folds than documents


def test_questions_without_gold_take_no_part_and_are_counted(held):
    assert len(held.asked) == 12
    assert held.excluded == 1


def test_the_curve_of_topk_is_as_long_as_the_depth(held):
    tokens, recall = curve(held, [asked.hits for asked in held.asked])
    assert tokens.shape == recall.shape == (12, DEPTH + 1)


def flat(held, recall, end=5000.0):
    shape = len(held.asked), 2
    return Traced(np.broadcast_to([0.0, end], shape), np.full(shape, recall), held.draws)


def test_the_best_rse_reads_no_score_that_the_other_does_not_read(held):
    found = {
        "topk": flat(held, 0.9),
        "rse balanced / none": flat(held, 0.5),
        "rse retuned / max": flat(held, 0.4),
        "rse balanced / max": flat(held, 0.8, end=900.0),
        "rse retuned / minmax of cosine + bm25": flat(held, 0.6),
    }
    assert best_rse(found, "priced / cosine", 1000) == "rse balanced / none"
    assert best_rse(found, "priced / cosine", 500) == "rse balanced / max"
    assert best_rse(found, "priced / cosine and bm25", 1000).endswith("bm25")
    assert best_rse(found, "priced / cosine", 6000) == ""


def scored(held, score, near):
    """The pool with these scores, and these of the neighbours, for every question."""
    hits = Hits(np.arange(len(score)), np.array(score), {"neighbours": np.array(near)})
    asked = tuple(
        replace(one, example=replace(one.example, hits=hits, gold=np.zeros(len(score))))
        for one in held.asked
    )
    return replace(held, asked=asked)


def test_scores_hang_together_where_neighbours_score_alike(held):
    score = [0.9, 0.7, 0.5, 0.3]
    assert hang(scored(held, score, [[s, s] for s in score])) == pytest.approx(1)
    assert hang(scored(held, score, [[1 - s, 1 - s] for s in score])) == pytest.approx(-1)
    lone = [[0.9, np.nan], [np.nan, 0.7], [np.nan, np.nan], [0.3, 0.3]]
    assert hang(scored(held, score, lone)) == pytest.approx(1)
    assert np.isnan(hang(scored(held, score, [[0.5, 0.5]] * 4)))


class Donor:
    """Another dataset, of which only its likeness and its best choice matter."""

    def __init__(self, held, best):
        self.held, self._best = held, best

    def best(self, forms):
        return self._best


@pytest.mark.outside
def test_the_set_most_alike_comes_first_and_only_its_knobs_travel(held):
    cross = CrossFit(held)
    cross.run(BY_HAND["smoothing by hand"], OPENING)
    score = [0.9, 0.7, 0.5, 0.3]
    unlike = replace(scored(held, score, [[1 - s, 1 - s] for s in score]), dataset="unlike")
    donors = [
        Donor(unlike, (SMOOTH[1], 640)),
        Donor(replace(held, dataset="alike"), (SMOOTH[0], 40)),
    ]
    top = Traced(*curve(held, [asked.hits for asked in held.asked]), held.draws)
    own = cross.traced(cross.chosen(BY_HAND["smoothing by hand"]))
    found = {"topk": top, "priced, cross-fitted / smoothing by hand": own}
    rows = list(transfer(cross, donors, BY_HAND, found))
    assert [row["chosen_on"] for row in rows] == ["alike"] * 4 + ["unlike"] * 4
    assert [row["nearest"] for row in rows] == [True] * 4 + [False] * 4
    expected = cross.family(SMOOTH[0], 40).at(500).value - top.at(500).value
    assert rows[0]["margin"] == pytest.approx(expected)
    assert rows[0]["margin"] - rows[0]["margin_own"] == pytest.approx(
        own.at(500).value - top.at(500).value
    )


@pytest.mark.outside
def test_everything_is_written_and_the_same_when_run_again(held, other, tmp_path):
    elsewhere = fit(other)
    result = run(fit(held), [elsewhere])
    assert {row["family"] for row in result.families} >= {
        "topk",
        "rse balanced / none",
        "rse balanced / minmax",
        "rse retuned / max",
        "optimal retuned[segment_cost=0] / minmax",
        "optimal retuned[segment_cost=0.3] / minmax",
        "priced, cross-fitted / cosine",
        "priced, cross-fitted / smoothing by hand",
        SHIPPED,
        "oracle",
        EVEN,
    }
    write(tmp_path / "a", [result], {"seed": 0})
    write(tmp_path / "b", [run(fit(held), [elsewhere])], {"seed": 0})
    names = [f"{table}.csv" for table in TABLES] + ["engine.md", "figures/pool0.svg"]
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    with (tmp_path / "a" / "families.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    top = [row for row in rows if row["family"] == "topk" and row["margin"]]
    assert top
    assert all(float(row["margin"]) == 0 for row in top)
    assert "nan" not in (tmp_path / "a" / "engine.md").read_text(encoding="utf-8")


@pytest.mark.outside
def test_in_brief_the_same_numbers(held):
    whole, short = run(fit(held)), brief(held)
    rows = {(row["family"], row["mean_tokens"]): row for row in whole.families}
    assert len(short.families) > 40
    for row in short.families:
        assert row["recall"] == pytest.approx(
            rows[row["family"], row["mean_tokens"]]["recall"], nan_ok=True
        )
    assert not whole.transfer
