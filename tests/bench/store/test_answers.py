"""Answers by what was asked: kept once, for all processes, whatever happens to them."""

from __future__ import annotations

import json
import logging
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bench.store.answers import AnswerCache, request_key

ROOT = Path(__file__).resolve().parents[3]
KEY = request_key("https://a/v1", "/rerank", {"query": "q"})
WRITER = """
import sys
from pathlib import Path
from bench.store.answers import AnswerCache, request_key

folder, name, blocks = sys.argv[1:]
with AnswerCache(Path(folder)) as cache:
    for n in range(int(blocks)):
        cache.put(request_key("http://a", "/b", {"n": n}), {"name": name, "n": n}, 0.5)
        print(n, flush=True)
"""


@pytest.fixture
def cache(tmp_path):
    with AnswerCache(tmp_path) as made:
        yield made


def test_the_first_answer_stays(cache):
    assert cache.get(KEY) is None
    first = cache.put(KEY, {"scores": [0.25, 1], "text": "数据 \ud800"}, 1.5)
    assert first == cache.get(KEY)
    assert first.answer == {"scores": [0.25, 1], "text": "数据 \ud800"}
    assert first.seconds == 1.5
    assert first.asked.endswith("+00:00")
    assert cache.put(KEY, {"scores": [0.5]}, 9.0) == first
    cache.forget(KEY)
    assert cache.get(KEY) is None
    assert cache.put(KEY, {"scores": [0.5]}, 9.0).answer == {"scores": [0.5]}


def test_a_key_is_all_that_is_asked():
    keys = [
        request_key("https://a/v1", "/rerank", {"query": "q", "n": 1}),
        request_key("https://b/v1", "/rerank", {"query": "q", "n": 1}),
        request_key("https://a/v1", "/chat", {"query": "q", "n": 1}),
        request_key("https://a/v1", "/rerank", {"query": "q", "n": 2}),
        request_key("https://a/v1", "/rerank", {"query": "\ud800", "n": 1}),
    ]
    assert len(set(keys)) == 5
    assert request_key("https://a/v1", "/rerank", {"n": 1, "query": "q"}) == keys[0]
    assert request_key("https://me:secret@a/v1", "/rerank", {"n": 1, "query": "q"}) == keys[0]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), [float("-inf")]])
def test_strict_json_only(cache, bad):
    with pytest.raises(ValueError, match="JSON compliant"):
        cache.put(KEY, {"score": bad}, 1.0)
    with pytest.raises(ValueError, match="JSON compliant"):
        request_key("https://a", "/b", {"score": bad})


@pytest.mark.parametrize(
    "change",
    [
        """answer = replace(answer, '0.5', '0.6')""",
        "answer = 'no json'",
        "answer = NULL",
        "answer = x'00ff'",
        "seconds = 2.0",
        "asked = 'yesterday'",
        "digest = NULL",
        "answer = (SELECT answer FROM answers WHERE rowid = 2)",
    ],
)
def test_a_broken_answer_is_missing_and_replaced(cache, change, caplog):
    other = request_key("https://a", "/other", {})
    cache.put(KEY, {"score": 0.5}, 1.0)
    cache.put(other, {"score": 0.7}, 1.0)
    db = sqlite3.connect(cache.path)
    with db:
        db.execute(f"UPDATE answers SET {change} WHERE rowid = 1")
    db.close()
    with caplog.at_level(logging.WARNING):
        assert cache.get(KEY) is None
    assert "a broken answer, asked for again" in caplog.text
    assert cache.get(other).answer == {"score": 0.7}
    assert cache.put(KEY, {"score": 0.9}, 2.0).answer == {"score": 0.9}
    assert cache.get(KEY).answer == {"score": 0.9}


def test_a_damaged_file_is_set_aside(cache):
    cache.put(KEY, 1, 1.0)
    cache.close()
    cache.path.write_bytes(b"\xff" * 9000)
    assert cache.get(KEY) is None
    assert cache.put(KEY, 2, 1.0).answer == 2
    assert cache.path.with_name("answers.sqlite.corrupt-1").exists()


def test_requests_do_not_reach_the_disk(cache):
    key = request_key("https://me:hunter22@host/v1", "/chat", {"messages": "a private question"})
    cache.put(key, {"text": "an answer"}, 1.0)
    cache.close()
    content = cache.path.read_bytes()
    assert b"an answer" in content
    for private in (b"hunter22", b"host", b"private question"):
        assert private not in content


def _writer(folder, name, blocks):
    command = [sys.executable, "-c", WRITER, str(folder), name, str(blocks)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_two_processes_agree(tmp_path):
    writers = [_writer(tmp_path, name, 200) for name in ("left", "right")]
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    with AnswerCache(tmp_path) as cache:
        found = [cache.get(request_key("http://a", "/b", {"n": n})).answer for n in range(200)]
    assert [answer["n"] for answer in found] == list(range(200))
    assert {answer["name"] for answer in found} <= {"left", "right"}


def test_a_killed_writer_loses_no_answer(tmp_path):
    writer = _writer(tmp_path, "left", 1_000_000)
    done = [int(writer.stdout.readline()) for _ in range(50)]
    writer.send_signal(signal.SIGKILL)
    writer.communicate()
    with AnswerCache(tmp_path) as cache:
        for n in done:
            assert cache.get(request_key("http://a", "/b", {"n": n})).answer["n"] == n
        cache.put(KEY, json.loads("[1]"), 0.0)
    assert not list(tmp_path.rglob("*.corrupt-*"))


def test_threads_get_one_answer(cache):
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: cache.put(KEY, n, float(n)), range(50)))
    assert len({(kept.answer, kept.seconds) for kept in found}) == 1
