"""A model that changes under its name is another model."""

from __future__ import annotations

import json
import shutil

import pytest

from bench.catalog import retriever
from bench.errors import UserError
from bench.retrieval.models import identities
from tests.bench.retrieval.embedders.tiny import tiny


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    return tiny(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def copied(model, tmp_path):
    return shutil.copytree(model, tmp_path / "mine")


def named(text):
    return identities(retriever(text)[1])


def test_models_inside_packages_are_known_by_their_versions():
    assert named("minilm+header+maxsim[model=e5,parts=sentences]") == []
    assert named("bm25") == []


@pytest.mark.parametrize("name", ["dense[model={}]", "hybrid[model={}]", "bm25+maxsim[model={}]"])
def test_files_in_a_folder_make_the_identity(copied, name):
    (before,) = named(name.format(copied))
    assert named(name.format(copied)) == [before]
    config = copied / "config_sentence_transformers.json"
    said = json.loads(config.read_text(encoding="utf-8")) | {"prompts": {"query": "ask: "}}
    config.write_text(json.dumps(said), encoding="utf-8")
    assert named(name.format(copied)) != [before]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(UserError, match="no-such"):
        named(f"dense[model={tmp_path}/no-such]")


def test_rows_of_another_model_are_not_reused(made, bench, copied, monkeypatch):
    from bench import family
    from bench.retrieval.embedders.make import encoder

    def run():
        grids = [{"strategy": "topk", "params": {"k": [1]}}]
        return bench(place, grids=grids, retrievers=[f"dense[model={copied}]"])

    place = made()
    run()
    monkeypatch.setattr(family, "_encoder", encoder)
    assert run().reused == 9  # facts, four rows, four curves
    (copied / "README.md").write_text("words only", encoding="utf-8")
    assert run().reused == 9
    weights = next(copied.rglob("*.safetensors"))
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(bytes(content))
    assert run().reused == 0
