"""Choosing: by hand, against trying everything, and a planted over-fit."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

from bench.arms import Arm
from bench.stats.bootstrap import Draws
from bench.stats.signs import Signs
from bench.sweep import cv as cv_module
from bench.sweep.axis_effects import sensitivity, without_effect
from bench.sweep.choices import choice_rows
from bench.sweep.choose import Rule, choose, pick
from bench.sweep.cv import cv_rows
from bench.sweep.measure import COLUMNS
from bench.sweep.pool import Curve, Pool, Split
from bench.sweep.settings import Setting
from bench.sweep.spec import check

N = 40
FAMILY = "fixed[size=9] / minilm"
SPEC = check(
    {
        **{"name": "x", "datasets": ["d"], "chunkers": ["fixed[size=9]"]},
        "grids": {"strategy": "topk"},
    },
    "here",
)


def split(n=N, folds=4):
    numbers = list(range(n))
    fold = np.arange(n) % folds
    names = tuple(f"q{i}" for i in numbers)
    return Split(np.ones(n, bool), fold, names, Draws(numbers, 0), Signs(numbers, 0))


def pool(recall, tokens, preset_tokens=100.0, name="d"):
    """Settings by question; top-k gets 0.001 recall a token."""
    recall, tokens = np.asarray(recall, float), np.asarray(tokens, float)
    values = np.zeros((*recall.shape, len(COLUMNS)))
    values[..., COLUMNS.index("recall")] = recall
    values[..., COLUMNS.index("tokens")] = tokens
    values[..., COLUMNS.index("segments")] = 1
    values[..., COLUMNS.index("chunks")] = 2
    n = recall.shape[1]
    preset = np.zeros((n, len(COLUMNS)))
    preset[:, COLUMNS.index("tokens")] = preset_tokens
    preset[:, COLUMNS.index("recall")] = 0.25
    every = Curve(np.tile([0.0, 1000.0], (n, 1)), np.tile([0.0, 1.0], (n, 1)))
    presets = dict.fromkeys(("precision", "balanced", "find_all"), preset)
    return Pool(name, values, presets, {FAMILY: every}, split(n), [FAMILY] * len(recall))


def settings(count):
    return [
        Setting(
            Arm(f"topk[k={k}]", "none", *FAMILY.split(" / ")),
            {"strategy": "topk", "k": k, "scores": "none", "chunker": "c", "retriever": "r"},
        )
        for k in range(1, count + 1)
    ]


def everything(one):
    return {one.dataset: np.ones(len(one.split.fold), bool)}


def allowed(one):
    return np.ones(len(one.values), bool)


def test_examples():
    assert doctest.testmod(cv_module).failed == 0


def test_the_most_recall_within_the_limit():
    one = pool([[0.2] * N, [0.6] * N, [0.9] * N], [[50] * N, [99] * N, [101] * N])
    found = pick([one], everything(one), Rule(100), allowed(one))
    assert (found.setting, found.recall, found.tokens, found.fits) == (
        1,
        pytest.approx(0.6),
        99,
        True,
    )
    assert pick([one], everything(one), Rule("balanced"), allowed(one)).setting == 1
    assert pick([one], everything(one), Rule(101), allowed(one)).setting == 2


def test_none_within_the_limit_is_the_nearest_and_said():
    one = pool([[0.2] * N, [0.6] * N], [[500] * N, [400] * N])
    found = pick([one], everything(one), Rule(100), allowed(one))
    assert (found.setting, found.fits) == (1, False)


def test_equal_recall_goes_to_fewer_tokens_then_to_the_first():
    one = pool([[0.5] * N] * 3, [[80] * N, [70] * N, [70] * N])
    assert pick([one], everything(one), Rule(100), allowed(one)).setting == 1


def test_by_margin_it_is_what_is_above_top_k_that_counts():
    """Top-k has 0.001 a token: 0.5 for 400 is 0.1 above it, 0.65 for 600 is 0.05."""
    one = pool([[0.5] * N, [0.65] * N, [0.4] * N], [[400] * N, [600] * N, [100] * N])
    assert pick([one], everything(one), Rule(700), allowed(one)).setting == 1
    assert pick([one], everything(one), Rule(700, "margin"), allowed(one)).setting == 0
    # The third has the largest margin, but spends less than half of what it may.
    assert pick([one], everything(one), Rule(200, "margin"), allowed(one)).setting == 2


def test_settings_that_failed_are_never_chosen():
    one = pool([[np.nan] * N, [0.1] * N], [[np.nan] * N, [90] * N])
    assert pick([one], everything(one), Rule(100), allowed(one)).setting == 1


def test_what_is_judged_was_not_chosen_on():
    """Each setting is perfect on one fold and bad elsewhere: no fold is judged by its own."""
    fold = np.arange(N) % 4
    recall = np.array([np.where(fold == number, 1.0, 0.1) for number in range(4)])
    one = pool(recall, np.full((4, N), 50.0))
    ((_, choice),) = choose([one], Rule(100), "documents")
    assert all(choice.setting[fold == number].tolist().count(number) == 0 for number in range(4))
    assert choice.held_out[:, 0].mean() == pytest.approx(0.1)
    assert choice.in_sample == pytest.approx((1 + 0.1 + 0.1) / 3)
    assert choice.optimism == pytest.approx(choice.in_sample - 0.1)


def test_a_planted_over_fit_is_exposed():
    """50 settings that are all coin flips: in sample one looks good, held out none is."""
    rng = np.random.default_rng(0)
    optimism, held = [], []
    for _ in range(30):
        one = pool(rng.integers(0, 2, (50, N)), np.full((50, N), 50.0))
        ((_, choice),) = choose([one], Rule(100), "documents")
        optimism.append(choice.optimism)
        held.append(choice.held_out[:, 0].mean())
    assert np.mean(held) == pytest.approx(0.5, abs=0.04)
    assert np.mean(optimism) > 0.12
    (row,) = choice_rows([(one, choice)], settings(50), SPEC)
    assert row["in_sample_recall"] - row["held_out_recall"] == pytest.approx(row["optimism"])


def test_only_what_was_found_without_the_part_may_be_chosen_for_it():
    one = pool([[0.9] * N, [0.2] * N], [[50] * N] * 2)
    may = [np.array([False, True])] * 2 + [np.array([True, True])] * 3
    ((_, choice),) = choose([one], Rule(100), "documents", {"d": may})
    assert set(choice.setting[np.isin(one.split.fold, [0, 1])]) == {1}
    assert set(choice.setting[np.isin(one.split.fold, [2, 3])]) == {0}
    assert choice.final.setting == 0


def test_a_dataset_is_judged_by_the_others():
    good_here = pool([[1.0] * N, [0.2] * N], [[50] * N] * 2, name="a")
    good_there = pool([[0.3] * 20, [0.9] * 20], [[50] * 20] * 2, name="b")
    found = {
        one.dataset: choice
        for one, choice in choose([good_here, good_there], Rule(100), "datasets")
    }
    assert set(found["a"].setting) == {1}
    assert set(found["b"].setting) == {0}
    # A mean of means: the larger set has no more to say.
    assert found["a"].final.recall == pytest.approx((1.0 + 0.3) / 2)
    assert found["a"].final.setting == 0


def test_margins_are_those_of_top_k_at_the_same_tokens():
    one = pool([[0.4] * N], [[100] * N], preset_tokens=200.0)
    ((_, choice),) = choose([one], Rule("balanced"), "documents")
    (row,) = choice_rows([(one, choice)], settings(1), SPEC)
    assert row["margin"] == pytest.approx(0.4 - 0.1)
    assert row["margin_of_preset"] == pytest.approx(0.25 - 0.2)
    assert row["margin_over_preset"] == pytest.approx(0.25)
    assert (row["verdict_topk"], row["verdict_preset"]) == ("better", "better")
    assert (row["parts"], row["parts_that_agree"], row["settings_chosen"]) == (4, 4, 1)


def test_a_goal_in_tokens_has_no_preset_beside_it():
    one = pool([[0.4] * N], [[100] * N])
    ((_, choice),) = choose([one], Rule(150), "documents")
    (row,) = choice_rows([(one, choice)], settings(1), SPEC)
    assert np.isnan([row["preset_recall"], row["margin_over_preset"], row["p_preset"]]).all()
    assert row["margin"] == pytest.approx(0.3)


def test_ranks_and_what_failed():
    one = pool(
        [[0.2] * N, [0.6] * N, [0.6] * N, [np.nan] * N], [[9] * N, [8] * N, [7] * N, [np.nan] * N]
    )
    rows = list(cv_rows(one, settings(4), {3: "no luck"}))
    assert [row["rank_recall"] for row in rows] == [3, 1, 1, 4]
    assert [row["rank_tokens"] for row in rows] == [3, 2, 1, 4]
    assert [row["pareto"] for row in rows] == [False, False, True, False]
    assert [row["error"] for row in rows] == ["", "", "", "no luck"]
    assert rows[0]["segment_length"] == 2
    assert rows[1]["margin"] == pytest.approx(0.6 - 0.008)


def test_axes_without_effect_and_what_others_are_worth():
    one = pool([[0.2] * N, [0.2] * N, [0.6] * N, [0.6] * N], [[9] * N] * 4)
    grid = [
        Setting(Arm("s", "none", "c", "r"), {"strategy": "s", "a": a, "b": b})
        for a in (1, 2)
        for b in ("x", "y")
    ]
    (effect,) = without_effect([one], grid)
    assert (effect.axis, effect.values) == ("b", ("x", "y"))
    rows = {(row["axis"], row["value"]): row for row in sensitivity(one, grid)}
    assert rows["a", 1]["mean_recall"] == pytest.approx(0.2)
    assert rows["a", 2]["range_recall"] == pytest.approx(0.4)
    assert rows["b", "x"]["range_recall"] == pytest.approx(0)
