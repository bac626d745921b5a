"""Many requests to one model: once each, in threads, with every kind of trouble."""

from __future__ import annotations

from math import isnan

import pytest

from bench.answers.asking import Asker, Model, Request
from bench.endpoints import chat
from bench.endpoints.client import EndpointError
from tests.bench.answers.talk import talk
from tests.bench.endpoints.stub import CLOSE, HANG, HTML, KEY, KEY_ENV, said, user_text, written


@pytest.fixture
def asker(stub, tmp_path):
    stub.answer = lambda payload: said(user_text(payload).upper())

    def make(temperature=0.0, max_tokens=99, **more):
        model = Model("stub-1", stub.url, KEY_ENV, temperature, max_tokens)
        return Asker(model, tmp_path / "cache", **more)

    return make


def test_each_once(stub, asker):
    first = asker()
    requests = [Request(talk(text), seed) for text in "aba" for seed in (0, 1)]
    assert len(first.waiting(requests)) == 4
    seen = []
    found = first.ask(requests, lambda done, total: seen.append((done, total)))
    assert [found[one].text for one in requests] == ["A", "A", "B", "B", "A", "A"]
    assert first.sent == len(stub.asked) == 4
    assert seen[-1] == (4, 4)
    assert not first.waiting(requests)
    second = asker()
    assert second.ask(requests) == found
    assert (second.sent, len(stub.asked)) == (0, 4)
    assert len(asker(max_tokens=98).waiting(requests)) == 4


def test_what_is_sent(stub, asker):
    asker(temperature=None, max_tokens=None).ask([Request(talk("a"), 7)])
    (_, payload) = stub.asked[0]
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "a"}]
    assert payload == {"model": "stub-1", "seed": 7, "messages": messages}


def test_half_a_sign_is_known_again(asker):
    request = Request(talk("half \ud800 of a pair"))
    asker().ask([request])
    assert not asker().waiting([request])


@pytest.mark.parametrize("trouble", [(429, {"error": "slow down"}), (500, HTML), CLOSE, HANG, HTML])
def test_trouble_that_lasts_stops_or_is_counted(stub, asker, monkeypatch, trouble):
    monkeypatch.setattr(chat, "SECONDS", 0.2)
    right = stub.answer
    stub.answer = lambda payload: trouble if user_text(payload) == "bad" else right(payload)
    good, bad = Request(talk("good")), Request(talk("bad"))
    with pytest.raises(EndpointError, match="what was answered is kept") as error:
        asker().ask([good, bad])
    assert KEY not in str(error.value)
    sent = len(stub.asked)
    found = asker(keep_going=True).ask([good, bad])
    assert found[good].text == "GOOD"
    assert all(user_text(payload) == "bad" for _, payload in stub.asked[sent:])
    assert found[bad].text == ""
    assert stub.url in found[bad].failed
    assert isnan(found[bad].seconds)
    assert "--keep-going" not in found[bad].failed
    stub.answer = right
    assert asker().ask([bad])[bad].text == "BAD"  # no failure is kept


@pytest.mark.parametrize("trouble", [(429, {"error": "slow down"}), (503, HTML), CLOSE, HANG])
def test_trouble_that_passes_is_not_noticed(stub, asker, monkeypatch, trouble):
    monkeypatch.setattr(chat, "SECONDS", 0.2)
    stub.first(trouble)
    request = Request(talk("a"))
    assert asker().ask([request])[request].text == "A"


def test_thinking_is_no_answer(stub, asker):
    stub.answer = lambda _: said("<think>20? 30?</think>\n\n 20 minutes ", end="length")
    request = Request(talk("a"))
    found = asker().ask([request])[request]
    assert (found.text, found.cut, found.prompt_tokens) == ("20 minutes", True, 7)


def test_the_key_stays_out_of_the_cache(stub, asker, tmp_path):
    stub.answer = lambda _: said(f"your key is {KEY}")
    request = Request(talk("a"))
    assert asker().ask([request])[request].text == "your key is ***"
    assert KEY.encode() not in written(tmp_path)
