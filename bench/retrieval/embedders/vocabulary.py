"""Which words an encoder does not know."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.retrieval.embedders.windows import plain

Count = Callable[[Sequence[str]], tuple[int, int]]


def unknown_tokens(folder: Path) -> Count:
    """Return a function that counts the tokens of texts, and those that are unknown words.

    Only the tokenizer is read; the model is not loaded.

    Args:
        folder: A sentence-transformers model.
    """
    from tokenizers import Tokenizer

    file = folder / "tokenizer.json"
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    unknown = _unknown(file, tokenizer.token_to_id)

    def count(texts: Sequence[str]) -> tuple[int, int]:
        ids = [
            number
            for one in tokenizer.encode_batch(list(map(plain, texts)), add_special_tokens=False)
            for number in one.ids
        ]
        return len(ids), 0 if unknown is None else ids.count(unknown)

    return count


def _unknown(file: Path, number: Callable[[str], int | None]) -> int | None:
    """Return the number of the token for unknown words; None: the tokenizer knows all bytes."""
    model = json.loads(file.read_text(encoding="utf-8"))["model"]
    if model.get("unk_id") is not None:  # Unigram counts, the others name it
        return int(model["unk_id"])
    name = model.get("unk_token")
    return number(name) if name else None
