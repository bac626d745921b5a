"""Files of a report: their names, and what is refused when some are gone."""

from __future__ import annotations

import json

import pytest

from bench.report.write import file_names, rebuild
from bench.store.folder import ResultsError
from bench.store.records import read, save

GRIDS = [{"strategy": "topk", "params": {"k": [1, 3]}}]


def test_names_of_files_are_safe_and_each_its_own():
    names = [
        "a/same",
        "b/same",
        "A-same",
        "my set [1] (x)",
        "中文数据",
        "数据",
        "..",
        "$x^{$",
        "a.b_c",
    ]
    assert list(file_names(names).values()) == [
        *("a-same", "b-same", "A-same-2", "my-set-1-x", "dataset", "dataset-2", "dataset-3", "x"),
        "a.b_c",
    ]


@pytest.mark.parametrize("name", ["my set [1] (x)", "$x^{$", "中文数据", "a/b|c", "n" * 100])
def test_any_name_has_its_figure_and_its_link(bench, made, name):
    outcome = bench(made(name=name), grids=GRIDS, figures=True)
    (figure,) = (outcome.folder / "figures").glob("*.svg")
    report = (outcome.folder / "report.md").read_text(encoding="utf-8")
    assert f"![Recall against tokens](figures/{figure.name})" in report
    assert figure.name.isascii()


@pytest.mark.parametrize("file", ["records.parquet", "curves.parquet"])
@pytest.mark.parametrize("damage", ["missing", "torn"])
def test_stored_rows_that_are_gone_are_an_error(bench, made, file, damage):
    folder = bench(made(), grids=GRIDS).folder
    path = folder / file
    content = path.read_bytes()
    path.unlink()
    if damage == "torn":
        path.write_bytes(content[:-9])
    with pytest.raises(ResultsError, match=rf"{file}.*(run again|makes them)"):
        rebuild(folder)


def test_curves_that_lack_a_question_are_an_error(bench, made):
    folder = bench(made(), grids=GRIDS).folder
    path = folder / "curves.parquet"
    save(path, read(path)[1:])
    with pytest.raises(ResultsError, match=r"lacks the question q1 of made; run again"):
        rebuild(folder)


@pytest.mark.parametrize("content", ["{}", "[]", "{", '{"format": 1}'])
def test_another_manifest_is_an_error(bench, made, content):
    folder = bench(made(), grids=GRIDS).folder
    (folder / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises(ResultsError, match=r"manifest.json is .*; run again"):
        rebuild(folder)


def test_a_report_is_rebuilt_from_what_is_stored(bench, made):
    outcome = bench(made(), grids=GRIDS)
    before = (outcome.folder / "report.md").read_bytes()
    (outcome.folder / "report.md").unlink()
    assert json.dumps(rebuild(outcome.folder)) == json.dumps(outcome.summary)
    assert (outcome.folder / "report.md").read_bytes() == before


@pytest.mark.parametrize("file", ["records.parquet", "curves.parquet"])
def test_rows_of_another_version_are_refused(bench, made, file):
    folder = bench(made(), grids=GRIDS).folder
    rows = read(folder / file)
    lacking = (
        ["spans", "tokens", "recall"] if file[0] == "r" else ["tokens", "oracle_steps", "hits"]
    )
    for name in lacking:
        save(folder / file, [{k: v for k, v in row.items() if k != name} for row in rows])
        with pytest.raises(ResultsError, match=rf"{file}: row 0 is damaged, or of another version"):
            rebuild(folder)
    wrong = {"recall": 5.0} if file[0] == "r" else {"tokens": None}
    save(folder / file, [*rows[:-1], {**rows[-1], **wrong}])
    with pytest.raises(ResultsError, match=rf"{file}: row {len(rows) - 1} is damaged"):
        rebuild(folder)
