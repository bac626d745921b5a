"""What all fitted calibrations share: they refuse to be judged on documents they have seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from rse.calibration.examples import Example
from rse.checks import ParameterError, number
from rse.types import Hits, Layout


class FittedOnError(ValueError):
    """A fitted calibration was applied to a document it was fitted on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """The documents a calibration was fitted on: it refuses to be judged on them."""

    fitted_on: tuple[str, ...] = ()
    """Identities of the documents of hits and gold, in rising order."""

    allow_fitted: bool = False
    """Whether it may be applied to documents it was fitted on."""

    seen: frozenset[str] = field(init=False, repr=False, compare=False)
    """`fitted_on`, for quick look-up."""

    def __post_init__(self) -> None:
        names = self.fitted_on
        if not isinstance(names, tuple) or not all(isinstance(name, str) for name in names):
            raise ParameterError(f"fitted_on must be a tuple of names, got {names!r}")
        if not isinstance(self.allow_fitted, bool):
            raise ParameterError(f"allow_fitted must be true or false, got {self.allow_fitted!r}")
        object.__setattr__(self, "seen", frozenset(names))

    def check(self, hits: Hits, layout: Layout | None, *, fitted: bool) -> None:
        """Refuse to be applied unfitted, or to a document it was fitted on. O(hits)."""
        name = type(self).__name__
        if not fitted:
            raise ValueError(
                f"{name} is not fitted: use what {name}(...).fit(examples) returns, "
                f"or load one with from_json"
            )
        if layout is None:
            return
        layout.check([hits])
        if self.allow_fitted or not self.seen or layout.identity is None:
            return
        for document in dict.fromkeys(layout.document(hits.chunk).tolist()):
            if layout.identity[document] in self.seen:
                raise FittedOnError(
                    f"{name} was fitted on document {document}, identity "
                    f"{layout.identity[document]!r}: apply it to other documents, or say "
                    f"allow_fitted=True"
                )


def numbers(name: str, values: object, count: int) -> None:
    """Refuse what is no tuple of `count` finite numbers."""
    if not isinstance(values, tuple) or len(values) != count:
        raise ParameterError(f"{name} must be a tuple of {count} numbers, got {values!r}")
    for value in values:
        number(name, value, "finite numbers", lambda _: True)


def identities(examples: Iterable[Example]) -> tuple[str, ...]:
    """Name the documents of the hits and the gold of some examples, in rising order."""
    found: set[str] = set()
    for one in examples:
        found.update(one.documents)
        if one.layout.identity is not None:
            numbers = np.unique(one.layout.document(one.hits.chunk)).tolist()
            found.update(one.layout.identity[document] for document in numbers)
    return tuple(sorted(found))
