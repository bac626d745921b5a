"""Our parts against the figures of the Chroma report's own code, on its data."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from bench.chroma import measure
from bench.chroma.configurations import MAIN, MORE
from bench.chroma.figures import METRICS, TOLERANCE, read
from bench.data.chunking_evaluation import CORPORA, load
from bench.places import cache_folder
from bench.retrieval.embedders.cache import VectorCache
from bench.retrieval.embedders.encoder import minilm

ALL = {**MAIN, **MORE}


@pytest.fixture(scope="module")
def path(shared):
    return shared / "reference" / "chroma_minilm.json"


@pytest.fixture(scope="module")
def stored(path):
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def dataset(shared):
    return load(shared / "data")


def long(names, *but):
    """Mark what embeds thousands of texts, but for some."""
    return [name if name in but else pytest.param(name, marks=pytest.mark.long) for name in names]


@pytest.fixture(scope="module")
def vectors():
    encoder = minilm(long="cut")
    with VectorCache(cache_folder(), encoder.identity, encoder.dimension) as cache:
        yield measure.vectors_of(encoder, cache)


@pytest.mark.parametrize("name", long(ALL, *(name for name in ALL if "cluster" not in name)))
def test_chunks_and_precision_omega_are_the_reports(name, stored, dataset, vectors):
    chunked = measure.chunk(dataset, ALL[name], vectors)
    known = stored["configs"][name]
    assert len(chunked.found) == known["n_chunks"]
    lengths = [span.end - span.start for span in chunked.found]
    assert np.mean(lengths) == pytest.approx(known["mean_chunk_chars"], abs=0.005)
    found = measure.omegas(chunked, dataset.questions)
    mean, spread = known["exact_search"]["precision_omega"]
    assert 100 * found.mean() == pytest.approx(mean, abs=1e-4)
    assert 100 * found.std() == pytest.approx(spread, abs=1e-4)
    for row in stored["per_question"].get(name, ()):
        assert found[row["q"]] == pytest.approx(row["precision_omega"], abs=1e-9)


@pytest.mark.outside
@pytest.mark.parametrize("name", [name for name in ALL if "cluster" in name])
def test_semantic_chunks_of_one_corpus_are_the_reports(name, stored, dataset, vectors):
    corpus = CORPORA[0]
    asked = tuple(one for one in dataset.questions if one.tags["corpus"] == corpus)
    some = replace(dataset, documents={corpus: dataset.documents[corpus]}, questions=asked)
    found = measure.omegas(measure.chunk(some, ALL[name], vectors), asked)
    mean, spread = stored["configs"][name]["per_corpus_exact_n5"][corpus]["precision_omega"]
    assert 100 * found.mean() == pytest.approx(mean, abs=1e-4)
    assert 100 * found.std() == pytest.approx(spread, abs=1e-4)


def test_the_corpora_stand_in_the_order_of_the_stored_spans(stored):
    assert tuple(stored["corpora_order_in_top5"]) == CORPORA


@pytest.mark.outside
@pytest.mark.parametrize("name", long(ALL, "fixed_400_0"))
def test_end_to_end_within_five_hundredths_of_a_point(name, path, stored, dataset, vectors):
    chunked = measure.chunk(dataset, ALL[name], vectors)
    ranked = measure.search(chunked, dataset.questions, vectors)
    found = measure.as_report(chunked, dataset.questions, ranked).percent()
    known = read(path).configs[name].percent()
    assert found == pytest.approx(known, abs=TOLERANCE)
    assert tuple(found) == METRICS
    # The other way of counting: true offsets, and any copy of the gold.
    if every := stored["configs"][name].get("exact_true_offsets_all_occurrences_recall"):
        ours = measure.as_ours(chunked, dataset.questions, ranked).percent()
        assert ours["recall"] == pytest.approx(every[0], abs=TOLERANCE)


@pytest.mark.outside
def test_the_command_writes_what_agrees(path, shared, tmp_path):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "bench.chroma", str(path)),
            *("--raw", str(shared / "data"), "--out", str(tmp_path), "--only", "fixed_400_0"),
        ],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"COLUMNS": "200"},
    )
    assert done.returncode == 0, done.stderr
    assert "1 of 1: Fixed 400/0\n  824 chunks, 0.0" in done.stderr
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| Fixed 400/0 | 824 (824) | 73.2" in page
    header, row = (tmp_path / "chroma.csv").read_text(encoding="utf-8").splitlines()
    assert len(header.split(",")) == len(row.split(","))
