"""BM25 scores of hits that another retriever found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bench.corpus import Corpus


class Keywords:
    """BM25 over all chunks of a corpus, by `bm25s` with its defaults and no stop words."""

    def __init__(self, corpus: Corpus) -> None:
        import bm25s

        self._library = bm25s
        texts = [corpus.text(chunk) for chunk in range(len(corpus.layout))]
        self._index = bm25s.BM25()
        self._index.index(self._tokens(texts), show_progress=False)

    def scores(self, query: str, chunk: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the scores of some chunks over the largest of them; all 0 where no word is found.

        Over the largest, because the scale of BM25 grows with the number of words in the query.
        """
        (words,) = self._tokens([query])
        known = [word for word in words if word in self._index.vocab_dict]
        if not known or not len(chunk):
            return np.zeros(len(chunk))
        found = np.asarray(self._index.get_scores(known), np.float64)[chunk]
        high = found.max()
        return found / high if high > 0 else np.zeros(len(chunk))

    def _tokens(self, texts: list[str]) -> list[list[str]]:
        found: list[list[str]] = self._library.tokenize(
            texts, stopwords=None, return_ids=False, show_progress=False
        )
        return found
