from __future__ import annotations

import logging
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from bench.places import cache_folder
from bench.retrieval.embedders.cache import VectorCache
from tests.bench.retrieval.fakes import Fake, unit

ROOT = Path(__file__).resolve().parents[4]
WRITER = """
import sys
from pathlib import Path
from bench.retrieval.embedders.cache import VectorCache
from tests.bench.retrieval.fakes import Fake

folder, name, blocks = sys.argv[1:]
content, identity = Fake(name), Fake("shared").identity
with VectorCache(Path(folder), identity, 8) as cache:
    for block in range(int(blocks)):
        texts = [f"text {block} {i}" for i in range(50)]
        cache.put(texts, content.encode(texts))
        print(block, flush=True)
"""


@pytest.fixture
def cache(tmp_path):
    with VectorCache(tmp_path, "ab" * 32, 8) as made:
        yield made


def test_gives_back_what_was_put(cache):
    texts = ["a", "", "数据 集", "lone \ud800", "a b"]
    rows = Fake().encode(texts)
    assert cache.get(texts) == {}
    assert np.array_equal(cache.put(texts, rows), rows)
    found = cache.get(["new", *texts, "a"])
    assert sorted(found) == [1, 2, 3, 4, 5, 6]
    assert np.array_equal(np.array([found[i] for i in range(1, 6)]), rows)
    assert np.array_equal(found[6], rows[0])
    assert cache.path.name == "abababababababab.sqlite"


def test_nothing_is_fine(cache):
    assert cache.get([]) == {}
    assert cache.put([], np.zeros((0, 8), np.float32)).shape == (0, 8)


def test_more_texts_than_one_query_takes(cache):
    texts = [str(i) for i in range(1201)]
    rows = Fake().encode(texts)
    cache.put(texts, rows)
    found = cache.get(texts)
    assert np.array_equal(np.array([found[i] for i in range(1201)]), rows)


def test_the_first_vector_stays(cache):
    first, second = unit(np.ones((1, 8))), unit([[1.0] + [0.0] * 7])
    cache.put(["a"], first)
    assert np.array_equal(cache.put(["a"], second), first)
    assert np.array_equal(cache.get(["a"])[0], first[0])


@pytest.mark.parametrize(
    "rows", [np.zeros((1, 8)), np.full((1, 8), np.nan), unit(np.ones((1, 7))), np.ones((1, 8))]
)
def test_takes_unit_vectors_only(cache, rows):
    with pytest.raises(ValueError, match="takes 1 unit vectors of 8 numbers"):
        cache.put(["a"], rows)


def test_two_encoders_of_one_dimension(tmp_path):
    east, north = unit([[1.0, 0.0]]), unit([[0.0, 1.0]])
    with VectorCache(tmp_path, "a" * 64, 2) as one, VectorCache(tmp_path, "b" * 64, 2) as two:
        one.put(["x"], east)
        assert two.get(["x"]) == {}
        two.put(["x"], north)
        assert np.array_equal(one.get(["x"])[0], east[0])
        assert np.array_equal(two.get(["x"])[0], north[0])


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"123",
        "text",
        unit(np.ones(7)).tobytes(),
        np.full(8, np.inf, np.float32).tobytes(),
        np.full(8, np.nan, np.float32).tobytes(),
        bytes(32),
        None,
    ],
)
def test_a_broken_row_is_missing_and_replaced(cache, broken, caplog):
    rows = Fake().encode(["a", "b"])
    cache.put(["a", "b"], rows)
    other = sqlite3.connect(cache.path)
    with other:
        other.execute("UPDATE vectors SET vector = ? WHERE rowid = 1", (broken,))
    other.close()
    with caplog.at_level(logging.WARNING):
        assert sorted(cache.get(["a", "b"])) == [1]
    assert "1 broken vectors" in caplog.text
    cache.put(["a", "b"], rows)
    assert np.array_equal(cache.get(["a", "b"])[0], rows[0])


