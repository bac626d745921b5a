"""Priced segments whose every fitted number comes from other documents than the ones judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bench.engine.families import BUDGETS, Measured, measure, priced
from bench.engine.pool import Pool
from bench.stats.traced import Traced, mean_over
from rse.calibration import Calibration, Chain, Share, Smooth, permitted

FEATURES = {
    "score": ("score", "rank", "tokens"),
    "score, neighbours": ("score", "rank", "tokens", "neighbours"),
    "score, neighbours, bm25": ("score", "rank", "tokens", "neighbours", "bm25"),
}
OPENING = (0, 40, 80, 160, 320, 640)
"""Values of `segment_tokens` tried."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way to make shares of scores."""

    features: str
    own: float
    """Own score's part in smoothing; 1: none."""

    @property
    def name(self) -> str:
        """What tables call it."""
        smooth = f", smooth[own={self.own:g}]" if self.own < 1 else ""
        return f"share[{self.features}]{smooth}"

    def unfitted(self) -> Calibration:
        """Return the calibration, before it has seen anything."""
        share = Share(features=FEATURES[self.features])
        return share if self.own == 1 else Chain((Smooth(own=self.own), share))


Choice = tuple[Form, int]
"""A form and a value of `segment_tokens`."""


class CrossFit:
    """Forms and openings of `Priced`, fitted without the fold judged, measured once."""

    def __init__(self, held: Pool) -> None:
        self.held = held
        self.fold = np.array([asked.fold for asked in held.asked])
        self.folds: list[int] = np.unique(self.fold).tolist()
        self.fitted: dict[tuple[Form, int], Calibration] = {}
        self.measured: dict[tuple[Form, int, int], Measured] = {}
        """By form, `segment_tokens` and the fold left out of the fit: all questions."""

    def run(self, forms: Sequence[Form], openings: Sequence[int]) -> None:
        """Fit and measure everything."""
        for form, fold in product(forms, self.folds):
            scores = self.fitted[form, fold] = self._fit(form, fold)
            hits = [scores.apply(asked.hits, self.held.corpus.layout) for asked in self.held.asked]
            for opening in openings:
                self.measured[form, opening, fold] = measure(self.held, priced(opening), hits)

    def family(self, form: Form, opening: int) -> Traced:
        """Trace one form at one opening: each question judged by the fit without its fold."""
        return self.traced(dict.fromkeys(self.folds, (form, opening)))

    def chosen(self, forms: Sequence[Form]) -> dict[int, Choice]:
        """Return for each fold the form and opening that are best on the other folds.

        Best by the mean of recall at `BUDGETS` over the questions that were fitted on.
        """
        return {
            fold: max(product(forms, OPENING), key=partial(self._on_others, fold=fold))
            for fold in self.folds
        }

    def best(self, forms: Sequence[Form]) -> Choice:
        """Return the form and opening that are best on all questions of the pool, cross-fitted."""
        return max(product(forms, OPENING), key=self._on_all)

    def traced(self, choice: Mapping[int, Choice]) -> Traced:
        """Trace what was chosen for each fold: its questions under the fit without them."""
        return Traced(*self._joined(choice), self.held.draws)

    def _on_others(self, choice: Choice, fold: int) -> float:
        found, others = self.measured[*choice, fold], self.fold != fold
        return mean_over(found.tokens[others], found.recall[others], BUDGETS)

    def _on_all(self, choice: Choice) -> float:
        return mean_over(*self._joined(dict.fromkeys(self.folds, choice)), BUDGETS)

    def _joined(
        self, choice: Mapping[int, Choice]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        shape = next(iter(self.measured.values())).tokens.shape
        tokens, recall = np.zeros(shape), np.zeros(shape)
        for fold, made in choice.items():
            mine = self.fold == fold
            tokens[mine] = self.measured[*made, fold].tokens[mine]
            recall[mine] = self.measured[*made, fold].recall[mine]
        return tokens, recall

    def _fit(self, form: Form, fold: int) -> Calibration:
        judged = [asked for asked in self.held.asked if asked.fold == fold]
        documents = {document for asked in judged for document in asked.documents}
        left_out = np.array(sorted(documents), np.int64)
        examples = [asked.blind(left_out) for asked in self.held.asked if asked.fold != fold]
        # Searches over a whole corpus also meet documents of the fit; the judged question's own
        # are never among them.
        return permitted(form.unfitted().fit(examples))


def foreign(others: Sequence[Pool], form: Form) -> Calibration:
    """Fit a form on all questions of other datasets: what somebody with new documents starts from.

    It is given back without permission to be applied to the documents it was fitted on.
    """
    return form.unfitted().fit([asked.example for held in others for asked in held.asked])


def weights(cross: CrossFit, form: Form) -> Iterator[Share]:
    """Yield the fitted shares of a form, fold by fold."""
    for fold in cross.folds:
        scores = cross.fitted[form, fold]
        share = scores.steps[-1] if isinstance(scores, Chain) else scores
        if isinstance(share, Share):
            yield replace(share, fitted_on=())
