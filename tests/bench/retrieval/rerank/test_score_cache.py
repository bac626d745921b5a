"""Kept scores: scored once, never mixed up, and what they took stays with them."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest

from bench.retrieval.rerank.scores import ScoreCache
from tests.bench.retrieval.rerank.rerankers import Counting


@pytest.fixture
def opened(tmp_path):
    made = []

    def make(reranker):
        made.append(ScoreCache(tmp_path, reranker))
        return made[-1]

    yield make
    for cache in made:
        cache.close()


def test_what_was_scored_once_is_not_scored_again(opened):
    reranker = Counting()
    cache = opened(reranker)
    score, _ = cache.score("a", ["a a", "b", "a"])
    assert score.tolist() == [0.2, 0.0, 0.1]
    score, _ = opened(reranker).score("a", ["a", "a a a", "b"])
    assert score.tolist() == [0.1, 0.3, 0.0]
    assert reranker.asked == [("a", ["a a", "b", "a"]), ("a", ["a a a"])]


def test_query_and_text_are_no_one_string(opened):
    reranker = Counting(score=lambda query, texts: np.full(len(texts), len(query) / 10))
    cache = opened(reranker)
    assert cache.score("ab", ["c"])[0].tolist() == [0.2]
    assert cache.score("a", ["bc"])[0].tolist() == [0.1]


def test_rerankers_do_not_share_scores(opened):
    one = opened(Counting("one", score=lambda query, texts: np.full(len(texts), 0.25)))
    two = opened(Counting("two", score=lambda query, texts: np.full(len(texts), 0.75)))
    assert one.score("q", ["t"])[0].tolist() == [0.25]
    assert two.score("q", ["t"])[0].tolist() == [0.75]


def test_equal_texts_are_scored_once_and_get_the_same(opened):
    reranker = Counting()
    score, _ = opened(reranker).score("a", ["a", "b", "a"])
    assert score.tolist() == [0.1, 0.0, 0.1]
    assert reranker.asked == [("a", ["a", "b"])]


def test_a_list_is_another_list_when_one_text_differs(opened):
    reranker = Counting(listwise=True, score=lambda query, texts: np.linspace(1, 0, len(texts)))
    cache = opened(reranker)
    assert cache.score("q", ["a", "b", "a"])[0].tolist() == [1, 0.5, 0]
    assert cache.score("q", ["a", "b", "a"])[0].tolist() == [1, 0.5, 0]
    assert cache.score("q", ["a", "b"])[0].tolist() == [1, 0]
    assert len(reranker.asked) == 2


def test_seconds_are_those_of_making_the_scores(opened):
    def slow(query, texts):
        time.sleep(0.05)
        return np.zeros(len(texts))

    cache = opened(Counting(score=slow))
    _, first = cache.score("q", ["a", "b"])
    _, again = cache.score("q", ["a", "b"])
    assert 0.05 <= first < 1
    assert again == first
    assert cache.score("q", ["a"])[1] == pytest.approx(first / 2)


def test_what_is_prepared_is_not_timed(opened):
    class Preparing(Counting):
        def prepare(self, texts):
            time.sleep(0.2)
            self.asked.append(("prepared", list(texts)))

    reranker = Preparing()
    _, seconds = opened(reranker).score("a", ["a", "b"])
    assert seconds < 0.1
    assert reranker.asked == [("prepared", ["a", "b"]), ("a", ["a", "b"])]


def test_no_texts(opened):
    score, seconds = opened(Counting()).score("q", [])
    assert score.shape == (0,)
    assert seconds == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([0.5], "shape"),
        ([0.5, 1.5], r"counting: scores must lie in \[0, 1\] \(words counted, over 10\).* to 1.5"),
        ([0.5, -0.1], "found -0.1 to 0.5"),
        ([0.5, np.nan], "scores must lie"),
        ([np.nan, np.nan], "found nan to nan"),
        ([0.5, np.inf], "to inf"),
    ],
)
def test_other_scores_are_refused_and_not_kept(opened, given, message):
    bad = opened(Counting(score=lambda query, texts: np.array(given)))
    with pytest.raises(ValueError, match=message):
        bad.score("q", ["a", "b"])
    good = opened(Counting())
    assert good.score("a", ["a", "b"])[0].tolist() == [0.1, 0.0]


@pytest.mark.parametrize("broken", [(2.0, 0.1), (float("inf"), 0.1), (0.5, -1.0), ("x", 0.1)])
def test_broken_rows_are_scored_again(opened, broken):
    reranker = Counting()
    cache = opened(reranker)
    cache.score("a", ["a"])
    cache._database.run(lambda db: db.execute("UPDATE scores SET score = ?, seconds = ?", broken))
    assert cache.score("a", ["a"])[0].tolist() == [0.1]
    assert cache.score("a", ["a"])[0].tolist() == [0.1]
    assert len(reranker.asked) == 2


def test_a_damaged_file_is_set_aside(opened):
    cache = opened(Counting())
    cache.score("a", ["a"])
    cache.close()
    cache.path.write_bytes(b"no database" * 1000)
    assert cache.score("a", ["a"])[0].tolist() == [0.1]
    assert list(cache.path.parent.glob("*.corrupt-1"))


SCRIPT = """
import sys
import numpy as np
from pathlib import Path
from bench.retrieval.rerank.scores import ScoreCache
from tests.bench.retrieval.rerank.rerankers import Counting
mine = float(sys.argv[2])
cache = ScoreCache(Path(sys.argv[1]), Counting(score=lambda q, texts: np.full(len(texts), mine)))
found = [cache.score("q", [f"text {i}" for i in range(n, n + 20)])[0] for n in range(0, 200, 10)]
print(*np.concatenate(found))
"""


def test_two_processes_end_with_the_same_scores(tmp_path):
    started = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(tmp_path), mine], stdout=subprocess.PIPE, text=True
        )
        for mine in ("0.25", "0.75")
    ]
    ended = [one.communicate()[0] for one in started]
    assert [one.returncode for one in started] == [0, 0]
    assert ended[0] == ended[1]


def test_no_text_is_kept(opened):
    cache = opened(Counting())
    cache.score("a secret question", ["a secret passage"])
    cache.close()
    kept = b"".join(path.read_bytes() for path in cache.path.parent.iterdir())
    assert b"secret" not in kept
