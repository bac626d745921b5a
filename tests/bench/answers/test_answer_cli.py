"""`rse-bench answer` as it is typed: what it prints where, and how it ends."""

from __future__ import annotations

import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from bench.answers.cli import answer
from bench.answers.files import PAGE
from bench.endpoints.client import EndpointError
from tests.bench.answers.talk import right
from tests.bench.endpoints.stub import KEY_ENV, said

app = typer.Typer()
app.command()(answer)


@pytest.fixture
def typed(ran, stub):
    folder = ran()

    def do(*words):
        address = ["--model", "stub-1", "--url", stub.url, "--key-env", KEY_ENV]
        found = CliRunner().invoke(app, [str(folder), *address, *words])
        return found, folder

    return do


def test_a_table_and_where_the_rest_is(typed, stub):
    found, folder = typed("--judge", "--prefer", "topk[k=1]", "topk[k=20]")
    assert found.exit_code == 0, found.output
    for word in (
        "harbour: 4 questions, fixed[size=36] / minilm",
        "topk[k=1]  ",
        "33.3",
        "100.0",
        "28",
    ):
        assert word in found.stdout
    assert f"Report: {folder / PAGE}" in found.stdout
    assert found.stderr.startswith("rse-bench: answers wanted: 8; ")


def test_dry(typed, stub):
    found, folder = typed("--dry-run", "-n", "1", "--arm", "topk[k=1]")
    assert (found.exit_code, found.stdout, stub.asked) == (0, "", [])
    assert "rse-bench: answers wanted: 1; requests to send: 1, " in found.stderr
    assert not (folder / PAGE).exists()


def test_failures_end_in_1(typed, stub):
    stub.answer = lambda p: (400, {"error": "no"}) if "cats" in str(p) else right(p)
    found, _ = typed()
    assert isinstance(found.exception, EndpointError)
    found, _ = typed("--keep-going")
    assert found.exit_code == 1
    assert "requests that failed: 2; the first: cats, topk[k=1] / none" in found.stderr


def test_unread_verdicts_are_told(typed, stub):
    stub.answer = lambda p: said("I like it") if "<reference-" in str(p) else right(p)
    found, _ = typed("--judge")
    assert found.exit_code == 0
    assert "verdicts that could not be read: 18" in found.stderr


def test_help_loads_nothing_heavy():
    code = (
        "import sys, bench.answers.cli, bench.answers.settings\n"
        "print([m for m in ('torch', 'pyarrow', 'faiss', 'requests') if m in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert found.stdout == "[]\n"
