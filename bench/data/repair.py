"""Place an answer in its text: where upstream says, or at the one place that is certain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Literal, NamedTuple, get_args

from bench.types import Evidence

NEAR = 5
"""Characters by which a stated offset may be off and still say which occurrence is meant."""

How = Literal["located", "repaired", "ambiguous", "unmatched"]
"""How an answer was found: the fields of `Evidence`, in their order."""


class Place(NamedTuple):
    """Characters `start` up to, not including, `end`; both -1 where there is no certain place."""

    how: How
    start: int = -1
    end: int = -1


def place(text: str, answer: str, stated: int) -> Place:
    """Find an answer, blanks at its ends included; the place returned is without them.

    A place is certain where it is upstream's own, the only occurrence within `NEAR` characters of
    upstream's, or the only occurrence of all.

    Args:
        text: The text the offset refers to.
        answer: What should stand there; one of nothing but blanks stands nowhere.
        stated: Upstream's offset; negative: upstream has none.
    """
    if not answer.strip():
        return Place("unmatched")
    if stated >= 0 and text.startswith(answer, stated):
        return _trimmed("located", answer, stated)
    around = range(max(0, stated - NEAR), stated + NEAR + 1) if stated >= 0 else ()
    near = [at for at in around if text.startswith(answer, at)]
    found = near or list(islice(_all(text, answer), 2))
    if len(found) == 1:
        return _trimmed("repaired", answer, found[0])
    return Place("ambiguous" if found else "unmatched")


def tally(hows: Iterable[How]) -> Evidence:
    """Count how answers were found."""
    count = Counter(hows)
    return Evidence(*(count[how] for how in get_args(How)))


def _all(text: str, answer: str) -> Iterator[int]:
    """Yield where the answer stands; occurrences may overlap."""
    at = text.find(answer)
    while at >= 0:
        yield at
        at = text.find(answer, at + 1)


def _trimmed(how: How, answer: str, at: int) -> Place:
    start = at + len(answer) - len(answer.lstrip())
    return Place(how, start, start + len(answer.strip()))
