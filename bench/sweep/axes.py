"""The axes of a sweep: lists of values, ranges to draw from, and names with several values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, model_validator

_CHOICE = re.compile(r"=([^,\[\]|]+(?:\|[^,\[\]|]+)+)")


class AxisError(ValueError):
    """An axis that cannot be gone through."""


class Range(BaseModel):
    """Numbers from `low` to `high`, both included, to draw from."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    low: float | int
    high: float | int
    log: bool = False
    """Whether every factor is as likely, not every difference."""

    @model_validator(mode="after")
    def _rising(self) -> Range:
        if not self.low < self.high:
            raise ValueError(f"low must be below high in a range, got {self.low} and {self.high}")
        if self.log and self.low <= 0:
            raise ValueError(f"a range with log must begin above 0, got {self.low}")
        return self

    @property
    def whole(self) -> bool:
        """Whether only whole numbers are drawn: both ends are."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    def draw(self, random: np.random.Generator) -> float | int:
        """Return a number, of four digits that count."""
        if self.whole and not self.log:
            return int(random.integers(int(self.low), int(self.high) + 1))
        low, high = (math.log(self.low), math.log(self.high)) if self.log else (self.low, self.high)
        value = random.uniform(low, high)
        return self.rounded(math.exp(value) if self.log else value)

    def rounded(self, value: float) -> float | int:
        """Return a number of the range as it is tried."""
        if self.whole:
            return min(max(round(value), int(self.low)), int(self.high))
        return min(max(float(f"{value:.4g}"), self.low), self.high)


def expand(names: Iterable[str]) -> list[str]:
    """Write out names with several values of a parameter, each name once.

    >>> expand(["recursive[size=400|800]", "page"])
    ['recursive[size=400]', 'recursive[size=800]', 'page']
    >>> expand(["smooth[own=0.3|0.6] + beta[a=1|2]"])
    ... # doctest: +NORMALIZE_WHITESPACE
    ['smooth[own=0.3] + beta[a=1]', 'smooth[own=0.3] + beta[a=2]',
     'smooth[own=0.6] + beta[a=1]', 'smooth[own=0.6] + beta[a=2]']
    """
    return list(dict.fromkeys(one for name in names for one in _written_out(name)))


def _written_out(name: str) -> list[str]:
    choices = [match.group(1).split("|") for match in _CHOICE.finditer(name)]
    found = []
    for values in product(*choices):
        rest = iter(values)
        found.append(_CHOICE.sub(lambda _: f"={next(rest)}", name))  # noqa: B023, used at once
    return found


def drawn(values: list[Any] | Range, random: np.random.Generator) -> Any:  # noqa: ANN401
    """Return one value of an axis."""
    if isinstance(values, Range):
        return values.draw(random)
    return values[int(random.integers(len(values)))]
