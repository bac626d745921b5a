"""Which words an encoder does not know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

UNKNOWN = "[UNK]"


def unknown_tokens(folder: Path) -> Callable[[Sequence[str]], tuple[int, int]]:
    """Return a function that counts the tokens of texts, and those that are unknown words.

    Only the tokenizer is read; the model is not loaded.

    Args:
        folder: A sentence-transformers model.
    """
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    unknown = tokenizer.token_to_id(UNKNOWN)

    def count(texts: Sequence[str]) -> tuple[int, int]:
        plain = [
            text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts
        ]
        ids = [
            number
            for one in tokenizer.encode_batch(plain, add_special_tokens=False)
            for number in one.ids
        ]
        return len(ids), 0 if unknown is None else ids.count(unknown)

    return count
