"""Sums that do not depend on their order: values in whole units."""

from __future__ import annotations

from rse.compiled import compiled

UNIT = 2.0**-40
"""Values are added up in whole multiples of this: equal sums are equal however they arose."""


def whole_units(value: float) -> int:
    """Return a value in units of `UNIT`, at most 2^20 in all: more than any sum of values."""
    return round(min(value, 2.0**20) / UNIT)


@compiled
def better(worth: int, size: int, other_worth: int, other_size: int) -> bool:
    """Tell whether a set is at least as good: worth more, or as much with no more to read."""
    return worth > other_worth or (worth == other_worth and size <= other_size)


CHUNK = 2**31
"""The size of a set in one number: chunks times this plus segments; no answer has as many."""
