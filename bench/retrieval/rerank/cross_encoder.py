"""Cross-encoders of sentence-transformers: query and text are read together."""

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
from bench.retrieval.embedders.model import loading, refuse_pickles
from bench.retrieval.embedders.windows import plain, split
from bench.threads import renew_threads

LEAST_ROOM = 16
"""Word pieces of a text that must fit beside the query."""
DIGITS = 6
"""Decimals of a score: what lies behind depends on the pairs it was computed among."""


class CrossEncoderReranker:
    """A cross-encoder with one output, from a local folder, loaded when first needed.

    The score is the sigmoid of the model's logit, whatever activation its files name: raw logits
    have no bounds. A text that does not fit beside the query is split into windows, and its best
    window counts: nothing is cut off.

    Args:
        folder: Where the model is.
        name: What reports call it.
        batch: Pairs the model works on at a time.
    """

    listwise = False
    score_range = "sigmoid of the model's logit, best window of a long text; [0, 1]"

    def __init__(self, folder: Path, name: str, batch: int = 16) -> None:
        _refuse_others(folder)
        refuse_pickles(folder, "CrossEncoder")
        self.folder, self.name, self.batch = folder, name, batch

    @cached_property
    def identity(self) -> str:
        """Digest of the model's files and of how its scores are made."""
        digest = hashlib.sha256(json.dumps(["cross-encoder", 1, self.name, "sigmoid"]).encode())
        for path in sorted(self.folder.rglob("[!.]*")):
            if path.is_file() and path.suffix not in (".md", ".onnx", ".bin.lock"):
                with path.open("rb") as file:
                    content = hashlib.file_digest(file, "sha256").hexdigest()
                digest.update(f"{path.relative_to(self.folder).as_posix()}\n{content}\n".encode())
        return digest.hexdigest()

    def ready(self) -> None:
        """Load the model, and do nothing else."""
        _ = self._model

    def prepare(self, texts: Sequence[str]) -> None:  # noqa: ARG002
        """Load the model."""
        self.ready()

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return a score in [0, 1] for each text.

        Raises:
            UserError: The query leaves no room, or the model is damaged or has several outputs.
        """
        if not texts:
            return np.zeros(0)
        query = plain(query)
        room = self._room(query)
        groups = [split(plain(text), room, self._offsets) or [""] for text in texts]
        pairs = [(query, window) for group in groups for window in group]
        score = self._predict(pairs)
        first = np.cumsum([0, *(len(group) for group in groups[:-1])])
        best: NDArray[np.float64] = np.maximum.reduceat(score, first)
        return best.round(DIGITS)

    @cached_property
    def _model(self) -> Any:  # noqa: ANN401  # the type would cost the import
        from sentence_transformers import CrossEncoder

        renew_threads()
        with loading(self.folder):
            model = CrossEncoder(
                str(self.folder),
                device="cpu",
                local_files_only=True,
                trust_remote_code=False,
                model_kwargs={"use_safetensors": True},
            )
        if model.num_labels != 1:
            raise UserError(
                f"{self.name} has {model.num_labels} outputs; a reranker has one, its relevance"
            )
        model.float().eval()
        return model

    def _room(self, query: str) -> int:
        """Return how many word pieces of a text fit beside the query."""
        tokenizer = self._model.tokenizer
        # A tokenizer that knows no limit says a number beyond all lengths.
        limit = min(int(self._model.max_seq_length or 512), int(tokenizer.model_max_length))
        taken = len(self._offsets(query)) + tokenizer.num_special_tokens_to_add(pair=True)
        if limit - taken < LEAST_ROOM:
            raise UserError(
                f"{self.name}: the query {query[:60]!r} takes {taken} of the {limit} word pieces "
                f"the model reads; {LEAST_ROOM} at least must be left for a text"
            )
        return int(limit - taken)

    def _offsets(self, text: str) -> list[tuple[int, int]]:
        encoded = self._model.tokenizer(
            text,
            add_special_tokens=False,
            truncation=False,
            return_offsets_mapping=True,
            verbose=False,
        )
        return list(encoded["offset_mapping"])

    def _predict(self, pairs: list[tuple[str, str]]) -> NDArray[np.float64]:
        import torch

        made = self._model.predict(
            pairs,
            batch_size=self.batch,
            show_progress_bar=False,
            activation_fn=torch.nn.Sigmoid(),
            convert_to_numpy=True,
        )
        return np.asarray(made, np.float64).reshape(len(pairs))


def _refuse_others(folder: Path) -> None:
    """Refuse a folder that holds no cross-encoder.

    sentence-transformers would turn an embedding model into one by putting random weights on top,
    and every score would be noise.
    """
    if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
        raise UserError(f"{folder} holds no cross-encoder: config.json is missing")
    kind = _said(folder / "config_sentence_transformers.json").get("model_type")
    heads = _said(folder / "config.json").get("architectures")
    named = heads if isinstance(heads, list) else []
    if kind == "CrossEncoder" or any("ForSequenceClassification" in str(one) for one in named):
        return
    raise UserError(
        f"{folder} holds no cross-encoder but {kind or 'a model'} of the kind "
        f"{', '.join(map(str, named)) or 'unknown'}; a cross-encoder has a head that scores pairs, "
        f"such as BertForSequenceClassification"
    )


def _said(path: Path) -> dict[str, Any]:
    """Return what a file of settings says; nothing where there is none, or no settings in it."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
