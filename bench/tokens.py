"""Token counts without a network: one declared tokenizer, the same ruler for every strategy."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
import types
from collections.abc import Iterator
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import tiktoken

ENCODINGS = ("o200k_base", "cl100k_base")

BLOCK = 300_000
"""Characters encoded at a time: tiktoken overflows its stack on a million blanks in a row."""

_SAFE = re.compile(r"\n(?=[^\s/])|(?<=[^\W_])(?=[ ,.;:?!，。；：？！、])")
"""No token of these encodings reaches over such a place, so texts may be cut there.

Their patterns end a piece behind the last line end of a run (`/` may follow it), and no piece goes
on from a letter or digit to a blank or to punctuation other than an apostrophe.
"""


class Tokenizer:
    """A tiktoken encoding.

    Args:
        name: What it is called.
        encoding: The encoding itself.
        length: Bytes of each token, by its number.
    """

    def __init__(self, name: str, encoding: tiktoken.Encoding, length: NDArray[np.int64]) -> None:
        self.name = name
        self._encoding = encoding
        self._length = length

    def starts(self, text: str) -> NDArray[np.int64]:
        """Return, for each token, the number of the character that holds its first byte.

        Rising, but not strictly: several tokens may begin inside one character.
        """
        lengths = [self._length[self._encode(block)] for block in _blocks(text)]
        ends = np.cumsum(np.concatenate(lengths))
        begins = np.concatenate(([0], ends[:-1])) if len(ends) else ends
        # A byte 10xxxxxx continues a character; all others begin one.
        data = np.frombuffer(_encodable(text).encode("utf-8"), np.uint8)
        small = np.int32 if len(data) < 2**31 else np.int64  # half the memory for most texts
        character = np.cumsum((data & 0xC0) != 0x80, dtype=small)
        found: NDArray[np.int64] = character[begins].astype(np.int64) - 1
        return found

    def count(self, text: str) -> int:
        """Count the tokens of a text on its own."""
        return sum(len(self._encode(block)) for block in _blocks(text))

    def _encode(self, text: str) -> NDArray[np.uint32]:
        """Return the tokens' numbers; names of special tokens are text like any other."""
        found: NDArray[np.uint32] = self._encoding.encode_to_numpy(text, disallowed_special=())
        return found


class TokenMap:
    """The tokens of one document, encoded once: a span's tokens are those that begin in it.

    So the tokens of adjacent spans add up.
    """

    def __init__(self, starts: NDArray[np.int64]) -> None:
        self.starts = starts

    def count(self, start: int, end: int) -> int:
        """Count the tokens that begin in `[start, end)`. O(log tokens)."""
        # The method is three times as quick as the function, for few numbers.
        first, last = self.starts.searchsorted((start, end))
        return int(last - first)

    def furthest(self, start: int, end: int, tokens: int) -> int:
        """Return the largest end up to `end` with at most `tokens` tokens from `start` on."""
        place = int(self.starts.searchsorted(start)) + tokens
        return end if place >= len(self.starts) else min(end, int(self.starts[place]))


@cache
def tokenizer(name: str) -> Tokenizer:
    """Return a tokenizer by name; its table is read once (about a second)."""
    if name not in ENCODINGS:
        raise ValueError(f"no tokenizer {name!r}; there are: {', '.join(ENCODINGS)}")
    import tiktoken
    from tiktoken_ext import openai_public

    # tiktoken's own definition, but for the function that would download the table. A copy of the
    # definition gets the other function, so nothing changes for anybody else in this process.
    define = openai_public.ENCODING_CONSTRUCTORS[name]
    namespace = {
        **define.__globals__,
        "load_tiktoken_bpe": lambda _, expected_hash: _ranks(name, expected_hash),
    }
    definition = types.FunctionType(define.__code__, namespace)()
    return Tokenizer(name, tiktoken.Encoding(**definition), _lengths(definition["mergeable_ranks"]))


def _lengths(ranks: dict[bytes, int]) -> NDArray[np.int64]:
    """Return the bytes of each token, by its number."""
    found = np.zeros(max(ranks.values()) + 1, np.int64)
    found[list(ranks.values())] = list(map(len, ranks))
    return found


def _ranks(name: str, expected: str) -> dict[bytes, int]:
    """Read the table from the package bpe-openai, which carries it.

    Importing the package would read all its tables (a second) and warn of its own old calls.
    """
    path = distribution("bpe-openai").locate_file(f"bpe_openai/data/{name}.tiktoken.gz")
    table = gzip.decompress(Path(str(path)).read_bytes())
    found = hashlib.sha256(table).hexdigest()
    if found != expected:
        raise ValueError(f"the table of {name} in bpe-openai has sha256 {found}, not {expected}")
    rows = (line.split() for line in table.splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in rows}


def _blocks(text: str) -> Iterator[str]:
    text = _encodable(text)
    at = 0
    while len(text) - at > BLOCK:
        safe = _SAFE.search(text, at + max(BLOCK // 2, 1), at + BLOCK)
        end = safe.end() if safe else at + BLOCK
        yield text[at:end]
        at = end
    yield text[at:]


def _encodable(text: str) -> str:
    """Replace lone surrogates, which UTF-8 has no bytes for; no offset moves."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)
