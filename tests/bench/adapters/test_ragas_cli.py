"""`rse-bench ragas` as people call it."""

from __future__ import annotations

import csv
import sys

import pytest
import typer
from typer.testing import CliRunner

from bench.adapters import cli
from bench.adapters.ragas_library import RagasError
from bench.errors import UserError
from rse.checks import ParameterError
from tests.bench.adapters.ragas_stub import judged
from tests.bench.endpoints.stub import KEY, KEY_ENV, said


@pytest.fixture
def call():
    app = typer.Typer()
    app.command()(cli.ragas)

    def run(*words, error=None):
        done = CliRunner().invoke(app, list(map(str, words)))
        assert type(done.exception) in (type(None), SystemExit, error), done.exception
        if error:
            raise done.exception
        return done

    return run


def model(stub):
    return "--model", "m", "--url", stub.url, "--key-env", KEY_ENV


def test_without_a_model(ragas, call, ran):
    done = call(ran)
    assert done.exit_code == 0, done.output
    assert "made: topk[k=1] / none / fixed[size=36] / minilm: ragas_id_precision " in done.stdout
    assert f"Report: {ran / 'ragas.md'}" in done.stdout
    assert done.stderr == ""


def test_with_a_model(ragas, call, answered, stub):
    words = (answered, *model(stub), "--repeats", 1, "--metric", "faithfulness", "-n", 1)
    done = call(*words, "--prices", 1, 2)
    assert done.exit_code == 0, done.output
    assert "ragas_faithfulness" in done.stdout
    assert "ragas_id_recall" not in done.stdout
    assert " requests at least" in done.stderr
    assert f"{len(stub.asked)} requests sent" in done.stderr
    assert KEY not in done.output
    again = call(*words)
    assert "0 requests sent" in again.stderr


def test_prices_given_come_before_those_of_the_table(ragas, call, answered, stub):
    """`gpt-4o` is in the table: no option is needed for its dollars."""
    words = ("--model", "gpt-4o", "--url", stub.url, "--key-env", KEY_ENV, "--repeats", 1)
    for prices, rate in (((), None), (("--prices", 0, 0), 0.0), (("--prices", 1e6, 0), 1.0)):
        assert call(answered, *words, "--metric", "context_recall", *prices).exit_code == 0
        with (answered / "ragas.csv").open(encoding="utf-8", newline="") as file:
            row = next(csv.DictReader(file))
        dollars = float(row["dollars"])
        assert dollars > 0 if rate is None else dollars == rate * float(row["prompt_tokens"])


def test_dry_run_says_what_it_takes_and_needs_no_ragas(call, answered, stub, monkeypatch):
    monkeypatch.setitem(sys.modules, "ragas", None)
    done = call(answered, *model(stub), "--dry-run", "--repeats", 2, "--metric", "context_recall")
    assert done.exit_code == 0
    assert not stub.asked
    assert not (answered / "ragas.md").exists()
    told = next(line for line in done.stderr.splitlines() if "requests at least" in line)
    number = int(told.split()[1])
    assert 2 * 3 <= number <= 2 * 3 * 2  # questions with a reference; what both arms share is one


def test_failures_end_in_1(ragas, call, answered, stub):
    stub.answer = lambda payload: said("no") if payload["seed"] == 1 else judged(payload)
    words = (answered, *model(stub), "--repeats", 2, "--metric", "context_recall")
    done = call(*words)
    assert done.exit_code == 0, "asked once more, with another seed"
    stub.answer = lambda _: said("no")
    done = call(*words, "--seed", 7)
    assert done.exit_code == 1
    assert "12 judgements failed and have no value: the model's answer has no JSON" in done.stderr


def test_what_is_refused(call, ran, stub, monkeypatch):
    with pytest.raises(UserError, match="--key-env is needed with --url"):
        call(ran, "--model", "m", "--url", stub.url, error=UserError)
    with pytest.raises(UserError, match="--temperature must be a number or none, got 'warm'"):
        call(ran, *model(stub), "--temperature", "warm", error=UserError)
    with pytest.raises(ParameterError, match="repeats must be"):
        call(ran, *model(stub), "--repeats", 0, error=ParameterError)
    for prices in ((1, -1), ("nan", 1), (1, "inf")):
        with pytest.raises(UserError, match="--prices must be two numbers of 0 or more, got "):
            call(ran, *model(stub), "--prices", *prices, error=UserError)
    with pytest.raises(UserError, match="name one with --model"):
        call(ran, "--metric", "faithfulness", error=UserError)
    monkeypatch.setitem(sys.modules, "ragas", None)
    with pytest.raises(RagasError, match="cannot be imported"):
        call(ran, error=RagasError)
    assert not stub.asked
    assert not (ran / "ragas.md").exists()


def test_no_temperature(ragas, call, answered, stub):
    words = ("--temperature", "none", "--max-tokens", 0, "--metric", "context_recall")
    assert call(answered, *model(stub), *words).exit_code == 0
    assert stub.asked[0][1].keys() == {"model", "seed", "messages"}
