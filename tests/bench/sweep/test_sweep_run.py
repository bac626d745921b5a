"""Whole sweeps: files, resumption, processes, wrong settings, two at once."""

from __future__ import annotations

import csv
import errno
import json

import pytest

from bench.errors import UserError
from bench.store.folder import ResultsError, writing
from bench.sweep import units as units_module
from bench.sweep.dataset import Options
from bench.sweep.units import Local

PENALTIES = [0.05, 0.1, 0.2, 0.3]
GRIDS = [
    {
        **{"strategy": "rse", "scores": ["none", "minmax"]},
        "params": {"irrelevant_chunk_penalty": PENALTIES, "minimum_value": [0.1, 0.3]},
    }
]
FILES = ("cv_results.csv", "choices.csv", "sensitivity.csv", "sweep.md")


def rows(folder, name="cv_results"):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def contents(folder):
    cards = {f"cards/{path.name}": path.read_bytes() for path in (folder / "cards").iterdir()}
    return cards | {name: (folder / name).read_bytes() for name in FILES}


def test_a_sweep_leaves_what_it_promises(swept, many):
    found = swept(many(), grids=GRIDS, goals=["balanced", 60], figures=True)
    folder = found.folder
    table = rows(folder)
    assert len(table) == 16
    assert {row["param_irrelevant_chunk_penalty"] for row in table} == set(map(str, PENALTIES))
    assert all(row["questions"] == "24" and not row["error"] for row in table)
    assert [row["goal"] for row in rows(folder, "choices")] == ["balanced", "60"]
    assert sorted(path.name for path in (folder / "cards").iterdir()) == [
        "60_tokens.yaml",
        "balanced.yaml",
    ]
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    folds = manifest["datasets"][0]["folds"]
    assert "none" not in folds
    assert folds["q00"] == folds["q02"]  # both about the same document
    assert set(folds.values()) == {0, 1, 2, 3}
    page = (folder / "sweep.md").read_text(encoding="utf-8")
    assert "16 settings on 1 dataset; 4 folds by document" in page
    assert "optimism" in page
    for figure in (folder / "figures").glob("*.svg"):
        assert figure.name in page
    assert (folder / "figures" / "irrelevant_chunk_penalty_many.svg").exists()


def test_processes_change_nothing(swept, many):
    place = many()
    one = contents(swept(place, grids=GRIDS).folder)
    two = contents(
        swept(place, grids=GRIDS, place="other", options=Options(runner=Local(2))).folder
    )
    assert one == two


def test_a_sweep_that_stopped_goes_on(swept, many, monkeypatch):
    place = many()
    whole = contents(swept(place, grids=GRIDS, place="whole").folder)
    monkeypatch.setattr(units_module, "SELECTIONS", 25)  # a piece of work for each setting
    done, do = [], units_module.do

    def until(work):
        if len(done) == 5:
            raise KeyboardInterrupt
        done.append(work)
        return do(work)

    monkeypatch.setattr(units_module, "do", until)
    with pytest.raises(KeyboardInterrupt):
        swept(place, grids=GRIDS)
    done.clear()

    def count(work):
        done.append(work)
        return do(work)

    monkeypatch.setattr(units_module, "do", count)
    found = swept(place, grids=GRIDS)
    assert len(done) == 16 - 5
    assert contents(found.folder) == whole
    (path, *_) = sorted((found.folder / "units").iterdir())
    path.write_bytes(path.read_bytes()[:-20])
    done.clear()
    assert contents(swept(place, grids=GRIDS).folder) == whole
    assert len(done) == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_full_disk_loses_nothing_earned(swept, many, monkeypatch, jobs):
    place = many()
    whole = contents(swept(place, grids=GRIDS, place="whole").folder)
    monkeypatch.setattr(units_module, "SELECTIONS", 25)
    write, written = units_module.write_bytes, []

    def until_full(path, content):
        if len(written) == 3:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        written.append(path)
        write(path, content)

    options = Options(runner=Local(jobs))
    monkeypatch.setattr(units_module, "write_bytes", until_full)
    with pytest.raises(OSError, match="No space left on device"):
        swept(place, grids=GRIDS, options=options)
    assert all(path.is_file() for path in written)
    monkeypatch.setattr(units_module, "write_bytes", write)
    assert contents(swept(place, grids=GRIDS, options=options).folder) == whole


