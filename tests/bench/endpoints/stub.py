"""A model's endpoint on this machine that answers as it is told, right or wrong."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from bench.endpoints.ask import Endpoint
from bench.endpoints.chat import Chat
from bench.endpoints.client import Client
from bench.store.answers import AnswerCache

KEY = "sk-very-secret-0123456789"
KEY_ENV = "STUB_API_KEY"
HTML = b"<html><body>Bad gateway</body></html>"
HANG, CLOSE = "hang", "close"


class Stub:
    """Answers each request with what `answer` returns: JSON, bytes, (status, JSON), HANG or CLOSE.

    `answer` gets the parsed request; `asked` has the path and payload of each, `headers` the rest.
    """

    def __init__(self):
        self.answer = lambda payload: {}
        self.asked, self.headers = [], []
        self.over = threading.Event()
        self.url = ""

    def first(self, *answers):
        """Give these answers first, then what `answer` gave before."""
        rest, then = list(answers), self.answer
        turn = threading.Lock()

        def answer(payload):
            with turn:
                ready = rest.pop(0) if rest else None
            return then(payload) if ready is None else ready

        self.answer = answer


def _handler(stub):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet, else each answer takes 40 ms

        def do_POST(self):
            payload = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            stub.asked.append((self.path, payload))
            stub.headers.append(dict(self.headers))
            said = stub.answer(payload)
            if said == HANG:
                stub.over.wait(10)
            if said in (HANG, CLOSE):
                self.close_connection = True
                return
            status, body = said if isinstance(said, tuple) else (200, said)
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    return Handler


@contextmanager
def serving():
    """Run a stub on a free port."""
    stub = Stub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(stub))
    server.daemon_threads = True
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.02))
    thread.start()
    stub.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield stub
    finally:
        stub.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def client(stub, **settings):
    """Return a client that does not wait between its tries."""
    return Client(stub.url, KEY_ENV, **{"tries": 3, "sleep": lambda _: None, **settings})


def endpoint(stub, folder, **settings):
    """Return the stub behind a cache in a folder."""
    return Endpoint(client(stub, **settings), AnswerCache(folder))


def model(stub, folder, **settings):
    """Return the stub as a language model."""
    return Chat(client(stub), "stub-1", AnswerCache(folder), **settings)


def said(text, end="stop"):
    """Return an answer of a language model."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": end}
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    return {"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage}


def user_text(payload):
    """Return what a language model is asked, without the system's words."""
    return payload["messages"][-1]["content"]


def written(folder):
    """Return all bytes below a folder."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
