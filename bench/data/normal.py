"""Raw text is normalised once, byte order mark and line ends only; offsets are mapped along."""

from __future__ import annotations

import re
from bisect import bisect_left

_LINE_END = re.compile(r"\r\n?")


def normalise(text: str) -> str:
    """Drop a leading byte order mark and turn every line end into a line feed."""
    return _LINE_END.sub("\n", text.removeprefix("\ufeff"))


class OffsetMap:
    """Turns offsets into the raw text into offsets into the normalised one."""

    def __init__(self, raw: str) -> None:
        self._mark = int(raw.startswith("\ufeff"))
        # Only "\r\n" changes the length; a position behind it moves by one.
        self._lost = [match.end() for match in re.finditer("\r\n", raw)]

    def __call__(self, offset: int) -> int:
        """Map one offset; between a carriage return and its line feed it moves before both."""
        behind = bisect_left(self._lost, offset + 1)
        inside = behind < len(self._lost) and self._lost[behind] == offset + 1
        return max(0, offset - self._mark - behind - int(inside))
