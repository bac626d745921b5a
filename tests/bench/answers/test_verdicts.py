"""Numbers that models give: which are read, which asked for once more, which are failures."""

from __future__ import annotations

import doctest

import pytest

from bench.answers import verdicts as module
from bench.answers.asking import Asker, Model, Request
from bench.answers.verdicts import AGAIN, Reading, read_number, verdicts
from bench.endpoints.ask import MalformedError
from tests.bench.answers.talk import talk
from tests.bench.endpoints.stub import KEY_ENV, said

SCORE = Reading("score", range(1, 6))


def test_examples():
    found = doctest.testmod(module)
    assert found.attempted == 1
    assert found.failed == 0


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("4", 4),
        (" 5\n", 5),
        ("3.0", 3),
        ("٤", 4),
        ('{"score": 4, "reason": "5 of 6"}', 4),
        ('{"score": "2"}', 2),
        ('{"score": 2.0}', 2),
        ('```json\n{"reason": "x", "score": 1}\n```', 1),
        ('I think so.\n{"score": 3} and again {"score": 3}', 3),
        ('{"x": {"score": 1}} {"score": 5}', 5),
    ],
)
def test_read(text, number):
    assert read_number(text, SCORE) == number


@pytest.mark.parametrize(
    "text",
    [
        "", "good", "4 of 5", "4/5", "six", "IV", '{"score": true}', '{"score": null}',
        '{"score": 4.5}', '{"score": [4]}', '{"score": "4.5"}', '{"score": {"value": 4}}',
        '{"score": 1} {"score": 5}', '{"rating": 4}', "4 5", '{"score": 4', "99999999999999999999",
        '{"score": "nan"}', '{"score": Infinity}',
    ],
)  # fmt: skip
def test_unreadable(text):
    with pytest.raises(MalformedError, match="no JSON object with one whole number `score`"):
        read_number(text, SCORE)


@pytest.mark.parametrize("text", ["0", "6", "-1", '{"score": 100}', '{"score": "0"}'])
def test_outside_the_scale(text):
    with pytest.raises(MalformedError, match="which is none of 1, 2, 3, 4, 5"):
        read_number(text, SCORE)


@pytest.fixture
def asker(stub, tmp_path):
    def make(**more):
        model = Model("stub-1", stub.url, KEY_ENV, 0.0, 99)
        return Asker(model, tmp_path / "cache", **more)

    return make


def test_once_more_with_another_seed(stub, asker):
    stub.answer = lambda payload: said("none" if payload["seed"] == 1 else '{"score": 2}')
    requests = [Request(talk("a"), seed) for seed in range(3)]
    found = verdicts(asker(), requests, SCORE)
    assert [found[one].value for one in requests] == [2, 2, 2]
    assert [len(found[one].replies) for one in requests] == [1, 2, 1]
    assert sorted(payload["seed"] for _, payload in stub.asked) == [0, 1, 2, 1 + AGAIN]


def test_a_second_failure_counts_and_is_kept(stub, asker):
    stub.answer = lambda _: said("seven\nof ten")
    request = Request(talk("a"))
    found = verdicts(asker(), [request, request], SCORE)[request]
    assert (found.value, len(found.replies), found.unread) == (None, 2, True)
    assert found.failed == (
        "the verdict has no JSON object with one whole number `score`; it is 'seven of ten'"
    )
    assert len(stub.asked) == 2
    again = asker()
    assert verdicts(again, [request], SCORE)[request] == found
    assert (again.sent, len(stub.asked)) == (0, 2)


def test_a_request_that_fails_is_not_repeated_here(stub, asker):
    stub.answer = lambda _: (400, {"error": "no"})
    request = Request(talk("a"))
    found = verdicts(asker(keep_going=True), [request], SCORE)[request]
    assert (found.value, found.unread, len(stub.asked)) == (None, False, 1)
    assert "status 400: no" in found.failed


def test_what_was_thought_aloud_is_no_verdict(stub, asker):
    stub.answer = lambda _: said('<think>{"score": 1}, no</think>{"score": 5}')
    request = Request(talk("a"))
    assert verdicts(asker(), [request], SCORE)[request].value == 5
