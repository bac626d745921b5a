"""Where the headings of a Markdown text are, by the rules of CommonMark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MARK = re.compile(
    r"^ {0,3}(?:(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})"
    r"|(?P<atx>\#{1,6}(?:[ \t]|$))"
    r"|(?P<underline>=+|-+)[ \t]*$"
    r"|(?P<rule>(?:-[ \t]*){3,}$|(?:\*[ \t]*){3,}$|(?:_[ \t]*){3,}$))",
    re.MULTILINE,
)
"""Lines that are, or end, something other than a paragraph."""
_CONTAINER = re.compile(r" {0,3}(?:>|[-+*](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$))")
_INDENTED = re.compile(r" {4}| {0,3}\t")


class Heading(NamedTuple):
    """A heading, from its first line up to the line below it."""

    start: int
    end: int


def headings(text: str) -> Iterator[Heading]:
    """Yield the headings: `# ATX` and underlined ones, but none within a code fence."""
    # Line ends of one kind, without moving an offset; blanks at the end of a line mean nothing.
    plain = text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
    at = 0
    while mark := _MARK.search(plain, at):
        end = _line_end(plain, mark.end())
        if mark["fence"]:
            end = _fence_end(plain, end, mark["fence"])
        elif mark["atx"]:
            yield Heading(mark.start(), end)
        elif mark["underline"]:
            start = _paragraph(plain, at, mark.start())
            if start is not None:
                yield Heading(start, end)
        at = end
        if at >= len(plain):
            return


def _line_end(text: str, at: int) -> int:
    """Return where the line after this one begins."""
    return text.find("\n", at) + 1 or len(text)


def _fence_end(text: str, at: int, fence: str) -> int:
    """Return where the text after a fenced block begins; one that is never closed has all."""
    closing = re.compile(rf"^ {{0,3}}{fence[0]}{{{len(fence)},}}[ \t]*$", re.MULTILINE)
    found = closing.search(text, at)
    return _line_end(text, found.end()) if found else len(text)


def _paragraph(text: str, floor: int, end: int) -> int | None:
    """Return where the paragraph that an underline at `end` stands below begins.

    None: there is none, or it belongs to a list or a quote, which the underline does not.
    Nothing before `floor` is part of it; so no line is looked at twice.
    """
    first = end
    indented = False
    while first > floor:
        start = max(text.rfind("\n", floor, first - 1) + 1, floor)
        line = text[start : first - 1]
        if not line.strip():
            break
        if _CONTAINER.match(line):
            return None
        indented = bool(_INDENTED.match(line))
        first = start
    # Indented lines that no paragraph precedes are code.
    while indented and first < end:
        first = _line_end(text, first)
        indented = bool(_INDENTED.match(text, first))
    return first if first < end else None
