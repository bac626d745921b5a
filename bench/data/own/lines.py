"""Lines of a text that is written piece by piece."""

from __future__ import annotations

import re

_MEANS_SOMETHING = re.compile(r"(?=#{1,6}(?:\s|$)|(?:=+|-+)$|`{3}|~{3})")
"""What makes a line a heading or a code fence in Markdown."""
_NOTHING = re.compile(r"[|\s]*")


class Lines:
    """Blanks and line ends of the pieces are one blank; lines end where they are told to."""

    def __init__(self) -> None:
        self.heading = 0
        """Level of the heading that the line is; 0: it is none."""
        self._lines: list[str] = []
        self._pieces: list[str] = []
        self._code: list[str] = []
        self._gap = False

    def text(self, piece: str) -> None:
        """Add to the line."""
        self._pieces.append(piece)

    def end(self, *, gap: bool = False) -> None:
        """End the line, if there is one; `gap`: with a blank line before the next.

        A line that would mean something in Markdown has a backslash before it.
        """
        text = " ".join("".join(self._pieces).replace("\xad", "").split())
        self._pieces.clear()
        if self.heading:
            text = text.rstrip("¶ ")  # a link to the heading itself
        if not _NOTHING.fullmatch(text):
            if self.heading:
                self._add(f"{'#' * self.heading} {text}")
                self.heading = 0
            else:
                self._add("\\" + text if _MEANS_SOMETHING.match(text) else text)
        self._gap |= gap

    def code(self, piece: str) -> None:
        """Add to a block of preformatted text."""
        self._code.append(piece)

    def end_code(self) -> None:
        """End the block of preformatted text, if it says anything."""
        text = "".join(self._code).strip("\n").rstrip()
        self._code.clear()
        if text:
            longest = max(map(len, re.findall("`+", text)), default=0)
            fence = "`" * max(3, longest + 1)
            self._add(f"{fence}\n{text}\n{fence}")
        self._gap = True

    def finished(self) -> str:
        """Return all lines, without blanks at the end."""
        self.end()
        return "\n".join(self._lines)

    def _add(self, line: str) -> None:
        if self._gap and self._lines:
            self._lines.append("")
        self._gap = False
        self._lines.append(line)
