"""The same figures by kind of question: length of the gold, passages, language, tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.stats.bootstrap import Draws, Interval, percentiles
from bench.stats.holm import holm
from bench.stats.paired import Comparison, compare, renumbered, verdict
from bench.stats.signs import Signs
from bench.types import Question

GOLD, PASSAGES, TAG = "gold_characters", "passages", "tag_"
LANGUAGE = "language"
UNTAGGED = "(none)"
"""Stratum of the questions without a tag that others have."""
MANY = 3
"""From so many passages on, questions are one stratum."""


class Stratum(NamedTuple):
    """Questions that have something in common."""

    by: str
    """What sets them apart: `gold_characters`, `passages`, `tag_language`, `tag_kind`..."""
    name: str
    """What they have in common: `12-80` (both ends in it; `12` where all are alike), `3+`, `en`."""
    members: NDArray[np.int64]
    """Their places among all questions, rising."""


class Figures(NamedTuple):
    """One arm on the questions of one stratum."""

    by: str
    stratum: str
    arm: str
    mean: Interval
    """Over the stratum's questions with a defined value."""
    by_cluster: bool
    """Whether whole clusters were drawn and flipped: there are at least 20 in the stratum."""
    comparison: Comparison
    """With the baseline; all zeros for the baseline itself."""
    p_holm: float
    """Corrected for all arms and strata of the same `by`; nan for the baseline itself."""
    verdict: str
    """Empty for the baseline itself."""


class Drawing(NamedTuple):
    """How strata are resampled and judged."""

    seed: int
    higher_is_better: bool = True


def strata(questions: Sequence[Question]) -> list[Stratum]:
    """Sort questions into strata, once by each thing that can set them apart.

    By the length of the gold (as recall weighs it: each passage as its first alternative), cut at
    the quartiles; by the number of passages; by language; by every other tag, in the order the tags
    come in. Questions without gold are in no stratum of the first two. Where quartiles fall
    together there are fewer than four strata.

    >>> from bench.types import Span
    >>> def asked(length, passages, **tags):
    ...     gold = tuple((Span("d", 100 * i, 100 * i + length),) for i in range(passages))
    ...     return Question("q", "?", gold, tags=tags)
    >>> found = strata([asked(10, 1), asked(20, 1, language="en"), asked(5, 6), asked(0, 0)])
    >>> for one in found:
    ...     print(one.by, one.name, one.members.tolist())
    gold_characters 10 [0]
    gold_characters 20 [1]
    gold_characters 30 [2]
    passages 1 [0, 1]
    passages 3+ [2]
    tag_language en [1]
    tag_language (none) [0, 2, 3]
    """
    tags = dict.fromkeys(name for question in questions for name in question.tags)
    ordered = sorted(tags, key=lambda name: name != LANGUAGE)  # stable: the others as they came
    return [
        *_by_length(questions),
        *_grouped(PASSAGES, questions, _passages, [*map(str, range(1, MANY)), f"{MANY}+"]),
        *(one for name in ordered for one in _by_tag(questions, name)),
    ]


def by_stratum(
    values: Mapping[str, NDArray[np.float64]],
    baseline: str,
    found: Sequence[Stratum],
    cluster: Sequence[int],
    drawing: Drawing,
) -> list[Figures]:
    """Return every arm's mean in every stratum, and what it is against the baseline there.

    Each stratum is resampled by itself, by whole clusters where it holds at least 20 of them.

    Args:
        values: A metric of each question, nan where undefined, by arm.
        baseline: The arm that the others are held against.
        found: The strata, those of the same `by` one after the other.
        cluster: Cluster of each question.
        drawing: Seed, and which direction is good.
    """
    rows: list[Figures] = []
    for _, group in groupby(found, key=lambda stratum: stratum.by):
        table = [row for one in group for row in _figures(values, baseline, one, cluster, drawing)]
        corrected = holm([np.nan if row.arm == baseline else row.comparison.p for row in table])
        rows += [
            row if row.arm == baseline else _judged(row, p, drawing.higher_is_better)
            for row, p in zip(table, corrected.tolist(), strict=True)
        ]
    return rows


def _judged(row: Figures, p: float, higher_is_better: bool) -> Figures:
    n, value = row.comparison.n, row.comparison.difference.value
    return row._replace(p_holm=p, verdict=verdict(n, value, p, higher_is_better=higher_is_better))


def _figures(
    values: Mapping[str, NDArray[np.float64]],
    baseline: str,
    stratum: Stratum,
    cluster: Sequence[int],
    drawing: Drawing,
) -> Iterator[Figures]:
    numbers = renumbered([cluster[place] for place in stratum.members])
    arms = np.column_stack([column[stratum.members] for column in values.values()])
    asked = np.asarray(~np.isnan(arms).all(axis=1), bool)
    draws = Draws(numbers, drawing.seed, asked)
    signs = Signs(numbers, drawing.seed, asked)
    compared = compare(
        arms,
        values[baseline][stratum.members],
        draws,
        signs,
        higher_is_better=drawing.higher_is_better,
    )
    resampled = draws.means(arms)
    for place, (arm, comparison) in enumerate(zip(values, compared, strict=True)):
        known = arms[~np.isnan(arms[:, place]), place]
        mean = Interval(np.nan, np.nan, np.nan)
        if len(known):
            mean = Interval(float(known.mean()), *percentiles(resampled[:, place]))
        yield Figures(stratum.by, stratum.name, arm, mean, draws.by_cluster, comparison, np.nan, "")


def _by_length(questions: Sequence[Question]) -> Iterator[Stratum]:
    size = np.array([_gold_characters(question) for question in questions], np.int64)
    known = size[size > 0]
    if not len(known):
        return
    # A length that occurs, so that the bounds are exact and the same on every machine.
    quartiles = np.quantile(known, [0.25, 0.5, 0.75, 1], method="inverted_cdf")
    below = 0
    for bound in np.unique(quartiles).tolist():
        members = np.flatnonzero((size > below) & (size <= bound))
        shortest = int(size[members].min())
        name = f"{shortest}-{bound}" if shortest < bound else f"{bound}"
        yield Stratum(GOLD, name, members)
        below = bound


def _gold_characters(question: Question) -> int:
    return sum(passage[0].end - passage[0].start for passage in question.gold)


def _passages(question: Question) -> str:
    count = len(question.gold)
    return f"{MANY}+" if count >= MANY else str(count)


def _by_tag(questions: Sequence[Question], name: str) -> Iterator[Stratum]:
    def tag(question: Question) -> str:
        return question.tags.get(name, UNTAGGED)

    names = sorted({tag(question) for question in questions} - {UNTAGGED})
    return _grouped(f"{TAG}{name}", questions, tag, [*names, UNTAGGED])


def _grouped(
    by: str, questions: Sequence[Question], key: Callable[[Question], str], names: Sequence[str]
) -> Iterator[Stratum]:
    """Yield the strata that have questions, in the order of `names`."""
    keys = np.array([key(question) for question in questions], object)
    for name in names:
        members = np.flatnonzero(keys == name)
        if len(members):
            yield Stratum(by, name, members)
