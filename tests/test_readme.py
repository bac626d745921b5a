"""What the README says works as it stands there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bench.data.folder import load_folder
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
