"""A language model: what is sent, what comes back, and what is no answer."""

from __future__ import annotations

import pytest

from bench.endpoints.ask import MalformedError
from bench.endpoints.chat import chat
from bench.endpoints.client import EndpointError
from bench.endpoints.recipes import Listwise, Queries, Titles
from tests.bench.endpoints.stub import KEY, KEY_ENV, model, said, serving, user_text, written

ASKED = [{"role": "user", "content": "How many?"}]


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv(KEY_ENV, KEY)
    with serving() as made:
        made.answer = lambda payload: said(f"You said: {user_text(payload)}")
        yield made


def test_what_is_sent_and_what_comes(stub, tmp_path):
    first = model(stub, tmp_path).ask(ASKED)
    assert first.text == "You said: How many?"
    assert (first.prompt_tokens, first.completion_tokens) == (7, 3)
    assert (first.cached, first.cut) == (False, False)
    assert model(stub, tmp_path).ask(ASKED) == first._replace(cached=True)
    expected = {"model": "stub-1", "temperature": 0.0, "max_tokens": 1024, "seed": 0}
    assert stub.asked == [("/v1/chat/completions", {**expected, "messages": ASKED})]
    assert KEY.encode() not in written(tmp_path)


def test_settings_that_are_none_are_not_sent(stub, tmp_path):
    model(stub, tmp_path, temperature=None, max_tokens=None, seed=None).ask(ASKED)
    assert stub.asked[0][1] == {"model": "stub-1", "messages": ASKED}


@pytest.mark.parametrize("recipe", [Listwise, Queries, Titles])
@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({}, {"temperature": 0.0, "max_tokens": 1024}),
        ({"temperature": 1, "max_tokens": 5000}, {"temperature": 1.0, "max_tokens": 5000}),
        ({"temperature": "none"}, {"max_tokens": 1024}),
        ({"max_tokens": 0}, {"temperature": 0.0}),
    ],
)
def test_what_a_spec_says_is_sent(stub, tmp_path, recipe, given, sent):
    chat(recipe(model="m", url=stub.url, key_env=KEY_ENV, **given), tmp_path).ask(ASKED)
    assert stub.asked[0][1] == {"model": "m", "seed": 0, **sent, "messages": ASKED}


def test_each_setting_has_answers_of_its_own(stub, tmp_path):
    made = [
        model(stub, tmp_path, **given)
        for given in ({}, {"seed": 1}, {"max_tokens": 9}, {"temperature": 0.5})
    ]
    assert [one.ask(ASKED).cached for one in made] == [False] * 4
    assert len({str(one.identity) for one in made}) == 4
    assert model(stub, tmp_path, temperature=0).ask(ASKED).cached


def test_an_answer_that_was_cut_says_so(stub, tmp_path):
    stub.answer = lambda _: said("It is", end="length")
    assert model(stub, tmp_path).ask(ASKED).cut
    assert model(stub, tmp_path).ask(ASKED).cut


def test_counts_may_be_missing(stub, tmp_path):
    stub.answer = lambda _: {
        "choices": [{"message": {"content": "x"}}],
        "usage": {"prompt_tokens": True},
    }
    answer = model(stub, tmp_path).ask(ASKED)
    assert (answer.text, answer.prompt_tokens, answer.completion_tokens) == ("x", None, None)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"choices": []},
        {"choices": {"0": 1}},
        {"choices": ["text"]},
        {"choices": [{"message": "text"}]},
        {"choices": [{"message": {"content": None, "refusal": "I will not"}}]},
        {"choices": [{"message": {"content": [{"text": "x"}]}}]},
        {"error": {"message": "overloaded"}},
    ],
)
def test_what_is_no_answer_is_shown(stub, tmp_path, wrong):
    stub.first(wrong)
    with pytest.raises(EndpointError, match=r"no text at choices\[0\]") as error:
        model(stub, tmp_path).ask(ASKED)
    for word in ("I will not", "overloaded"):
        assert (word in str(error.value)) == (word in str(wrong))
    assert model(stub, tmp_path).ask(ASKED).text == "You said: How many?"


def test_all_tokens_spent_on_thinking(stub, tmp_path):
    stub.answer = lambda _: said("", end="length")
    with pytest.raises(EndpointError, match="went into thinking; raise it"):
        model(stub, tmp_path).ask(ASKED)
    stub.answer = lambda _: said("")
    assert model(stub, tmp_path).ask(ASKED).text == ""


def test_an_answer_that_is_not_accepted_is_not_kept(stub, tmp_path):
    def accept(text):
        if "four" not in text:
            raise MalformedError("has no number")

    stub.first(said("Many, " + KEY))
    with pytest.raises(EndpointError, match=r"has no number; it is Many, \*\*\*$"):
        model(stub, tmp_path).ask(ASKED, accept)
    stub.first(said("About four"))
    assert model(stub, tmp_path).ask(ASKED, accept).text == "About four"
    assert model(stub, tmp_path).ask(ASKED, accept).cached
    assert KEY.encode() not in written(tmp_path)


def test_made_from_settings(stub, tmp_path):
    made = chat(Titles(model="stub-1", url=stub.url, key_env=KEY_ENV), tmp_path)
    assert made.ask(ASKED).text == "You said: How many?"
    assert model(stub, tmp_path).ask(ASKED).cached  # the defaults are one and the same
    assert made.identity["url"] == stub.url
    assert KEY not in str(made.identity)
