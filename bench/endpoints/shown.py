"""What came from outside, made fit to be shown: short, in one line, without the key."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

from bench.errors import cut

SHOWN = 195
"""Characters an error shows of what a server said, but for the mark of what is left out."""
SHORTEST_KEY = 8
"""Shorter keys are stand-ins, as `none` for a local server: masked only where no letter adjoins."""


def shown(text: str, key: str) -> str:
    """Return a text from outside as one short line, the key masked however it is written.

    Args:
        text: What came.
        key: What must not be shown; empty: there is none.
    """
    text = masked(text, key)
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return cut(line, SHOWN)


def masked(text: str, key: str) -> str:
    """Return a text with stars for the key, however it is written."""
    for form in sorted({key, json.dumps(key)[1:-1], quote(key, safe="")}) if key else ():
        pattern = re.escape(form)
        alone = rf"(?<!\w){pattern}(?!\w)"
        text = re.sub(alone if len(key) < SHORTEST_KEY else pattern, "***", text)
    return text
