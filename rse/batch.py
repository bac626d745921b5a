"""Many settings over one question at once: what sweeps are made of."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rse.candidates import Limits
from rse.compiled import compiled
from rse.greedy import greedy
from rse.lagrange import at_price, within_budget
from rse.optimal import Optimal
from rse.parameters import Parameters
from rse.placed import MANY, Placed, fading, place
from rse.priced import Priced
from rse.schedule import best_set, needed, pooled
from rse.shares import Shares, shares
from rse.strategy import RSE, chunk_values
from rse.types import Hits, Layout
from rse.units import whole_units


class Selections(NamedTuple):
    """The segments that each of several settings chose, in no particular order."""

    begin: NDArray[np.int64]
    """Setting `i` chose the segments `begin[i]` up to, not including, `begin[i + 1]`."""
    first: NDArray[np.int64]
    """First chunk of each segment."""
    last: NDArray[np.int64]
    """Chunk behind its last one."""


class Batch:
    """Settings of `RSE`, `Optimal` (by value) and `Priced`, prepared to run over many questions.

    Hits are placed once a question for all settings that look at the same documents, and values
    are computed inside the compiled loop: a setting costs a few microseconds.

    Args:
        strategies: What to run; `select` answers in this order.

    Raises:
        ValueError: A strategy of another kind.
    """

    def __init__(self, strategies: Sequence[RSE | Optimal | Priced]) -> None:
        if isinstance(strategies, RSE | Optimal | Priced):
            raise ValueError("Batch takes a list of strategies: Batch([strategy])")
        self.size = len(strategies)
        groups: dict[Hashable, list[int]] = {}
        for number, one in enumerate(strategies):
            groups.setdefault(_kind(one), []).append(number)
        self._groups: list[tuple[NDArray[np.int64], list[Any]]] = [
            (np.array(numbers), [strategies[number] for number in numbers])
            for numbers in groups.values()
        ]
        self._settings: dict[tuple[int, int], _Settings] = {}

    def select(self, hits: Sequence[Hits], layout: Layout) -> Selections:
        """Return what every setting selects; the same segments as its own `select`."""
        hits = layout.check(hits)
        parts = []
        for group, (numbers, strategies) in enumerate(self._groups):
            if isinstance(strategies[0], Priced):
                found = _sweep_prices(shares(hits, layout), *_prices(strategies))
            else:
                found = self._by_value(group, strategies, hits, layout)
            parts.append((numbers, found))
        return parts[0][1] if len(parts) == 1 else _in_order(parts, self.size)

    def _by_value(
        self, group: int, strategies: Sequence[RSE | Optimal], hits: Sequence[Hits], layout: Layout
    ) -> Selections:
        key = (group, len(hits))
        if key not in self._settings:
            self._settings[key] = _settings(strategies, len(hits))
        settings = self._settings[key]
        placed = place(hits, layout, strategies[0].top_k_for_document_selection)
        ranks = max(map(len, hits), default=0)
        fades = np.stack([fading(decay, ranks) for decay in settings.decays])
        if not isinstance(strategies[0], Optimal):
            return _sweep_greedy(placed, fades, settings.numbers, settings.limits)
        budgets = settings.token_budget
        if (budgets > 0).any():
            layout.tokens_of(np.empty(0, np.int64), np.empty(0, np.int64))  # or say what lacks
        sums = layout.token_sum if layout.token_sum is not None else np.zeros(1, np.int64)
        return _sweep_optimal(
            placed, fades, (settings.numbers, settings.limits, settings.costs, budgets), sums
        )


def _kind(one: RSE | Optimal | Priced) -> Hashable:
    """Tell settings apart that cannot share placed hits or a kernel."""
    if isinstance(one, Priced):
        return Priced
    if isinstance(one, Optimal) and one.value == "share":
        raise ValueError("value=share has no batch form; run it by itself")
    if not isinstance(one, RSE | Optimal):
        raise ValueError(f"a batch runs RSE, Optimal and Priced, not {type(one).__name__}")
    return type(one), one.top_k_for_document_selection


class _Settings(NamedTuple):
    """Settings as arrays, one row for each."""

    decays: list[float]
    """The distinct decay rates."""
    numbers: NDArray[np.int64]
    """Place of the decay rate, chunk length adjustment, most chunks a segment, budget of chunks."""
    limits: NDArray[np.float64]
    """Penalty and minimum value."""
    costs: NDArray[np.int64]
    """Segment cost in units, segment tokens."""
    token_budget: NDArray[np.int64]
    """Budget of tokens; -1: chunks."""


def _settings(strategies: Sequence[Parameters], queries: int) -> _Settings:
    decays = sorted({float(one.decay_rate) for one in strategies})
    numbers = [
        (
            decays.index(float(one.decay_rate)),
            int(one.chunk_length_adjustment),
            min(one.max_length, MANY),
            one.chunk_budget(queries),
        )
        for one in strategies
    ]
    limits = [(float(s.irrelevant_chunk_penalty), float(s.minimum_value)) for s in strategies]
    optimal = [one for one in strategies if isinstance(one, Optimal)]
    costs = [(whole_units(o.segment_cost or 0.0), min(o.segment_tokens, MANY)) for o in optimal]
    budgets = [min(o.token_budget, MANY) if o.token_budget else -1 for o in optimal]
    return _Settings(
        decays,
        np.array(numbers, np.int64),
        np.array(limits),
        np.array(costs, np.int64),
        np.array(budgets, np.int64),
    )


def _prices(strategies: Sequence[RSE | Optimal | Priced]) -> tuple[NDArray[np.int64], ...]:
    priced = [one for one in strategies if isinstance(one, Priced)]
    return (
        np.array([whole_units(one.token_price) for one in priced], np.int64),
        np.array([min(one.segment_tokens, MANY // 2) for one in priced], np.int64),
        np.array([min(one.token_budget or -1, MANY) for one in priced], np.int64),
    )


def _in_order(parts: Sequence[tuple[NDArray[np.int64], Selections]], size: int) -> Selections:
    """Put the selections of several groups in the order of the settings."""
    count = np.zeros(size, np.int64)
    for numbers, found in parts:
        count[numbers] = np.diff(found.begin)
    begin = np.concatenate(([0], np.cumsum(count)))
    first, last = np.empty(begin[-1], np.int64), np.empty(begin[-1], np.int64)
    for numbers, found in parts:
        for place_in_group, number in enumerate(numbers.tolist()):
            here = slice(begin[number], begin[number + 1])
            there = slice(found.begin[place_in_group], found.begin[place_in_group + 1])
            first[here], last[here] = found.first[there], found.last[there]
    return Selections(begin, first, last)


@compiled
def _sweep_greedy(
    placed: Placed,
    fades: NDArray[np.float64],
    numbers: NDArray[np.int64],
    limits: NDArray[np.float64],
) -> Selections:
    found = _none(len(numbers))
    for at in range(len(found.begin) - 1):
        penalty, minimum_value = limits[at]
        decay, adjust, max_length, budget = numbers[at]
        value = chunk_values(placed, fades[decay], adjust == 1, penalty)
        runs = greedy(placed, value, Limits(penalty, minimum_value, max_length, budget))
        found = _with(found, at, runs.first, runs.last)
    return found


@compiled
def _sweep_optimal(
    placed: Placed,
    fades: NDArray[np.float64],
    rows: tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]],
    token_sum: NDArray[np.int64],
) -> Selections:
    numbers, limits, costs, token_budget = rows
    found = _none(len(numbers))
    chunks = int(placed.chunk.max()) + 2 if len(placed.chunk) else 1
    for at in range(len(found.begin) - 1):
        penalty, minimum_value = limits[at]
        decay, adjust, max_length, budget = numbers[at]
        value = chunk_values(placed, fades[decay], adjust == 1, penalty)
        pool = pooled(placed, value, Limits(penalty, minimum_value, max_length, budget), chunks)
        cost = pool.last - pool.first
        if token_budget[at] > 0:
            cost = token_sum[pool.last] - token_sum[pool.first] + costs[at, 1]
            budget = token_budget[at]
        taken = best_set(pool, cost, costs[at, 0], needed(pool, cost, budget))
        found = _with(found, at, pool.first[taken], pool.last[taken])
    return found


@compiled
def _sweep_prices(
    given: Shares,
    price: NDArray[np.int64],
    segment_tokens: NDArray[np.int64],
    token_budget: NDArray[np.int64],
) -> Selections:
    found = _none(len(price))
    for at in range(len(found.begin) - 1):
        if token_budget[at] > 0:
            reached = within_budget(given, segment_tokens[at], token_budget[at])[0]
        else:
            reached = at_price(given, segment_tokens[at], price[at])
        found = _with(found, at, given.chunk[reached.first], given.chunk[reached.last] + 1)
    return found


@compiled
def _none(settings: int) -> Selections:
    """Return room for the selections of so many settings."""
    begin = np.zeros(settings + 1, np.int64)
    return Selections(begin, np.empty(0, np.int64), np.empty(0, np.int64))


@compiled
def _with(
    found: Selections, at: int, first: NDArray[np.int64], last: NDArray[np.int64]
) -> Selections:
    """Add what setting `at` selects; settings come in their order."""
    begin = found.begin
    begin[at + 1] = begin[at] + len(first)
    return Selections(begin, _put(found.first, first, begin[at]), _put(found.last, last, begin[at]))


@compiled
def _put(array: NDArray[np.int64], values: NDArray[np.int64], at: int) -> NDArray[np.int64]:
    """Write values at a place of an array that grows when they do not fit."""
    if at + len(values) > len(array):
        array = np.concatenate((array[:at], np.empty(len(array) + len(values), np.int64)))
    array[at : at + len(values)] = values
    return array