@pytest.mark.parametrize("when", ["closed", "open"])
def test_a_damaged_file_is_set_aside(cache, when, caplog):
    texts = [str(i) for i in range(500)]
    rows = Fake().encode(texts)
    cache.put(texts, rows)
    for number in (1, 2):
        cache.close()
        if when == "open":
            cache.get(["0"])
        content = cache.path.read_bytes()
        cache.path.write_bytes(b"\xff" * len(content))
        assert cache.get(texts) == {}
        assert f"kept as {cache.path.name}.corrupt-{number}" in caplog.text
        assert cache.path.with_name(f"{cache.path.name}.corrupt-{number}").exists()
        assert np.array_equal(cache.put(texts, rows), rows)
    assert len(cache.get(texts)) == 500


def test_damage_found_while_writing(cache):
    texts = [str(i) for i in range(500)]
    rows = Fake().encode(texts)
    cache.put(texts, rows)
    cache.close()
    cache.path.write_bytes(b"no database" * 100)
    assert np.array_equal(cache.put(["new"], rows[:1]), rows[:1])
    assert sorted(cache.get(["new", "1"])) == [0]


def test_two_that_find_the_damage_keep_one_file(tmp_path):
    with VectorCache(tmp_path, "a" * 64, 8) as one, VectorCache(tmp_path, "a" * 64, 8) as two:
        texts = [str(i) for i in range(500)]
        rows = Fake().encode(texts)
        one.put(texts, rows)
        two.get(texts)
        one.close(), two.close()
        one.path.write_bytes(b"\xff" * 8192)
        one.put(texts, rows)
        two._database.set_aside()
        assert len(two.get(texts)) == 500
        assert len(list(one.path.parent.glob("*.corrupt-*"))) == 1


def test_a_folder_that_cannot_be_written(tmp_path):
    place = tmp_path / "place"
    place.write_text("a file", encoding="utf-8")
    with pytest.raises(OSError, match=r"place/vectors.*RSE_BENCH_CACHE"):
        VectorCache(place, "a" * 64, 8).get(["a"])


def test_the_folder_is_the_one_in_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "数据 集"))
    assert cache_folder() == tmp_path / "数据 集"
    with VectorCache(cache_folder(), "a" * 64, 8) as cache:
        cache.put(["a"], Fake().encode(["a"]))
    monkeypatch.setenv("RSE_BENCH_CACHE", "")
    assert "rse-bench" in str(cache_folder())


def _writer(folder, name, blocks):
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), name, str(blocks)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_two_processes_at_once_agree(tmp_path):
    writers = [_writer(tmp_path, name, 60) for name in ("left", "right")]
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    texts = [f"text {block} {i}" for block in range(60) for i in range(50)]
    with VectorCache(tmp_path, Fake("shared").identity, 8) as cache:
        found = cache.get(texts)
    assert len(found) == 3000
    rows = np.array([found[i] for i in range(3000)])
    left, right = Fake("left").encode(texts), Fake("right").encode(texts)
    assert ((rows == left).all(axis=1) | (rows == right).all(axis=1)).all()


def test_a_writer_killed_on_the_way_loses_no_finished_block(tmp_path):
    writer = _writer(tmp_path, "left", 100_000)
    done = [writer.stdout.readline() for _ in range(20)]
    time.sleep(0.01)  # somewhere within a later block
    writer.send_signal(signal.SIGKILL)
    writer.communicate()
    assert len(done) == 20
    with VectorCache(tmp_path, Fake("shared").identity, 8) as cache:
        texts = [f"text {block} {i}" for block in range(20) for i in range(50)]
        found = cache.get(texts)
        assert np.array_equal(np.array([found[i] for i in range(1000)]), Fake("left").encode(texts))
        cache.put(["more"], Fake("left").encode(["more"]))
    assert not list(tmp_path.rglob("*.corrupt-*"))
