"""The page is pasted into a shell; what it shows is what comes out."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.data.load import load
from bench.data.own.questions import COLUMNS, TAG
from bench.data.own.walk import KINDS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "own-documents.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"```sh\n(.*?)```.*?```text\n(.*?)```", PAGE, re.DOTALL)
BUILDS = [(block, shown) for block, shown in SHOWN if "rse-bench data build" in block]


@pytest.fixture
def pasted(tmp_path):
    """Run a block of the page in a shell that knows `rse-bench`; return its output."""
    command = tmp_path / "bin" / "rse-bench"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bench "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    paths = {"PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}

    def run(block):
        found = subprocess.run(
            ["sh", "-e", "-c", block],
            cwd=tmp_path,
            env={**os.environ, **paths, "RSE_BENCH_CACHE": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert found.returncode == 0, found.stderr
        assert found.stderr == ""
        return found.stdout

    return run


@pytest.mark.outside
@pytest.mark.skipif(shutil.which("sh") is None, reason="the page is written for a shell")
def test_what_is_built_and_printed_is_what_stands_there(pasted, tmp_path):
    assert len(BUILDS) == 2
    for block, shown in BUILDS:
        assert pasted(block) == shown
    made = load(str(tmp_path / "allotment" / "mine"))
    asked = {question.id: question for question in made.questions}
    assert [len(asked[id_].gold) for id_ in ("lamp", "heap", "key", "bees")] == [1, 2, 1, 0]
    report = json.loads(pasted(BUILDS[1][0].splitlines()[-1] + " --json"))
    assert report["left_out"] == []


def test_the_table_names_every_column():
    table = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    named = re.findall(r"`(\w+?)`", " ".join(cell.replace("...", "") for cell in table))
    assert sorted(named) == sorted([*COLUMNS, TAG])


def test_the_page_names_every_kind_of_file():
    listed = re.search(r"^- (`\.txt`.*?); in the folder", PAGE, re.MULTILINE)
    assert re.findall(r"`(\.\w+)`", listed[1]) == list(KINDS)