def test_a_wrong_setting_is_recorded_and_the_rest_goes_on(swept, many):
    grid = {"strategy": "rse", "params": {"irrelevant_chunk_penalty": [0.1, -1, 0.2]}}
    found = swept(many(), grids=[grid])
    assert len(found.failed) == 1
    (why,) = found.failed.values()
    assert "irrelevant_chunk_penalty" in why
    table = rows(found.folder)
    assert [bool(row["error"]) for row in table] == [False, True, False]
    assert table[1]["mean_recall"] == ""
    assert "1 settings failed" in (found.folder / "sweep.md").read_text(encoding="utf-8")


def test_too_few_documents_for_the_folds(swept, many):
    with pytest.raises(UserError, match=r"about 3 separate groups .* for 4 folds; set folds to 3"):
        swept(many(documents=3), grids=GRIDS)
    with pytest.raises(UserError, match=r"1 separate group of .*; add questions .*split: datasets"):
        swept(many("one", documents=1), grids=GRIDS)


def test_a_second_sweep_of_the_same_folder_is_refused(swept, many, tmp_path):
    with writing(tmp_path / "results"), pytest.raises(ResultsError, match="another run"):
        swept(many(), grids=GRIDS)


def test_each_dataset_held_out(swept, many):
    found = swept(many("one"), many("two", documents=5), grids=GRIDS, split="datasets", goals=[80])
    table = rows(found.folder, "choices")
    assert [row["dataset"] for row in table] == ["one", "two"]
    assert {row["parts"] for row in table} == {"1"}
    assert sorted(path.name for path in (found.folder / "cards").iterdir()) == [
        "one_80_tokens.yaml",
        "two_80_tokens.yaml",
    ]


def test_axes_without_effect_are_said(swept, many):
    grid = {"strategy": "topk", "params": {"k": [3]}, "scores": ["none", "minmax"]}
    found = swept(many(), grids=[grid])
    assert [(one.axis, one.values) for one in found.results.no_effect] == [
        ("scores", ("none", "minmax"))
    ]
    assert "**No effect**" in (found.folder / "sweep.md").read_text(encoding="utf-8")


def test_chunks_that_overlap_are_refused_in_one_line(swept, many):
    with pytest.raises(UserError, match=r"needs chunks that do not overlap; set overlap to 0"):
        swept(many(), grids=GRIDS, chunkers=["fixed[size=36,overlap=9]"])


SEARCHED = [
    {
        **{"strategy": "rse", "scores": ["none", "minmax"]},
        "params": {
            "irrelevant_chunk_penalty": {"low": 0.02, "high": 0.6, "log": True},
            "minimum_value": {"low": 0.05, "high": 0.5},
            "max_length": {"low": 3, "high": 20},
        },
    },
    {"strategy": "topk", "params": {"k": [1, 2, 3, 5]}},
]


def test_a_random_search(swept, many):
    found = swept(many(), grids=SEARCHED, search="random", trials=25)
    assert len(rows(found.folder)) == 25
    assert contents(swept(many("two"), grids=SEARCHED, search="random", trials=25).folder)


def test_optuna_searches_each_fold_without_looking_at_it(swept, many):
    pytest.importorskip("optuna", reason="pip install 'rse-bench[optuna]'")
    place = many()
    found = swept(place, grids=SEARCHED, search="optuna", trials=22, goals=[80])
    table = rows(found.folder)
    assert 22 < len(table) <= 5 * 22
    ((_, choice),) = found.results.chosen
    assert len(choice.parts) == 4
    again = swept(place, grids=SEARCHED, search="optuna", trials=22, goals=[80], place="again")
    assert contents(again.folder) == contents(found.folder)
