"""The listwise model that ships with the code; `share.md` beside it is its card."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from importlib.resources import files

from rse.calibration.listwise import Share
from rse.calibration.serial import from_json


def default_share(*, allow_fitted: bool = False) -> Share:
    """Return the shipped `Share`: score, rank, length and neighbours, fitted on two public sets.

    A place to start from where there are no questions of one's own to fit on. `share.md` beside
    this file says what it was fitted on, by which command, and how it did on other documents.

    Args:
        allow_fitted: Whether it may be applied to the documents it was fitted on.
    """
    return replace(_shipped(), allow_fitted=allow_fitted)


@cache
def _shipped() -> Share:
    content = (files("rse.calibration") / "share.json").read_text(encoding="utf-8")
    found = from_json(json.loads(content))
    if not isinstance(found, Share):
        raise TypeError("share.json holds another kind of calibration")
    return found
