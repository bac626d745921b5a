"""What the README says works as it stands there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bench.data.folder import load_folder
from bench.report.cells import escape
from bench.report.readme import BEGIN, COLUMNS, END
from bench.spec import read
from rse import Segment

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_library_example_gives_what_is_written_below_it():
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    *lines, last = [line for line in code.splitlines() if line and not line.startswith("#")]
    names = {}
    exec("\n".join(lines), names)
    assert eval(last, names) == [Segment(1, 4, pytest.approx(1.564, abs=1e-3))]


def test_the_example_dataset_loads(tmp_path):
    for name in ("manifest.json", "documents.jsonl", "questions.jsonl"):
        row = re.search(rf"cat mine/{re.escape(name)}\n(.*)\n", README).group(1)
        json.loads(row)
        (tmp_path / name).write_text(row + "\n", encoding="utf-8")
    assert len(load_folder(tmp_path).questions) == 1


def test_every_file_it_points_to_is_there():
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_table_holds_the_arms_of_the_default_run_and_their_numbers():
    made = README[README.index(BEGIN) : README.index(END)]
    head, _, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in made.splitlines()
        if line.startswith("|")
    ]
    assert tuple(head) == COLUMNS
    spec = read(ROOT / "specs" / "default.yaml")
    (family,) = spec.families()
    names = [
        arm.strategy if arm.scores == "none" else f"{arm.strategy} / {arm.scores}"
        for arm in spec.arms(*family)
    ]
    assert [row[0] for row in rows] == [escape(name) for name in names]
    for _, recall, tokens, p95, margin, empty in rows:
        assert re.fullmatch(r"[\d.]+( \([\d.]+-[\d.]+\))?", recall)
        assert 0 <= float(recall.split()[0]) <= 100
        assert int(tokens) <= int(p95)
        assert re.fullmatch(
            r"-|(\*\*)?([-+][\d.]+|0\.0)(\*\*)?( \([-+.\d]+ to [-+.\d]+\))?", margin
        )
        assert 0 <= float(empty) <= 100
