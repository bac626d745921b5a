"""The README's table is what a run says."""

from __future__ import annotations

import pytest

from bench.errors import UserError
from bench.report.readme import BEGIN, END, read_summary, table, update
from bench.report.table import interval

GRIDS = [{"strategy": "topk", "params": {"k": [1, 3]}}, {"strategy": "rse", "scores": ["minmax"]}]


def test_the_part_between_the_marks_is_replaced_and_no_other(bench, made, tmp_path):
    folder = bench(made(), grids=GRIDS, figures=True).folder
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    update(folder, readme)
    text = readme.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{BEGIN}\n\n`made`: 4 questions, 3 documents (")
    assert text.endswith(f"\n{END}\nafter\n")
    assert "old" not in text
    assert "\n| topk\\[k=1\\] | " in text
    assert "\n| rse / minmax | " in text
    figure = tmp_path / "docs" / "figures" / "recall_tokens_made.svg"
    assert figure.read_bytes() == (folder / "figures" / figure.name).read_bytes()
    update(folder, readme)
    assert readme.read_text(encoding="utf-8") == text


def test_numbers_come_back_as_they_were(bench, made):
    outcome = bench(made(), grids=GRIDS)
    found = read_summary(outcome.folder / "summary.csv")
    for again, row in zip(found, outcome.summary, strict=True):
        assert interval(again, "recall") == interval(row, "recall")
        assert {name: type(again[name]) for name in again if not isinstance(row[name], str)} == (
            dict.fromkeys((name for name in row if not isinstance(row[name], str)), float)
        )
    assert table(found) == table(outcome.summary)


def test_what_cannot_be_one_table_is_refused(bench, made, tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text("no marks", encoding="utf-8")
    folder = bench(made("one"), made("two"), grids=GRIDS).folder
    with pytest.raises(UserError, match="needs the lines"):
        update(folder, readme)
    readme.write_text(f"{BEGIN}\n{END}\n", encoding="utf-8")
    with pytest.raises(UserError, match="must hold one dataset"):
        update(folder, readme)
