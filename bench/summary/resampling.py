"""One set of draws for all that is computed from the same questions, so that all is paired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.stats.bootstrap import Draws
from bench.stats.paired import renumbered
from bench.stats.signs import Signs


class Resampling:
    """Makes draws and sign patterns of some questions of a dataset, each once.

    Args:
        cluster: Cluster of each question, by dataset.
        seed: Same seed, same draws.
    """

    def __init__(self, cluster: Mapping[str, Mapping[str, int]], seed: int) -> None:
        self.seed = seed
        self._cluster = cluster
        self._draws: dict[tuple[str, ...], Draws] = {}
        self._signs: dict[tuple[str, ...], Signs] = {}

    def draws(self, dataset: str, questions: Sequence[str]) -> Draws:
        """Return the resamples of some questions."""
        key = dataset, *questions
        if key not in self._draws:
            self._draws[key] = Draws(self.numbers(dataset, questions), self.seed)
        return self._draws[key]

    def signs(self, dataset: str, questions: Sequence[str]) -> Signs:
        """Return the sign patterns over some questions."""
        key = dataset, *questions
        if key not in self._signs:
            self._signs[key] = Signs(self.numbers(dataset, questions), self.seed)
        return self._signs[key]

    def numbers(self, dataset: str, questions: Sequence[str]) -> list[int]:
        """Return the cluster of each question, numbered from 0."""
        return renumbered([self._cluster[dataset][name] for name in questions])
