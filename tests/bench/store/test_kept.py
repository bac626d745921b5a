"""What is kept is counted by kind, and only what is named goes away."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from bench.errors import UserError
from bench.retrieval.embedders.cache import VectorCache
from bench.retrieval.rerank.scores import ScoreCache
from bench.store.kept import KINDS, clear, kept
from tests.bench.retrieval.fakes import Fake
from tests.bench.retrieval.rerank.rerankers import Counting


@pytest.fixture
def filled(tmp_path):
    encoder = Fake()
    with VectorCache(tmp_path, encoder.identity, encoder.dimension) as cache:
        cache.put(["a", "b"], encoder.encode(["a", "b"]))
    scores = ScoreCache(tmp_path, Counting())
    scores.score("a", ["a", "b", "c"])
    scores.close()
    (tmp_path / "pdf").mkdir()
    (tmp_path / "pdf" / "one.json").write_bytes(b"x" * 1234)
    (tmp_path / "somebody's").mkdir()
    (tmp_path / "somebody's" / "letter.txt").write_text("dear", encoding="utf-8")
    return tmp_path


def test_kinds_are_counted(filled):
    found = {one.kind: one for one in kept(filled)}
    assert list(found) == list(KINDS)
    assert found["vectors"].entries == 2
    assert found["rerank"].entries == 3
    assert found["pdf"][2:] == (1, 1234, None)
    assert found["raw"][2:] == (0, 0, None)


def test_no_cache_at_all(tmp_path):
    assert all(one.files == one.bytes == 0 for one in kept(tmp_path / "nowhere"))
    assert clear(tmp_path / "nowhere", ["pdf"])[0].files == 0


def test_only_what_is_named_goes(filled):
    assert [one.kind for one in clear(filled, ["vectors", "vectors"])] == ["vectors"]
    found = {one.kind: one for one in kept(filled)}
    assert found["vectors"].files == 0
    assert found["rerank"].entries == 3
    clear(filled, list(KINDS))
    assert all(one.files == 0 for one in kept(filled))
    assert (filled / "somebody's" / "letter.txt").read_text(encoding="utf-8") == "dear"


def test_unknown_kinds_are_refused_before_anything_goes(filled):
    with pytest.raises(UserError, match="nothing called 'nope' is kept; there are: vectors"):
        clear(filled, ["vectors", "nope"])
    assert kept(filled)[0].entries == 2


def test_a_link_to_elsewhere_is_cut_not_followed(filled, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "mine.npy").write_bytes(b"x")
    (filled / "matrices").symlink_to(elsewhere, target_is_directory=True)
    clear(filled, ["matrices"])
    assert not (filled / "matrices").exists()
    assert (elsewhere / "mine.npy").exists()


def test_a_damaged_file_has_no_number_of_entries(filled):
    (filled / "vectors" / "broken.sqlite").write_bytes(b"nothing" * 100)
    assert kept(filled)[0].entries is None


def test_a_cleared_cache_fills_again(filled):
    clear(filled, ["vectors"])
    encoder = Fake()
    with VectorCache(filled, encoder.identity, encoder.dimension) as cache:
        assert cache.get(["a"]) == {}
        assert np.array_equal(cache.put(["a"], encoder.encode(["a"])), encoder.encode(["a"]))


def test_every_folder_of_the_cache_is_a_kind():
    """Whoever keeps something new must name it, or `cache clear --all` would leave it."""
    source = Path(__file__).resolve().parents[3] / "bench"
    said = {
        name
        for path in source.rglob("*.py")
        for name in re.findall(r'(?:folder|cache_folder\(\)) / "([\w-]+)"', path.read_text("utf-8"))
    }
    known = set(KINDS) | {"figures", "data", "corpora", "qrels"}  # of runs and datasets
    assert {"vectors", "matrices", "rerank", "answers", "onnx", "pdf", "page_images"} <= said
    assert said <= known | {name for name in said if "." in name}, said - known
