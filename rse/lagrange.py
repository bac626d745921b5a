"""Segments at a price per token: solved exactly in linear time, and the search for the price."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rse.compiled import compiled
from rse.shares import Shares


class Reached(NamedTuple):
    """What is best at a price."""

    first: NDArray[np.int64]
    """The hit that begins each segment."""
    last: NDArray[np.int64]
    """The hit that ends it."""
    share: int
    """Shares held together, in units."""
    cost: int
    """Tokens, plus `segment_tokens` for each segment."""
    price: int
    """Units of share for a token."""


@compiled
def at_price(found: Shares, segment_tokens: int, price: int) -> Reached:
    """Return the segments of greatest worth: shares less `price` times what they cost.

    Two states a hit: the hit before is in a segment, or it is not. Filled from the back. Ties: the
    set that costs less. What is compared are whole numbers, so the answer is exact.

    Args:
        found: The hits.
        segment_tokens: What opening a segment costs, in tokens.
        price: Units of share for a token.

    Complexity: O(hits).
    """
    _, share, cost, gap = found
    hits = len(share)
    begins = np.zeros(hits, np.bool_)
    goes_on = np.zeros(hits, np.bool_)
    most = share.sum() // price if price > 0 else np.int64(2**40 - 1)  # tokens worth paying for
    closed, closed_cost = np.int64(0), np.int64(0)
    opened, opened_cost = np.int64(0), np.int64(0)
    for i in range(hits - 1, -1, -1):
        here, here_cost = closed, closed_cost
        need = cost[i] + segment_tokens
        if need <= most:
            worth = share[i] - price * need + opened
            if worth > here or (worth == here and need + opened_cost < here_cost):
                here, here_cost = worth, need + opened_cost
                begins[i] = True
        on, on_cost = here, here_cost
        need = cost[i] + gap[i]
        if need <= most:
            worth = share[i] - price * need + opened
            if worth > on or (worth == on and need + opened_cost < on_cost):
                on, on_cost = worth, need + opened_cost
                goes_on[i] = True
        closed, closed_cost = here, here_cost
        opened, opened_cost = on, on_cost
    first = np.empty(hits, np.int64)
    last = np.empty(hits, np.int64)
    count = 0
    inside = False
    for i in range(hits):
        if inside and goes_on[i]:
            last[count - 1] = i
        else:
            inside = begins[i]
            if inside:
                first[count] = last[count] = i
                count += 1
    held = int(closed + price * closed_cost)
    return Reached(first[:count], last[:count], held, int(closed_cost), price)


@compiled
def within_budget(found: Shares, segment_tokens: int, budget: int) -> tuple[Reached, float]:
    """Return the dearest of the solutions a price can reach whose cost fits the budget.

    The solutions that some price reaches are the corners of a concave frontier. Two of them, one
    that fits and one that does not, are drawn together: the price of their connecting line finds a
    corner above that line, or shows that there is none.

    Returns:
        The solution, and the bound: no segments whatever within the budget hold more (Lagrange:
        the greatest worth at any price, plus that price times the budget).

    Complexity: O(hits x corners met), some 10 in practice.
    """
    over = at_price(found, segment_tokens, int(np.int64(0)))  # a literal compiles anew
    if over.cost <= budget:
        return over, float(over.share)
    fits = at_price(found, segment_tokens, found.share.sum() + 1)
    bound = float(over.share)
    while True:
        price = (over.share - fits.share) // (over.cost - fits.cost)
        some = at_price(found, segment_tokens, price)
        bound = min(bound, float(some.share) + float(price) * float(budget - some.cost))
        if fits.cost < some.cost <= budget:
            fits = some
        elif budget < some.cost < over.cost:
            over = some
        else:
            return fits, max(bound, float(fits.share))
