"""What chunks and question allow at best, whatever an arm chooses."""

from __future__ import annotations

from math import nan

from bench.corpus import Corpus
from bench.gold import Ceiling
from bench.metrics.omega import precision_omega
from bench.types import Question


class Bounds:
    """Bounds of one question over the chunks of a corpus.

    Args:
        corpus: The chunks.
        question: What is asked.
    """

    def __init__(self, corpus: Corpus, question: Question) -> None:
        self._ceiling = None if corpus.overlapping else Ceiling(corpus, question)
        self._omega = precision_omega(corpus, question)

    def at(self, tokens: int) -> dict[str, float]:
        """Return the most recall for so many tokens, and the precision of all chunks with gold.

        The first is nan where chunks overlap, both are without gold.
        """
        ceiling = nan if self._ceiling is None else self._ceiling.at(tokens)
        return {"ceiling": ceiling, "precision_omega": self._omega}
