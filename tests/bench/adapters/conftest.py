"""A run with reference answers, answers of a model, and a judge on this machine."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

from bench.adapters import ragas_run
from bench.endpoints import client
from tests.bench.adapters.ragas_stub import ANSWERS, REFERENCES, judged
from tests.bench.endpoints.stub import KEY, KEY_ENV, serving
from tests.bench.retrieval.fakes import Fake, unit

GRIDS = ({"strategy": "topk", "params": {"k": [1, 3]}},)


@pytest.fixture
def ragas():
    """What is used of ragas; a test that needs it is skipped where it is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("ragas", reason="ragas is not installed", exc_type=ImportError)
    from bench.adapters.ragas_library import library

    return library()


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv(KEY_ENV, KEY)
    monkeypatch.setattr(client, "FIRST_WAIT", 0.0)
    monkeypatch.setattr(ragas_run, "local_encoder", lambda _: Fake(encode=_near))
    with serving() as made:
        made.answer = judged
        yield made


@pytest.fixture
def make_run(made, bench):
    """Make a run; three of its four questions have a reference answer."""

    def make(data=None, **more):
        place = made(**(data or {}))
        path = f"{place}/questions.jsonl"
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            rows = [json.loads(line) for line in file]
        with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123
            for row in rows:
                told = {"answers": [REFERENCES[row["id"]]]} if row["id"] in REFERENCES else {}
                file.write(json.dumps(row | told) + "\n")
        return bench(place, grids=GRIDS, **more).folder

    return make


@pytest.fixture
def ran(make_run):
    return make_run()


@pytest.fixture
def answered(ran):
    return with_answers(ran)


def with_answers(ran):
    """Put a model's answers beside a run; one of them failed."""
    arms = [f"topk[k={k}] / none / fixed[size=36] / minilm" for k in (1, 3)]
    rows = [
        {"dataset": "made", "arm": arm, "question": question, "answer": answer, "failed": None}
        for arm in arms
        for question, answer in ANSWERS.items()
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (ran / "answers.jsonl").write_text(text, encoding="utf-8")
    return ran


def _near(text):
    """Return a direction that is at most a right angle from every other text's."""
    return unit(np.abs(Fake().encode([text])[0]))
