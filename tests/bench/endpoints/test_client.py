"""The client against a real server on this machine that misbehaves as told."""

from __future__ import annotations

import json
import logging
import socket
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bench.endpoints.client import LONGEST_WAIT, Client, EndpointError

KEY = 'sk-"secret/0815'


class Stub(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers, self.seen = [], []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((self.path, dict(self.headers), json.loads(body)))
        answers = self.server.answers
        status, headers, content = answers.pop(0) if len(answers) > 1 else answers[0]
        if status is None:  # hang up without a word
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if status == "hang":
            self.server.stop.wait(5)
            return
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


@pytest.fixture
def stub():
    server = Stub()
    server.stop = threading.Event()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.stop.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def waits():
    return []


@pytest.fixture
def ask(stub, waits, monkeypatch):
    monkeypatch.setenv("STUB_KEY", KEY)

    def asked(*answers, tries=3, timeout=5.0):
        stub.answers[:] = [(a[0], a[1], a[2].encode()) for a in answers]
        client = Client(stub.url, "STUB_KEY", timeout=timeout, tries=tries, sleep=waits.append)
        return client.post("/embeddings", {"input": ["x"]})

    return asked


GOOD = (200, {}, '{"data": [1]}')


def test_a_request_and_its_answer(ask, stub):
    assert ask(GOOD) == {"data": [1]}
    ((path, headers, body),) = stub.seen
    assert (path, body) == ("/v1/embeddings", {"input": ["x"]})
    assert headers["Authorization"] == f"Bearer {KEY}"


def test_without_a_key_no_other_is_sent(stub, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password other\n", encoding="utf-8")
    monkeypatch.setenv("NETRC", str(netrc))
    stub.answers[:] = [(200, {}, b"{}")]
    Client(stub.url).post("/embeddings", {})
    assert "Authorization" not in stub.seen[0][1]


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
def test_what_may_pass_is_tried_again_after_longer_and_longer(ask, stub, waits, status):
    assert ask((status, {}, ""), (status, {}, ""), GOOD) == {"data": [1]}
    assert (waits, len(stub.seen)) == ([1.0, 2.0], 3)


def test_a_lost_connection_is_tried_again(ask, waits):
    assert ask((None, {}, ""), GOOD) == {"data": [1]}
    assert waits == [1.0]


def test_no_answer_in_time(ask, stub, waits):
    with pytest.raises(EndpointError, match=r"no answer within 0.1 s \(tried 2 times\)"):
        ask(("hang", {}, ""), tries=2, timeout=0.1)
    assert waits == [1.0]


def test_nobody_there(waits):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    client = Client(f"http://127.0.0.1:{port}", tries=2, sleep=waits.append)
    with pytest.raises(EndpointError, match=r"no connection.*tried 2 times"):
        client.post("/embeddings", {})
    assert waits == [1.0]


@pytest.mark.parametrize(
    ("header", "wait"),
    [("7", 7.0), ("0", 0.0), ("9999", LONGEST_WAIT), ("-3", 0.0), ("soon", 1.0), ("nan", 1.0)],
)
def test_the_server_says_how_long_to_wait(ask, waits, header, wait):
    ask((429, {"Retry-After": header}, ""), GOOD)
    assert waits == [wait]


@pytest.mark.parametrize(("seconds", "wait"), [(30, 30), (9000, LONGEST_WAIT), (-50, 0)])
def test_the_server_says_until_when_to_wait(ask, waits, seconds, wait):
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)
    ask((503, {"Retry-After": date}, ""), GOOD)
    assert waits == [pytest.approx(wait, abs=3)]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"error": {"message": "no such model"}}', "status 404: no such model"),
        ('{"detail": "gone"}', "status 404: gone"),
        ("<html>\n lost\x1b[31m </html>", r"status 404: <html> lost \[31m </html>"),
        ("", "status 404: without a message"),
    ],
)
def test_a_refusal_is_told_at_once(ask, stub, waits, content, told):
    with pytest.raises(EndpointError, match=told):
        ask((404, {}, content))
    assert (waits, len(stub.seen)) == ([], 1)


def test_the_last_refusal_is_told(ask):
    with pytest.raises(EndpointError, match=r"status 429: slow down \(tried 3 times\)"):
        ask((429, {}, '{"message": "slow down"}'))


@pytest.mark.parametrize("content", ["", "<html>", "[1]", "null", '{"a": ', "[" * 100_000])
def test_an_answer_that_is_no_object(ask, content):
    with pytest.raises(EndpointError, match="no JSON object") as error:
        ask((200, {}, content))
    assert len(str(error.value)) < 320


@pytest.mark.parametrize("filler", ["", "x" * 180])
def test_the_key_is_in_no_message_and_no_log(ask, caplog, filler):
    caplog.set_level(logging.DEBUG)
    for form in (KEY, json.dumps(KEY)[1:-1], "sk-%22secret%2F0815"):
        said = json.dumps({"error": {"message": f"{filler} bad key {form}"}})
        for status in (401, 500, 200):
            with pytest.raises(EndpointError) as error:
                ask((status, {}, said if status > 200 else f"{filler} {form}"))
            for text in (str(error.value), repr(error.value), caplog.text):
                assert not any(part in text for part in ("secret", "0815"))
            assert error.value.__cause__ is None
    assert "secret" not in repr(Client("http://h", "STUB_KEY"))


def test_no_redirect_is_followed(ask, stub):
    with pytest.raises(EndpointError, match="redirect to http://elsewhere/v1, which is not"):
        ask((307, {"Location": "http://elsewhere/v1"}, ""))
    assert len(stub.seen) == 1


@pytest.mark.parametrize("value", [None, "", " "])
def test_a_missing_key_is_named(monkeypatch, value):
    if value is None:
        monkeypatch.delenv("STUB_KEY", raising=False)
    else:
        monkeypatch.setenv("STUB_KEY", value)
    client = Client("http://127.0.0.1:1", "STUB_KEY")  # read when it is needed, not before
    with pytest.raises(EndpointError, match="set the environment variable STUB_KEY"):
        client.post("/embeddings", {})


@pytest.mark.parametrize("value", ["secret\nkey", "secret key", "schlüssel-secret"])
def test_what_cannot_be_a_key(monkeypatch, value):
    monkeypatch.setenv("STUB_KEY", value)
    with pytest.raises(EndpointError, match="STUB_KEY holds blanks") as error:
        Client("http://127.0.0.1:1", "STUB_KEY").post("/embeddings", {})
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    "url",
    ["", "localhost:80", "ftp://h/v1", "file:///etc/passwd", "http://", "http://h:99999/",
     "http://me:secret@h/v1", "http://[::1", "http://h/v 1", "http://h/#part"],
)  # fmt: skip
def test_what_is_no_endpoint(url):
    with pytest.raises(EndpointError, match=r"https://host/v1|user name") as error:
        Client(url)
    assert "secret" not in str(error.value)


def test_an_address_keeps_its_query(stub):
    stub.answers[:] = [(200, {}, b"{}")]
    Client(f"{stub.url}/?api-version=2").post("embeddings", {})
    assert stub.seen[0][0] == "/v1/embeddings?api-version=2"


def test_threads_share_a_client(stub):
    stub.answers[:] = [(200, {}, b'{"ok": 1}')]
    client = Client(stub.url)
    found = []
    several = [
        threading.Thread(target=lambda i=i: found.append(client.post("/e", {"n": i})))
        for i in range(8)
    ]
    for one in several:
        one.start()
    for one in several:
        one.join()
    assert found == [{"ok": 1}] * 8
    assert sorted(body["n"] for _, _, body in stub.seen) == list(range(8))
