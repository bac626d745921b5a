"""Measuring: the same numbers as a run, whoever does it, and errors where they belong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bench import family
from bench.data.folder import load_folder
from bench.family import prepare
from bench.progress import Progress
from bench.store.records import RECORDS, read, record_of
from bench.sweep import measure as module
from bench.sweep.measure import COLUMNS, measure
from bench.sweep.searched import Wanted, search
from bench.sweep.searched_file import load, save
from rse import RSE
from rse.calibration import MinMax
from tests.bench.retrieval.fakes import Fake

ARMS = [
    *("topk[k=3]", "rse", "rse[irrelevant_chunk_penalty=0.05,minimum_value=0.1]", "simple"),
    *("optimal[segment_cost=0]", "optimal[value=share,token_budget=100]", "priced", "oracle"),
    *("priced[token_budget=60]", "random[k=2]", "window[k=2,size=1]", "mmr[k=3]"),
]


@pytest.fixture
def searched(many, monkeypatch, tmp_path):
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(family, "_encoder", lambda _: Fake())
    place = many()
    made = prepare(load_folder(Path(place)), "fixed[size=36] / minilm", None, Progress())
    return place, search(made, Wanted(200, 2, vectors=True), Progress())


def test_the_same_numbers_as_a_run(bench, searched):
    place, held = searched
    grids = [{"strategy": name, "scores": ["minmax"]} for name in ARMS]
    rows = [record_of(row) for row in read(bench(place, grids=grids).folder / RECORDS)]
    found = measure(held, "minmax", ARMS)
    assert found.errors == {}
    by_arm = {}
    for record in rows:
        by_arm.setdefault(record.arm, []).append(record)
    for values, records in zip(found.values, by_arm.values(), strict=True):
        assert [one.question for one in records] == held.questions
        for row, record in zip(values, records, strict=True):
            wanted = {**record.metrics, "tokens": record.context.tokens}
            wanted["segments"] = len(record.context.spans)
            for name in ("recall", "precision", "iou", "tokens", "segments"):
                got = row[COLUMNS.index(name)]
                assert got == pytest.approx(wanted[name], nan_ok=True), (record.arm, name)


def test_a_file_gives_everything_back(searched, tmp_path):
    _, held = searched
    save(tmp_path / "s.npz", held)
    again = load(tmp_path / "s.npz")
    assert [one.id for one in again.asked] == [one.id for one in held.asked]
    for one, other in zip(held.asked, again.asked, strict=True):
        for mine, theirs in zip(one.hits, other.hits, strict=True):
            assert np.array_equal(mine.chunk, theirs.chunk)
            assert np.array_equal(mine.score, theirs.score)
            assert set(mine.features) == set(theirs.features) == {"neighbours", "vectors"}
            for name, rows in mine.features.items():
                assert np.array_equal(rows, theirs.features[name], equal_nan=True)
        assert all(np.array_equal(a, b) for a, b in zip(one.targets, other.targets, strict=True))
    whole, kept = (measure(each, "minmax", ARMS).values for each in (held, again))
    assert np.array_equal(whole, kept, equal_nan=True)


@pytest.mark.parametrize("damage", ["torn", "empty", "other"])
def test_a_damaged_file_is_told(searched, tmp_path, damage):
    path = tmp_path / "s.npz"
    save(path, searched[1])
    content = path.read_bytes()
    path.write_bytes({"torn": content[:-200], "empty": b"", "other": b"PK nothing"}[damage])
    with pytest.raises(ValueError, match=r"s\.npz is damaged"):
        load(path)


def test_one_setting_that_fails_leaves_the_others_alone(searched, monkeypatch):
    _, held = searched
    alone = measure(held, "none", ["rse", "priced"])

    def unlucky(*_):
        raise RuntimeError("no such luck")

    monkeypatch.setattr(module, "Batch", unlucky)
    monkeypatch.setattr(RSE, "select", unlucky)
    found = measure(held, "none", ["rse", "priced"])
    assert found.errors == {0: "RuntimeError: no such luck"}
    assert np.isnan(found.values[0]).all()
    assert np.array_equal(found.values[1], alone.values[1], equal_nan=True)


def test_scores_that_fail_fail_all_their_settings(searched, monkeypatch):
    _, held = searched

    def unlucky(*_):
        raise RuntimeError("no such luck")

    monkeypatch.setattr(MinMax, "apply", unlucky)
    found = measure(held, "minmax", ["rse", "priced"])
    assert found.errors == dict.fromkeys((0, 1), "RuntimeError: no such luck")
    assert np.isnan(found.values).all()
