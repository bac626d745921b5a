"""Numbers that a model gives as its verdict: read strictly, asked once more, else a failure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from bench.answers.asking import Asker, Reply, Report, Request
from bench.endpoints.ask import MalformedError
from bench.endpoints.words import found_json
from bench.errors import cut

AGAIN = 1_000_000
"""Added to the seed for the second try, so that it is no other repeat's request."""
SHOWN = 120
_NUMBER = re.compile(r"[+-]?\d{1,9}(?:\.0+)?")


class Verdict(NamedTuple):
    """What came of asking for a number."""

    value: int | None
    """None: there is none."""
    failed: str
    """Why there is none."""
    replies: tuple[Reply, ...]
    """One, or two where the first could not be read."""

    @property
    def unread(self) -> bool:
        """Whether there is a reply, which is of no use."""
        return self.value is None and not self.replies[-1].failed


class Reading(NamedTuple):
    """How a verdict is written: `{"score": 3}`, or `3` alone."""

    key: str
    allowed: Collection[int]


def verdicts(
    asker: Asker, requests: Iterable[Request], reading: Reading, report: Report | None = None
) -> dict[Request, Verdict]:
    """Ask for verdicts; one that cannot be read or is not allowed is asked for once more.

    What cannot be read is kept, too: who asks again later gets the same.

    Raises:
        EndpointError: A request failed, and nobody said to keep going.
    """
    first = asker.ask(requests, report)
    found = {one: _verdict(reading, (reply,)) for one, reply in first.items()}
    unread = [one for one, was in found.items() if was.value is None and not first[one].failed]
    second = asker.ask([_again(one) for one in unread], report) if unread else {}
    return found | {one: _verdict(reading, (first[one], second[_again(one)])) for one in unread}


def read_number(text: str, reading: Reading) -> int:
    """Return the number in a verdict: of its JSON object, or the whole text is one.

    Raises:
        MalformedError: There is none, there are several that differ, or it is not allowed.

    >>> read_number('So: {"score": 4, "reason": "says 5 of 6"}', Reading("score", range(1, 6)))
    4
    """
    given = [one[reading.key] for one in found_json(text, dict) if reading.key in one]
    numbers = {_whole(value) for value in given or [text]}
    if len(numbers) != 1 or None in numbers:
        raise MalformedError(f"has no JSON object with one whole number `{reading.key}`")
    (number,) = numbers
    if number is None or number not in reading.allowed:
        allowed = ", ".join(map(str, reading.allowed))
        raise MalformedError(f"gives {number}, which is none of {allowed}")
    return number


def _verdict(reading: Reading, replies: tuple[Reply, ...]) -> Verdict:
    last = replies[-1]
    if last.failed:
        return Verdict(None, last.failed, replies)
    try:
        return Verdict(read_number(last.text, reading), "", replies)
    except MalformedError as error:
        came = cut(" ".join(last.text.split()), SHOWN)
        return Verdict(None, f"the verdict {error}; it is {came!r}", replies)


def _again(request: Request) -> Request:
    return request._replace(seed=request.seed + AGAIN)


def _whole(value: object) -> int | None:
    """Return a whole number written as 3, 3.0 or "3"."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    return int(float(text)) if _NUMBER.fullmatch(text) else None
