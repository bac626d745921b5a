"""Errors that are shown as their message alone: the user can put right what they say."""

from __future__ import annotations


class UserError(ValueError):
    """Says in one line what was found, what was expected, where, and what would work."""


class RunError(RuntimeError):
    """A strategy failed on a question; the message names both."""


def cut(text: str, most: int) -> str:
    """Shorten a text in its middle: what it is about stands first, what would work last."""
    if len(text) <= most:
        return text
    return f"{text[: most * 2 // 3]} ... {text[-most // 3 :]}"
