"""Choosing on some documents and reporting on others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.sweep.pool import RECALL, TOKENS, Floats, Pool

Goal = str | int
Masks = Mapping[str, NDArray[np.bool_]]
"""Questions of each dataset that are chosen on."""
Objective = Literal["recall", "margin"]
SLACK = 1e-9
LEAST = 0.5
"""Part of the limit that a setting chosen by its margin spends at least."""


class Picked(NamedTuple):
    """The setting that is best on some questions."""

    setting: int
    recall: float
    """Its mean recall there: too good a number, since it was chosen by it."""
    tokens: float
    limit: float
    """Mean tokens that the goal allows there."""
    fits: bool
    """Whether any setting keeps to the limit; else this one comes nearest to it."""


class Choice(NamedTuple):
    """How a goal was met on one dataset."""

    goal: Goal
    final: Picked
    """Chosen on everything: what one would use."""
    parts: tuple[Picked, ...]
    """Chosen without the part that is then judged, part by part."""
    held_out: Floats
    """What the settings of `parts` did on the questions they were not chosen on; (questions,
    columns)."""
    setting: NDArray[np.int64]
    """The setting that each question was judged by."""

    @property
    def in_sample(self) -> float:
        """Mean over the parts of the recall they were chosen by."""
        return float(np.mean([one.recall for one in self.parts]))

    @property
    def optimism(self) -> float:
        """By how much the number one chooses by is too good."""
        return self.in_sample - float(self.held_out[:, RECALL].mean())


class Rule(NamedTuple):
    """How a setting is chosen."""

    goal: Goal
    """Tokens, or the preset whose mean tokens on the same questions are the limit."""
    objective: Objective = "recall"
    """`recall`: the most of it; `margin`: the most recall above top-k at the same mean tokens, by
    settings that spend at least half of the limit. What is a good margin on one corpus is more
    often one on another than what is a good number of tokens."""


def pick(pools: Sequence[Pool], masks: Masks, rule: Rule, allowed: NDArray[np.bool_]) -> Picked:
    """Return the best setting among those that keep to the goal's tokens.

    Means are over the datasets' means. Ties: fewer tokens, then the first.

    Args:
        pools: The datasets.
        masks: The questions to choose on; datasets that are not in it take no part.
        rule: What is best.
        allowed: Which settings may be chosen.
    """
    used = [pool for pool in pools if pool.dataset in masks and masks[pool.dataset].any()]
    means = np.mean([pool.values[:, masks[pool.dataset]].mean(axis=1) for pool in used], axis=0)
    recall, tokens = means[:, RECALL], means[:, TOKENS]
    limit = float(rule.goal) if isinstance(rule.goal, int) else _spent(used, masks, rule.goal)
    worth, fit = recall, tokens <= limit * (1 + SLACK)
    if rule.objective == "margin":
        worth = np.mean([margins(pool, masks[pool.dataset]) for pool in used], axis=0)
        fit &= tokens >= limit * LEAST
    known = allowed & ~np.isnan(recall) & ~np.isnan(worth)
    if not known.any():
        raise ValueError("no setting could be run")
    fit &= known
    fits = bool(fit.any())
    if fits:
        order = np.lexsort((tokens, -worth.round(12)))
        best = int(order[fit[order]][0])
    else:
        best = int(np.argmin(np.where(known, np.abs(tokens - limit), np.inf)))
    return Picked(best, float(recall[best]), float(tokens[best]), limit, fits)


def margins(pool: Pool, mask: NDArray[np.bool_]) -> Floats:
    """Return each setting's mean recall above top-k at its mean tokens, on some questions."""
    means = pool.values[:, mask].mean(axis=1)
    found = np.full(len(means), np.nan)
    for family, curve in pool.topk.items():
        own = np.array([name == family for name in pool.families], bool)
        x, y = curve.tokens[mask].mean(axis=0), curve.recall[mask].mean(axis=0)
        spent = means[own, TOKENS]
        inside = (spent >= x[0]) & (spent <= x[-1])
        at = np.where(inside, np.interp(spent, x, y), np.nan)
        found[own] = means[own, RECALL] - at
    return found


Allowed = Mapping[str, Sequence[NDArray[np.bool_]]]
"""Settings that may be chosen, by dataset: for each of its parts, and last for everything."""


def choose(
    pools: Sequence[Pool], rule: Rule, split: str, allowed: Allowed | None = None
) -> Iterator[tuple[Pool, Choice]]:
    """Choose for each dataset without the questions that are then judged.

    Args:
        pools: The datasets.
        rule: What to choose by.
        split: `documents`: each fold of a dataset by the others of it; `datasets`: each dataset by
            the others.
        allowed: What may be chosen: the settings that a search has found without looking at the
            part that is judged. None: all.
    """
    for pool in pools:
        parts = list(parts_of(pools, pool, split))
        every = np.ones(len(pool.values), bool)
        may = allowed[pool.dataset] if allowed else [every] * (len(parts) + 1)
        picked = [pick(pools, masks, rule, may[n]) for n, (masks, _) in enumerate(parts)]
        held = np.full(pool.values.shape[1:], np.nan)
        setting = np.zeros(len(held), np.int64)
        for one, (_, here) in zip(picked, parts, strict=True):
            held[here], setting[here] = pool.values[one.setting, here], one.setting
        whole = pools if split == "datasets" else [pool]
        masks = {one.dataset: np.ones(len(one.split.fold), bool) for one in whole}
        yield (
            pool,
            Choice(rule.goal, pick(whole, masks, rule, may[-1]), tuple(picked), held, setting),
        )


def parts_of(
    pools: Sequence[Pool], pool: Pool, split: str
) -> Iterator[tuple[Masks, NDArray[np.bool_]]]:
    """Yield the questions to choose on, and those of `pool` to judge."""
    if split == "datasets":
        others = [one for one in pools if one.dataset != pool.dataset]
        masks = {one.dataset: np.ones(len(one.split.fold), bool) for one in others}
        yield masks, np.ones(len(pool.split.fold), bool)
        return
    for fold in np.unique(pool.split.fold).tolist():
        here = pool.split.fold == fold
        yield {pool.dataset: ~here}, here


def _spent(pools: Sequence[Pool], masks: Masks, preset: str) -> float:
    means = [pool.presets[preset][masks[pool.dataset], TOKENS].mean() for pool in pools]
    return float(np.mean(means))
