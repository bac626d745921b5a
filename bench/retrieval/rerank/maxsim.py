"""Late interaction: query and text are compared part by part, each part by its own vector."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bench.chunking.sentences import sentences
from bench.errors import UserError
from bench.retrieval.embedders.encoder import Encoder

Parts = NDArray[np.float32]
"""Unit vectors of the parts of one text, one a row."""

ROOM = 2**30
"""Bytes of vectors kept in memory: some 3,000 chunks of 800 characters."""
DIGITS = 6
"""Decimals of a score: what lies behind depends on the texts its vectors were computed among."""


@runtime_checkable
class TokenEncoder(Protocol):
    """An encoder that gives the vectors of single word pieces, too."""

    def tokens(self, texts: Sequence[str]) -> list[Parts]:
        """Return unit vectors of each text's word pieces."""
        ...


class LateInteraction:
    """Late interaction (ColBERT, Khattab and Zaharia 2020) over the vectors of an embedding model.

    The score of a text is the mean, over the parts of the query, of the largest cosine with any
    part of the text; below 0 it is 0. Parts are word pieces, as in ColBERT; or, for models that
    give no vectors of word pieces, sentences.

    An embedding model is not trained for this, but its word pieces' vectors carry their context.

    Args:
        encoder: The model.
        parts: `tokens` or `sentences`.
        sentence_vectors: Embeds sentences, from a cache where it can.
    """

    listwise = False
    score_range = "mean over the query's parts of the largest cosine, 0 where below; [0, 1]"

    def __init__(
        self,
        encoder: Encoder,
        parts: str,
        sentence_vectors: Callable[[Sequence[str]], NDArray[np.float32]],
    ) -> None:
        if parts == "tokens" and not isinstance(encoder, TokenEncoder):
            raise UserError(
                f"{encoder.name} gives no vectors of word pieces; use maxsim[parts=sentences], or "
                f"a sentence-transformers model (minilm, dense)"
            )
        self._encoder, self._parts, self._sentence_vectors = encoder, parts, sentence_vectors
        self.name = f"maxsim over {parts} of {encoder.name}"
        said = ["maxsim", 2, encoder.identity, encoder.queries.identity, parts]
        if parts == "sentences":
            said.append(version("sentencex"))  # tells where they end
        self.identity = hashlib.sha256(json.dumps(said).encode()).hexdigest()
        self.folder = getattr(encoder, "folder", None)
        self._kept: OrderedDict[str, Parts] = OrderedDict()
        self._bytes = 0

    def prepare(self, texts: Sequence[str]) -> None:
        """Make the vectors of the texts' parts: an index would hold them, as it does chunks'."""
        self._of_texts(texts)

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return a score in [0, 1] for each text."""
        asked = self._of_query(query)
        found = [_maxsim(asked, parts) for parts in self._of_texts(texts)]
        return np.array(found, np.float64).round(DIGITS)

    def _of_query(self, query: str) -> Parts:
        encoder = self._encoder.queries
        if self._parts == "sentences":
            # A question is one thought: its sentences are no parts to be matched one by one.
            return encoder.encode([query])
        assert isinstance(encoder, TokenEncoder)  # noqa: S101  # as the encoder of texts is one
        return encoder.tokens([query])[0]

    def _of_texts(self, texts: Sequence[str]) -> list[Parts]:
        missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
        new = dict(zip(missing, self._vectors(missing), strict=True)) if missing else {}
        found = []
        for text in texts:
            if text in self._kept:
                self._kept.move_to_end(text)
            found.append(self._kept[text] if text in self._kept else new[text])
        self._keep(new)
        return found

    def _vectors(self, texts: list[str]) -> list[Parts]:
        if isinstance(self._encoder, TokenEncoder) and self._parts == "tokens":
            return self._encoder.tokens(texts)
        pieces = [[text[start:end] for start, end in sentences(text)] for text in texts]
        rows = self._sentence_vectors([piece for some in pieces for piece in some])
        ends = np.cumsum([len(some) for some in pieces])
        return np.split(rows, ends[:-1])

    def _keep(self, new: dict[str, Parts]) -> None:
        """Remember the latest vectors, as many as there is room for."""
        for text, parts in new.items():
            self._kept[text] = parts
            self._bytes += parts.nbytes
        while self._bytes > ROOM:
            self._bytes -= self._kept.popitem(last=False)[1].nbytes


def _maxsim(query: Parts, text: Parts) -> float:
    if not len(query) or not len(text):
        return 0.0
    best = (query @ text.T).max(axis=1).astype(np.float64)
    return float(np.clip(best.mean(), 0.0, 1.0))
