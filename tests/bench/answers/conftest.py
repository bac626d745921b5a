"""A finished run over small data with reference answers, and a model that answers as it is told."""

from __future__ import annotations

import json

import pytest

from bench.endpoints import client
from bench.progress import Progress
from tests.bench.answers.talk import AFTER, GRIDS, QUESTIONS, TEXTS, right
from tests.bench.endpoints.stub import KEY, KEY_ENV, serving


@pytest.fixture
def ran(tmp_path, bench):
    """Run two arms over the data; give the run's folder."""

    def do(questions=QUESTIONS, texts=TEXTS, name="harbour", grids=GRIDS, **more):
        folder = tmp_path / "data" / name
        folder.mkdir(parents=True)
        manifest = {"name": name, "license": "MIT", "source": "ours"}
        (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        rows = {"documents": [{"id": key, "text": text} for key, text in texts.items()]}
        rows["questions"] = [
            {"id": key, **question, "gold": [[place(texts, *quote)] for quote in question["gold"]]}
            for key, question in questions.items()
        ]
        for file, content in rows.items():
            lines = "".join(json.dumps(row) + "\n" for row in content)
            (folder / f"{file}.jsonl").write_text(lines, encoding="utf-8")
        return bench(str(folder), grids=grids, **more).folder

    return do


def place(texts, doc, quote):
    start = texts[doc].index(quote)
    return {"doc": doc, "start": start, "end": start + len(quote), "quote": quote}


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv(KEY_ENV, KEY)
    monkeypatch.setattr(client, "FIRST_WAIT", 0.0)  # between two tries
    with serving() as made:
        made.answer = right
        yield made


@pytest.fixture
def progress():
    return Progress()


@pytest.fixture
def answers(tmp_path, stub, progress, ran):
    """Answer a run with changes to settings and options; give what was done and its folder."""
    from bench.answers.command import Options, answer_run, settings_for
    from bench.answers.part import Part

    folders = []

    def do(options=None, folder=None, part=None, **changes):
        if folder is None and not folders:
            folders.append(ran())
        run = folder or folders[0]
        said = {"model": "stub-1", "url": stub.url, "key_env": KEY_ENV, **changes}
        options = Options(Part(**(part or {})), **(options or {}))
        told = []
        outcome = answer_run(run, settings_for(run, said), options, progress, told.append)
        return AFTER(outcome, run, told)

    return do
