"""Whether an encoder's vocabulary covers a language: the share of words it does not know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

UNKNOWN = "[UNK]"

ODD, FOREIGN = 0.05, 0.2
"""Shares of unknown tokens from which on a warning is due, and from which results mean little."""


def coverage_warning(share: float | None) -> str | None:
    """Say what a share of unknown tokens means for results; None: nothing."""
    if share is None or not share > ODD:  # nan, too
        return None
    if share <= FOREIGN:
        return f"the encoder does not know {100 * share:.1f} % of the tokens"
    return f"the encoder does not cover this language: {100 * share:.1f} % of tokens are unknown"


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
