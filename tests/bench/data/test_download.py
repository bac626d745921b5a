"""Downloads from a real server of the test's own."""

from __future__ import annotations

import hashlib
import http.server
import json
import threading
from functools import partial

import pytest

from bench.data import cards
from bench.data.download import fetch
from bench.data.errors import DatasetError
from bench.progress import Progress

FILES = {"a file, 1.json": b"one", "数据/b.txt": b"two"}


class Silent(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, *_):
        pass


@pytest.fixture
def card(tmp_path, monkeypatch):
    """Serve a dataset of two files; return its card, to be changed and saved again."""
    for name, content in FILES.items():
        path = tmp_path / "site" / "v1" / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    handler = partial(Silent, directory=str(tmp_path / "site"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setattr(cards, "CARDS", tmp_path / "cards")
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    made = {
        "source": "https://example.org/set",
        "revision": "v1",
        "url": f"http://127.0.0.1:{server.server_port}/{{revision}}/{{path}}",
        "upstream_path": {name: f"data/{name}" for name in FILES},
        "sha256": {name: hashlib.sha256(content).hexdigest() for name, content in FILES.items()},
    }
    yield made
    server.shutdown()
    server.server_close()


@pytest.fixture
def get(card, tmp_path):
    def fetched(to=None, files=tuple(FILES)):
        path = tmp_path / "cards" / "made" / "card.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(card), encoding="utf-8")
        return fetch("made", files, to, Progress())

    return fetched


def test_files_come_to_where_run_looks(get, tmp_path):
    folder, count = get()
    assert count == 2
    assert {name: (folder / name).read_bytes() for name in FILES} == FILES
    assert cards.raw_folder(None, "made", "数据/b.txt") == folder
    assert cards.raw_folder(tmp_path / "nothing here", "made", "数据/b.txt") == folder


def test_what_is_there_and_right_is_kept_and_what_is_wrong_comes_anew(get, tmp_path):
    folder, _ = get(tmp_path / "raw")
    (folder / "a file, 1.json").write_bytes(b"cut of")
    assert get(tmp_path / "raw") == (folder, 1)
    assert (folder / "a file, 1.json").read_bytes() == b"one"


def test_only_the_files_asked_for_come(get):
    folder, count = get(files=["数据/b.txt"])
    assert count == 1
    assert [path.name for path in folder.rglob("*") if path.is_file()] == ["b.txt"]


def test_other_bytes_are_refused_and_leave_nothing(card, get, tmp_path):
    card["sha256"]["a file, 1.json"] = "0" * 64
    with pytest.raises(DatasetError, match="has other bytes than the card's sha256 000"):
        get()
    assert not list((tmp_path / "cache").rglob("*.json"))


@pytest.mark.parametrize("change", ["gone", "down"])
def test_a_server_that_does_not_give_it_is_one_line(card, get, change):
    if change == "gone":
        card["revision"] = "v2"
    else:
        card["url"] = "http://127.0.0.1:9/{revision}/{path}"
    with pytest.raises(DatasetError, match=r"cannot download http.*is there a network\?"):
        get()


def test_a_set_without_addresses_says_how_to_get_it(card, get):
    del card["url"]
    with pytest.raises(DatasetError, match=r"cannot be downloaded.*`git clone https://example.org"):
        get()
    card["archive"] = "https://example.org/set.tgz"
    with pytest.raises(DatasetError, match=r"unpack https://example\.org/set\.tgz into"):
        get()
    del card["archive"]
    card["sha256"] = {}
    with pytest.raises(DatasetError, match=r"get them from https://example\.org/set and put them"):
        get()
