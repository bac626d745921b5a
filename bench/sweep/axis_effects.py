"""Which axes matter: what each value does on average, and axes along which nothing changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from bench.summary.row import Row
from bench.sweep.pool import PRECISION, RECALL, TOKENS, Pool
from bench.sweep.settings import Setting


class Effect(NamedTuple):
    """An axis of one dataset along which every answer stays the same."""

    dataset: str
    axis: str
    strategy: str
    values: tuple[Any, ...]


def sensitivity(pool: Pool, settings: Sequence[Setting]) -> Iterator[Row]:
    """Yield a row for each value of each axis: means over all settings that have it.

    `range_recall` is how far the means of the axis's values lie apart: what the axis is worth on
    average over the others. Only settings of a full grid make these means comparable.
    """
    means = pool.values.mean(axis=1)
    ran = ~np.isnan(means[:, RECALL])
    for axis in _axes(settings):
        groups: dict[Any, list[int]] = defaultdict(list)
        for place, one in enumerate(settings):
            if axis in one.chosen and ran[place]:
                groups[one.chosen[axis]].append(place)
        if len(groups) < 2:
            continue
        rows = {value: means[places].mean(axis=0) for value, places in groups.items()}
        spread = np.ptp([row[RECALL] for row in rows.values()])
        spent = np.ptp([row[TOKENS] for row in rows.values()])
        for value, row in rows.items():
            yield {
                "dataset": pool.dataset,
                "axis": axis,
                "value": value,
                "settings": len(groups[value]),
                "mean_recall": float(row[RECALL]),
                "mean_precision": float(row[PRECISION]),
                "mean_tokens": float(row[TOKENS]),
                "range_recall": float(spread),
                "range_tokens": float(spent),
            }


def without_effect(pools: Sequence[Pool], settings: Sequence[Setting]) -> list[Effect]:
    """List the axes of a strategy along which nothing changes, whatever the other axes are."""
    return [
        Effect(pool.dataset, axis, strategy, values)
        for pool in pools
        for strategy in dict.fromkeys(one.chosen["strategy"] for one in settings)
        for axis, values in _dead(pool, settings, strategy)
    ]


def _dead(
    pool: Pool, settings: Sequence[Setting], strategy: str
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    own = [
        place
        for place, one in enumerate(settings)
        if one.chosen["strategy"] == strategy and not np.isnan(pool.values[place]).all()
    ]
    for axis in _axes([settings[place] for place in own]):
        groups: dict[str, list[int]] = defaultdict(list)
        for place in own:
            others = {k: v for k, v in settings[place].chosen.items() if k != axis}
            groups[repr(others)].append(place)
        values = tuple(dict.fromkeys(settings[place].chosen.get(axis) for place in own))
        compared = [places for places in groups.values() if len(places) > 1]
        if len(values) > 1 and compared and all(_same(pool, places) for places in compared):
            yield axis, values


def _same(pool: Pool, places: Sequence[int]) -> bool:
    first = pool.values[places[0]]
    return all(np.array_equal(first, pool.values[p], equal_nan=True) for p in places[1:])


def _axes(settings: Sequence[Setting]) -> list[str]:
    return list(dict.fromkeys(name for one in settings for name in one.chosen))
