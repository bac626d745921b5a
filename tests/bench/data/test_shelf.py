"""What `data list` shows."""

from __future__ import annotations

import json
import re

import pytest

from bench.catalog import DATASETS
from bench.data.cards import CARDS, card
from bench.data.shelf import card_of, expected_counts, shelf
from bench.types import Evidence

KEYS = {"name", "title", "license", "commercial_use", "citation", "source", "revision"}
KEYS |= {"language", "search", "verified", "sha256"}


@pytest.mark.parametrize("path", sorted(CARDS.glob("*/card.json")), ids=lambda p: p.parent.name)
def test_every_card_says_what_people_must_know(path):
    said = json.loads(path.read_text(encoding="utf-8"))
    assert set(said) >= KEYS
    assert said["name"] == path.parent.name
    assert (path.parent / "README.md").is_file()
    assert isinstance(said["commercial_use"], bool)
    assert said["verified"] or said["note"] == "not verified on the real files"
    assert len(said["license"]) < 30  # a name; what else there is to say is a license_note
    if said.get("url"):
        assert said["url"].startswith("https://")
        assert {"{revision}", "{path}"} <= {part + "}" for part in re.findall(r"{\w+", said["url"])}
        assert set(said.get("upstream_path", {})) <= set(said["sha256"])


@pytest.mark.parametrize("name", DATASETS)
def test_every_public_dataset_has_a_card_with_counts_where_verified(name):
    if name.startswith("pydata-docs"):
        assert card_of(name) is None
        return
    keys = {"documents", "questions", "with_gold", "excluded", "passages", "revision"}
    keys |= set(Evidence._fields)
    if name in {"financebench", "all_rag_techniques"}:  # another PDFium may read other blanks
        keys.remove("revision")
    assert set(expected_counts(name)) == (keys if card(card_of(name))["verified"] else set())


def test_files_are_here_partly_here_or_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))

    def files(name):
        return next(row.files for row in shelf(tmp_path) if row.name == name)

    assert files("xquad-en") == "missing"
    assert files("tiny") == files("pydata-docs") == "comes with rse-bench"
    (tmp_path / "xquad").mkdir()
    (tmp_path / "xquad" / "xquad.en.json").write_bytes(b"")
    assert (files("xquad-en"), files("xquad-zh")) == ("here", "missing")
    folder = tmp_path / "qmsum" / "data" / "ALL" / "val"
    folder.mkdir(parents=True)
    (folder / "Bed002.json").write_bytes(b"")
    assert (files("qmsum"), files("qmsum-test")) == ("partly", "missing")
