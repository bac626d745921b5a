"""Whole runs in milliseconds: small data of our own and an encoder that costs nothing."""

from __future__ import annotations

import json

import pytest

from bench import family
from bench.progress import Progress
from bench.report import write
from bench.run import Options, run
from bench.spec import check
from tests.bench.retrieval.fakes import Fake

TEXTS = {
    "ferry": "Boats leave every twenty minutes. Bicycles need a ticket of their own. "
    "Dogs travel for nothing. The last boat waits for the last train.",
    "kiln": "The kiln reaches a thousand degrees. Dry it before the first firing. "
    "Nobody opens the lid above two hundred degrees.",
    "short": "One line, no more.",
}
ASKED = {
    "q1": [[("ferry", "Boats leave every twenty minutes.")]],
    "q2": [[("kiln", "Dry it before the first firing.")]],
    "q3": [[("ferry", "Dogs travel for nothing.")], [("kiln", "Nobody opens the lid")]],
    "q4": [[("short", "One line, no more.")]],
}

WORDS = ["boats", "harbour", "quay", "noon", "tide", "rope", "crane", "cargo", "pilot", "signal"]


@pytest.fixture
def many(tmp_path):
    """Write a set of documents with two questions each, gold of different lengths."""

    def make(name="many", documents=12):
        folder = tmp_path / "data" / name
        folder.mkdir(parents=True)
        manifest = {"name": name, "license": "MIT", "source": "ours"}
        (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        texts = {
            f"d{i:02}": " ".join(f"{WORDS[(i * k + k) % 10]}{(i + k) % 7}." for k in range(60))
            for i in range(documents)
        }
        questions = [
            {
                **{"id": f"q{i}{j}", "text": f"{WORDS[i % 10]}{j}?"},
                "gold": [[{"doc": f"d{i:02}", "start": 40 * j, "end": 40 * j + 30 + 9 * i}]],
            }
            for i in range(documents)
            for j in (0, 2)
        ]
        questions.append({"id": "none", "text": "Nothing?", "gold": []})
        rows = {"documents": [{"id": key, "text": text} for key, text in texts.items()]}
        for file, content in {**rows, "questions": questions}.items():
            lines = "".join(json.dumps(row) + "\n" for row in content)
            (folder / f"{file}.jsonl").write_text(lines, encoding="utf-8")
        return str(folder)

    return make


@pytest.fixture
def made(tmp_path):
    """Write a dataset in our own format; gold is given by its words."""

    def make(place="made", name=None, texts=TEXTS, asked=ASKED):
        folder = tmp_path / "data" / place
        folder.mkdir(parents=True)
        manifest = {"name": name or place, "license": "MIT", "source": "ours"}
        (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        questions = [
            {"id": q, "text": f"{q}?", "gold": [[_span(texts, *s) for s in p] for p in gold]}
            for q, gold in asked.items()
        ]
        documents = [{"id": key, "text": text} for key, text in texts.items()]
        for file, rows in (("documents", documents), ("questions", questions)):
            lines = "".join(json.dumps(row) + "\n" for row in rows)
            (folder / f"{file}.jsonl").write_text(lines, encoding="utf-8")
        return str(folder)

    return make


def _span(texts, doc, quote):
    start = texts[doc].index(quote)
    return {"doc": doc, "start": start, "end": start + len(quote), "quote": quote}


@pytest.fixture
def bench(tmp_path, monkeypatch):
    """Run a spec over datasets, without a model; give the outcome."""
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(family, "_encoder", lambda _: Fake())
    draw = write.draw

    def do(*datasets, grids, chunkers=("fixed[size=36]",), keep_going=False, figures=False, **more):
        # Drawing takes seconds, and matters to few tests.
        monkeypatch.setattr(write, "draw", draw if figures else lambda path, *_: path)
        spec = {"name": "x", "datasets": datasets, "chunkers": chunkers, "grids": grids} | more
        spec = check({key: list(v) if isinstance(v, tuple) else v for key, v in spec.items()}, "x")
        options = Options(keep_going=keep_going)
        return run(spec, tmp_path / "results", options, Progress())

    return do
