"""Rerankers that cost nothing."""

from __future__ import annotations

import numpy as np


class Counting:
    """Counts the query's first word in each text; remembers what it was asked."""

    score_range = "words counted, over 10"

    def __init__(self, name="counting", listwise=False, score=None):
        self.name, self.listwise = name, listwise
        self.identity = name.encode().hex().ljust(64, "0")
        self.asked = []
        self._score = score or self._count

    def score(self, query, texts):
        self.asked.append((query, list(texts)))
        return self._score(query, texts)

    def _count(self, query, texts):
        return np.array([min(text.count(query.split()[0]), 10) / 10 for text in texts])
