"""One set of draws for all that is computed from the same questions, so that all is paired."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bench.stats.bootstrap import Draws
from bench.stats.paired import renumbered
from bench.stats.signs import Signs


class Resampling:
    """Makes draws and sign patterns of some questions of a dataset, each once.

    Args:
        cluster: Cluster of each question, by dataset.
        seed: Same seed, same draws.
        asked: Ids of the questions with gold, by dataset; None: all have. The others count for
            nothing: not even for whether there are enough clusters to draw whole ones.
    """

    def __init__(
        self,
        cluster: Mapping[str, Mapping[str, int]],
        seed: int,
        asked: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.seed = seed
        self._cluster, self._asked = cluster, asked
        self._draws: dict[tuple[str, ...], Draws] = {}
        self._signs: dict[tuple[str, ...], Signs] = {}

    def draws(self, dataset: str, questions: Sequence[str]) -> Draws:
        """Return the resamples of some questions."""
        key = dataset, *questions
        if key not in self._draws:
            self._draws[key] = Draws(
                self.numbers(dataset, questions), self.seed, self.asked(dataset, questions)
            )
        return self._draws[key]

    def signs(self, dataset: str, questions: Sequence[str]) -> Signs:
        """Return the sign patterns over some questions."""
        key = dataset, *questions
        if key not in self._signs:
            self._signs[key] = Signs(
                self.numbers(dataset, questions), self.seed, self.asked(dataset, questions)
            )
        return self._signs[key]

    def numbers(self, dataset: str, questions: Sequence[str]) -> list[int]:
        """Return the cluster of each question, numbered from 0."""
        return renumbered([self._cluster[dataset][name] for name in questions])

    def asked(self, dataset: str, questions: Sequence[str]) -> NDArray[np.bool_] | None:
        """Tell which questions have gold; None: all."""
        if self._asked is None:
            return None
        known = set(self._asked.get(dataset, ()))
        return np.array([name in known for name in questions], bool)
