"""Vectors of word pieces, for late interaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError


def token_vectors(
    model: Any,  # noqa: ANN401  # a SentenceTransformer; the type would cost the import
    texts: Sequence[str],
    prompt: str,
    batch: int,
) -> list[NDArray[np.float32]]:
    """Return the last layer's vectors of each text's word pieces, made to unit length.

    Args:
        model: Where the vectors come from, before it pools them.
        texts: None over the model's limit, or else their ends are cut.
        prompt: Stands before each text when it is read; its own word pieces are left out.
        batch: Texts read at a time, of similar length.
    """
    import torch

    counts = (
        [len(ids) for ids in model.tokenizer(list(texts), verbose=False)["input_ids"]]
        if texts
        else []
    )
    order = sorted(range(len(texts)), key=lambda number: (-counts[number], number))
    found: dict[int, NDArray[np.float32]] = {}
    for begin in range(0, len(order), batch):
        some = order[begin : begin + batch]
        together = [prompt + texts[number] for number in some]
        features = model.preprocess(together)
        features = {
            key: value.to(model.device) if isinstance(value, torch.Tensor) else value
            for key, value in features.items()
        }
        kept = _kept(model, together, features["input_ids"], len(prompt))
        with torch.inference_mode():
            layer = model[0](features)["token_embeddings"].float().cpu().numpy()
        for number, rows, keep in zip(some, layer, kept, strict=True):
            found[number] = _unit(rows[keep])
    return [found[number] for number in range(len(texts))]


def _kept(model: Any, texts: list[str], ids: Any, start: int) -> NDArray[np.bool_]:  # noqa: ANN401
    """Tell which of the word pieces belong to the texts: no special ones, none of the prompt."""
    encoded = model.tokenizer(
        texts,
        padding=True,
        truncation=True,
        max_length=model.max_seq_length,
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
        return_tensors="np",
        verbose=False,
    )
    if not np.array_equal(encoded["input_ids"], ids.cpu().numpy()):
        raise UserError("this model's word pieces cannot be told from its prompt and special ones")
    ends = encoded["offset_mapping"][..., 1]
    kept: NDArray[np.bool_] = (encoded["special_tokens_mask"] == 0) & (ends > start)
    there: NDArray[np.bool_] = encoded["attention_mask"] == 1
    return kept & there


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    wide = rows.astype(np.float64)
    lengths: NDArray[np.float64] = np.linalg.norm(wide, axis=1, keepdims=True)
    return (wide / lengths).astype(np.float32)
