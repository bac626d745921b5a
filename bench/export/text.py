"""Ids and lines as other tools can read them, whatever characters the data holds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from urllib.parse import quote, unquote

from bench.errors import UserError
from bench.store.atomic import write_bytes
from bench.store.plain import plain
from bench.types import Span


def escaped(text: str, spared: str = "") -> str:
    """Write blanks, `%` and what is not printable as %XX, as in addresses; `unescaped` undoes it.

    >>> escaped("my file 50%.txt"), escaped(f"雨{chr(9)}1")
    ('my%20file%2050%25.txt', '雨%091')
    """
    return "".join(
        sign
        if sign in spared or (sign.isprintable() and sign not in " %")
        else quote(sign, safe="", errors="surrogatepass")
        for sign in text
    )


def unescaped(text: str) -> str:
    """Read back what `escaped` wrote."""
    return unquote(text, errors="surrogatepass")


def span_id(span: Span) -> str:
    """Name a chunk by its place, without blanks.

    >>> span_id(Span("a b:c", 10, 25))
    'a%20b:c:10-25'
    """
    return f"{escaped(span.doc)}:{span.start}-{span.end}"


def span_of(name: str) -> Span:
    """Read a chunk's name back.

    >>> span_of("a%20b:c:10-25")
    Span(doc='a b:c', start=10, end=25)
    """
    doc, _, place = name.rpartition(":")
    start, _, end = place.partition("-")
    return Span(unescaped(doc), int(start), int(end))


def write_lines(path: Path, lines: Iterable[str]) -> Path:
    """Write lines as UTF-8, atomically; half a surrogate pair is written as its escape.

    Raises:
        UserError: The file cannot be written.
    """
    text = "".join(f"{line}\n" for line in lines)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # `\ud800` is what JSON has for half a pair, too.
        write_bytes(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UserError(
            f"cannot write {path}: {error.strerror}; choose another folder with -o"
        ) from None
    return path


def write_json_lines(path: Path, rows: Iterable[Mapping[str, object] | Sequence[object]]) -> Path:
    """Write strict JSON, a line a row; an undefined number is null."""
    return write_lines(path, (_json(row) for row in rows))


def _json(row: object) -> str:
    return json.dumps(plain(row), allow_nan=False, ensure_ascii=False)
