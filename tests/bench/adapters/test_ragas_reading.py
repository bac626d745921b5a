"""Answers of a judge: what is read, and what ragas would have miscounted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from bench.adapters.ragas_reading import read_reply
from bench.endpoints.ask import MalformedError


class One(BaseModel):
    reason: str = ""
    verdict: int


class Many(BaseModel):
    statements: list[One]


class Asked(BaseModel):
    question: str
    noncommittal: int


@pytest.mark.parametrize(
    "text",
    [
        '{"verdict": 1}',
        'Well: ```json\n{"reason": "{}", "verdict": "1"}\n```',
        '{"verdict": 0} or rather {"verdict": 1}',
        '<think>{"verdict": 0}</think>{"verdict": true}',
        '{"verdict": 1} {"type": "object"}',
    ],
)
def test_the_last_object_of_the_form_counts(text):
    assert read_reply(text, One).verdict == 1


@given(st.integers())
def test_verdicts_are_0_or_1(verdict):
    text = f'{{"verdict": {verdict}}}'
    if verdict in (0, 1):
        assert read_reply(text, One).verdict == verdict
    else:
        with pytest.raises(MalformedError, match="must be 0 or 1"):
            read_reply(text, One)


@pytest.mark.parametrize(
    ("text", "form", "problem"),
    [
        ("no idea", One, "has no JSON object"),
        ('{"verdict": 1', One, "has no JSON object"),
        ("[1]", One, "has no JSON object"),
        ('{"verdict": "yes"}', One, "is not as asked for: verdict: "),
        ('{"verdict": 0.5}', One, "is not as asked for: verdict: "),
        ("{}", One, "is not as asked for: verdict: Field required"),
        ('{"statements": []}', Many, "leaves statements empty"),
        ('{"statements": [{"verdict": 1}, {"verdict": 2}]}', Many, "says verdict 2, which must"),
        ('{"question": " ", "noncommittal": 0}', Asked, "leaves question empty"),
        ('{"question": "Who?", "noncommittal": -1}', Asked, "says noncommittal -1, which must"),
    ],
)
def test_what_is_refused(text, form, problem):
    with pytest.raises(MalformedError, match=problem):
        read_reply(text, form)
