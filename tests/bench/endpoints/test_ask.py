"""Answers are checked, kept once, and hold no key."""

from __future__ import annotations

import json
import logging
from urllib.parse import quote

import pytest

from bench.endpoints.ask import MalformedError
from bench.endpoints.client import EndpointError
from bench.endpoints.shown import shown
from bench.store.answers import request_key
from tests.bench.endpoints.stub import CLOSE, HANG, HTML, KEY, KEY_ENV, endpoint, serving, written


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv(KEY_ENV, KEY)
    with serving() as made:
        made.answer = lambda payload: {"n": payload["n"], "echo": KEY}
        yield made


def read(answer):
    if not isinstance(answer.get("n"), int):
        raise MalformedError("has no n")
    return {"n": answer["n"]}


def test_asked_once(stub, tmp_path):
    first = endpoint(stub, tmp_path).ask("/numbers", {"n": 1}, read)
    again = endpoint(stub, tmp_path).ask("/numbers", {"n": 1}, read)
    assert (first.answer, first.cached) == ({"n": 1}, False)
    assert (again.answer, again.cached, again.seconds) == ({"n": 1}, True, first.seconds)
    assert 0 < first.seconds < 5
    assert endpoint(stub, tmp_path).ask("/numbers", {"n": 2}, read).answer == {"n": 2}
    assert [path for path, _ in stub.asked] == ["/v1/numbers"] * 2
    assert stub.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_the_cache_answers_without_a_key(stub, tmp_path, monkeypatch):
    endpoint(stub, tmp_path).ask("/numbers", {"n": 1}, read)
    monkeypatch.delenv(KEY_ENV)
    assert endpoint(stub, tmp_path).ask("/numbers", {"n": 1}, read).cached
    with pytest.raises(EndpointError, match=KEY_ENV):
        endpoint(stub, tmp_path).ask("/numbers", {"n": 2}, read)


def test_only_what_is_read_is_kept(stub, tmp_path):
    endpoint(stub, tmp_path).ask("/numbers", {"n": 41}, read)
    content = written(tmp_path)
    assert b'{"n":41}' in content
    assert KEY.encode() not in content
    assert b"Bearer" not in content


def test_a_malformed_answer_is_shown_and_not_kept(stub, tmp_path, caplog):
    stub.first({"why": f"key {KEY}\nwas fine"})
    with pytest.raises(EndpointError) as error, caplog.at_level(logging.DEBUG):
        endpoint(stub, tmp_path).ask("/numbers", {"n": 1}, read)
    assert str(error.value) == (
        f'{stub.url}/numbers: the answer has no n; it is {{"why": "key ***\\nwas fine"}}'
    )
    assert KEY not in caplog.text
    assert not endpoint(stub, tmp_path).ask("/numbers", {"n": 1}, read).cached


def test_a_long_answer_is_shortened(stub, tmp_path):
    stub.first({"why": "x" * 10_000})
    with pytest.raises(EndpointError) as error:
        endpoint(stub, tmp_path).ask("/numbers", {"n": 1}, read)
    assert len(str(error.value)) < 300


def test_a_stand_in_for_a_key_masks_nothing(stub, tmp_path, monkeypatch):
    monkeypatch.setenv(KEY_ENV, "x")
    stub.first({"why": "an extra"})
    with pytest.raises(EndpointError, match="an extra"):
        endpoint(stub, tmp_path).ask("/numbers", {"n": 1}, read)
    stub.first((400, {"error": "an extra"}))
    with pytest.raises(EndpointError, match="an extra"):
        endpoint(stub, tmp_path).ask("/numbers", {"n": 1}, read)


@pytest.mark.parametrize("key", ["k/1", "/k!", 'long-"key"/0815'])
def test_a_key_is_masked_in_every_form(key):
    for form in (key, json.dumps(key)[1:-1], quote(key, safe="")):
        assert shown(f"bad key {form}!\n", key) == "bad key ***!"
    assert shown("", key) == shown("", "") == ""


def test_a_cached_answer_that_is_of_no_use_is_asked_again(stub, tmp_path, caplog):
    made = endpoint(stub, tmp_path)
    made._cache.put(request_key(stub.url, "/numbers", {"n": 1}), {"m": 1}, 1.0)
    with caplog.at_level(logging.WARNING):
        assert made.ask("/numbers", {"n": 1}, read).answer == {"n": 1}
    assert "a cached answer has no n, asked again" in caplog.text
    assert made.ask("/numbers", {"n": 1}, read).cached


def test_no_server_gets_a_lone_surrogate(stub, tmp_path):
    payload = {"n": 1, "texts": ["a\ud800b", "\U0001f600", {"deep": "\udc00"}]}
    endpoint(stub, tmp_path).ask("/numbers", payload, read)
    texts = ["a\ufffdb", "\U0001f600", {"deep": "\ufffd"}]
    assert stub.asked[0][1] == {"n": 1, "texts": texts}


@pytest.mark.parametrize("wrong", [(429, {"error": "slow down"}), (503, HTML), CLOSE, HANG])
def test_passing_trouble_is_tried_again(stub, tmp_path, wrong):
    stub.first(wrong)
    asked = endpoint(stub, tmp_path, timeout=0.3)
    assert asked.ask("/numbers", {"n": 1}, read).answer == {"n": 1}
    assert len(stub.asked) == 2


@pytest.mark.parametrize("wrong", [(401, {"error": f"bad key {KEY}"}), HTML, (429, HTML), HANG])
def test_lasting_trouble_is_told_without_the_key(stub, tmp_path, wrong, caplog):
    stub.answer = lambda _: wrong
    with (
        pytest.raises(EndpointError, match=r"127\.0\.0\.1") as error,
        caplog.at_level(logging.DEBUG),
    ):
        endpoint(stub, tmp_path, timeout=0.2).ask("/numbers", {"n": 1}, read)
    assert KEY not in str(error.value) + caplog.text
    assert KEY.encode() not in written(tmp_path)


def test_a_model_that_repeats_the_key_does_not_bring_it_to_the_disk(stub, tmp_path):
    stub.answer = lambda _: {"texts": [f"Bearer {KEY} is yours", "\ud800 half a sign"]}

    def texts(answer):
        return {"texts": answer["texts"]}

    asked = endpoint(stub, tmp_path)
    first = asked.ask("/echo", {"n": 1}, texts)
    assert first.answer == {"texts": ["Bearer *** is yours", "\ufffd half a sign"]}
    assert asked.ask("/echo", {"n": 1}, texts).answer == first.answer
    assert KEY.encode() not in written(tmp_path)
