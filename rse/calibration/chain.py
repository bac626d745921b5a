"""Several calibrations, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rse.calibration.examples import Example
from rse.calibration.learned import Learned
from rse.calibration.protocol import Calibration
from rse.calibration.smooth import Smooth
from rse.checks import ParameterError, named
from rse.types import Hits, Layout


@named
@dataclass(frozen=True, slots=True)
class Chain:
    """Apply calibrations in order; written `smooth[window=2,own=0.3] + minmax`.

    Chains among the steps are laid out flat, so that equal chains are equal values.

    Raises:
        ParameterError: No steps, a step that is no calibration, or `Smooth` not before the rest:
            it would mix calibrated scores with neighbours' raw ones.
    """

    steps: tuple[Calibration, ...]

    def __post_init__(self) -> None:
        flat: list[Calibration] = []
        for step in self.steps:
            if not isinstance(step, Calibration):
                raise ParameterError(f"a step must be a calibration, got {step!r}")
            flat += step.steps if isinstance(step, Chain) else (step,)
        if not flat:
            raise ParameterError("a chain needs at least one step")
        if any(isinstance(step, Smooth) for step in flat[1:]):
            raise ParameterError("smooth must be the first step: neighbours' scores are raw")
        object.__setattr__(self, "steps", tuple(flat))

    def apply(self, hits: Hits, layout: Layout | None = None) -> Hits:
        for step in self.steps:
            hits = step.apply(hits, layout)
        return hits

    def fit(self, examples: Sequence[Example]) -> Chain:
        """Fit each step on what the steps before it make of the examples."""
        fitted = []
        for step in self.steps:
            fitted.append(step.fit(examples))
            shown = permitted(fitted[-1])
            examples = [one.under(shown.apply(one.hits, one.layout)) for one in examples]
        return Chain(tuple(fitted))


def permitted(calibration: Calibration) -> Calibration:
    """Return a calibration that may be applied to the documents it was fitted on."""
    if isinstance(calibration, Chain):
        return Chain(tuple(permitted(step) for step in calibration.steps))
    if isinstance(calibration, Learned):
        return replace(calibration, allow_fitted=True)
    return calibration
