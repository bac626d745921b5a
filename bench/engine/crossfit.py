"""Priced segments whose every fitted number comes from other documents than the ones judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from bench.engine.families import BUDGETS, Measured, measure, priced
from bench.engine.pool import Pool
from bench.stats.traced import Traced, mean_over
from rse import Hits
from rse.calibration import Calibration, Chain, Share, Smooth, permitted

FEATURES = {
    "score": ("score", "rank", "tokens"),
    "score, neighbours": ("score", "rank", "tokens", "neighbours"),
    "score, bm25": ("score", "rank", "tokens", "bm25"),
    "score, neighbours, bm25": ("score", "rank", "tokens", "neighbours", "bm25"),
}
OPENING = (0, 40, 80, 160, 320, 640)
"""Values of `segment_tokens` tried."""
OWN = (1.0, 0.6, 0.3)
"""Own score's part in smoothing tried; 1: none."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way to make shares of scores."""

    features: str
    own: float

    @property
    def name(self) -> str:
        """What tables call it."""
        smooth = f", smooth[own={self.own:g}]" if self.own < 1 else ""
        return f"share[{self.features}]{smooth}"

    def unfitted(self) -> Calibration:
        """Return the calibration, before it has seen anything."""
        share = Share(features=FEATURES[self.features])
        return share if self.own == 1 else Chain((Smooth(window=2, own=self.own), share))


FORMS = tuple(Form(features, own) for features, own in product(FEATURES, OWN))


class CrossFit:
    """All forms and openings of `Priced`, fitted without the fold judged, measured once."""

    def __init__(self, held: Pool) -> None:
        self.held = held
        self.fold = np.array([asked.fold for asked in held.asked])
        self.fitted: dict[tuple[Form, int], Calibration] = {}
        self.measured: dict[tuple[Form, int, int], Measured] = {}
        """By form, `segment_tokens` and the fold left out of the fit: all questions."""

    def run(self, forms: tuple[Form, ...] = FORMS) -> None:
        """Fit and measure everything."""
        for form, fold in product(forms, np.unique(self.fold).tolist()):
            scores = self._fit(form, fold)
            hits = [scores.apply(asked.hits, self.held.corpus.layout) for asked in self.held.asked]
            for opening in OPENING:
                self.measured[form, opening, fold] = measure(self.held, priced(opening), hits)

    def family(self, form: Form, opening: int) -> Traced:
        """Trace one form at one opening: each question judged by the fit without its fold."""
        return self._joined(dict.fromkeys(np.unique(self.fold).tolist(), (form, opening)))

    def chosen(self, forms: tuple[Form, ...] = FORMS) -> tuple[Traced, dict[int, tuple[Form, int]]]:
        """Trace the form and opening that are best on the other folds, fold by fold.

        Best by the mean of recall at `BUDGETS` over the questions that were fitted on.
        """
        best = {}
        for fold in np.unique(self.fold).tolist():
            others = self.fold != fold
            best[fold] = max(
                product(forms, OPENING), key=partial(self._worth, fold=fold, among=others)
            )
        return self._joined(best), best

    def _worth(self, choice: tuple[Form, int], fold: int, among: NDArray[np.bool_]) -> float:
        found = self.measured[*choice, fold]
        return mean_over(found.tokens[among], found.recall[among], BUDGETS)

    def _joined(self, choice: dict[int, tuple[Form, int]]) -> Traced:
        shape = next(iter(self.measured.values())).tokens.shape
        tokens, recall = np.zeros(shape), np.zeros(shape)
        for fold, made in choice.items():
            mine = self.fold == fold
            tokens[mine] = self.measured[*made, fold].tokens[mine]
            recall[mine] = self.measured[*made, fold].recall[mine]
        return Traced(tokens, recall, self.held.draws)

    def _fit(self, form: Form, fold: int) -> Calibration:
        if (form, fold) not in self.fitted:
            left_out = {
                document
                for asked in self.held.asked
                if asked.fold == fold
                for document in asked.documents
            }
            blind = np.array(sorted(left_out), np.int64)
            examples = [
                asked.example(self.held.corpus, blind)
                for asked in self.held.asked
                if asked.fold != fold
            ]
            # Searches over a whole corpus also meet documents of the fit; the judged question's
            # own are never among them.
            self.fitted[form, fold] = permitted(form.unfitted().fit(examples))
        return self.fitted[form, fold]


def foreign(others: Sequence[Pool], form: Form) -> Share:
    """Fit a form on all questions of other datasets: what somebody with new documents starts from.

    It is given back without permission to be applied to the documents it was fitted on.
    """
    nothing = np.empty(0, np.int64)
    examples = [asked.example(held.corpus, nothing) for held in others for asked in held.asked]
    return Share(features=FEATURES[form.features]).fit(examples)


def weights(fits: dict[tuple[Form, int], Calibration], form: Form) -> Iterator[Share]:
    """Yield the fitted shares of a form, fold by fold."""
    for (one, _), scores in sorted(fits.items(), key=lambda item: item[0][1]):
        if one == form:
            share = scores.steps[-1] if isinstance(scores, Chain) else scores
            if isinstance(share, Share):
                yield replace(share, fitted_on=())


__all__ = ["FORMS", "OPENING", "CrossFit", "Form", "Hits", "weights"]
