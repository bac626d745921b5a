"""The tutorial form against the tutorials' own loop, written again from its description."""

from __future__ import annotations

import numpy as np
import pytest

from rse import Hits, Layout, Simple


def tutorial(values, longest, most, least):
    """One document's best segments: the total is looked at before one is added.

    The overlap test is ours: the tutorials look at the ends only.
    """
    taken = []
    while sum(b - a for a, b, _ in taken) < most:
        best, found = least, None
        for a in range(len(values)):
            for b in range(a + 1, min(a + longest, len(values)) + 1):
                if any(a < d and c < b for c, d, _ in taken):
                    continue
                total = 0.0
                for value in values[a:b]:
                    total += value
                if total > best:
                    best, found = total, (a, b)
        if found is None:
            break
        taken.append((*found, best))
    return taken


@pytest.mark.parametrize("grid", [None, 0.125], ids=["ties rare", "ties common"])
def test_same_segments_as_the_tutorial(form, grid):
    rng = np.random.default_rng(1)
    for _ in range(150):
        count = int(rng.integers(1, 40))
        score = np.sort(rng.random(count))[::-1]
        score = np.round(score / grid) * grid if grid else score
        hits = Hits(rng.permutation(count), score)
        penalty = 0.25 if grid else 0.2
        values = np.zeros(count)
        values[hits.chunk] = score - penalty
        longest, most = int(rng.choice([2, 5, 20])), int(rng.choice([3, 10, 30]))
        found = Simple(
            irrelevant_chunk_penalty=penalty, max_length=longest, overall_max_length=most
        ).select([hits], Layout([0, count], np.full(count, 5000)))
        wanted = tutorial(values.tolist(), longest, most, 0.2)
        assert sorted(found) == sorted(wanted)


def test_may_return_up_to_49_chunks():
    layout = Layout([0, 29, 49], [100] * 49)
    hits = Hits(np.arange(49), np.linspace(0.9, 0.8, 49))
    sizes = [s.last - s.first for s in Simple(max_length=29).select([hits], layout)]
    assert sorted(sizes) == [20, 29]  # the total of 29 was still below 30
    sizes = [s.last - s.first for s in Simple(max_length=30).select([hits], layout)]
    assert sorted(sizes) == [20, 29]
    (only,) = Simple(max_length=29, overall_max_length=29).select([hits], layout)
    assert only.last - only.first == 29


def test_a_value_must_be_above_the_minimum():
    layout = Layout([0, 1], [100])
    assert (
        Simple(irrelevant_chunk_penalty=0.25, minimum_value=0.25).select([Hits([0], [0.5])], layout)
        == []
    )
    with pytest.raises(ValueError, match="Simple has no parameter 'decay_rate'"):
        Simple(decay_rate=30)


def test_a_segment_at_the_limit_stands_in_nobodys_way():
    layout = Layout([0, 10], [700] * 10)
    found = Simple().select([Hits([5], [0.4]), Hits([5], [0.9])], layout)
    assert [(s.first, s.last) for s in found] == [(5, 6)]
    assert found[0].score == pytest.approx(0.7)
    none = Simple(minimum_value=0).select([Hits([5], [0.2]), Hits([5], [0.9])], layout)
    assert [(s.first, s.last) for s in none] == [(5, 6)]
