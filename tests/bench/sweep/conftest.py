"""Sweeps over made-up documents, without a model."""

from __future__ import annotations

import json

import pytest

from bench import family
from bench.progress import Progress
from bench.sweep.dataset import Options
from bench.sweep.run import sweep
from bench.sweep.spec import check
from tests.bench.retrieval.fakes import Fake

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
def swept(tmp_path, monkeypatch):
    """Sweep a spec; give the outcome. Figures are left out unless asked for."""
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(family, "_encoder", lambda _: Fake())
    from bench.sweep import finish

    draw = finish.draw

    def do(*datasets, grids, place="results", figures=False, options=None, **more):
        no_figures = lambda folder, found: {row["dataset"]: [] for row in found.cv}  # noqa: E731
        monkeypatch.setattr(finish, "draw", draw if figures else no_figures)
        content = {"name": "x", "datasets": list(datasets), "chunkers": ["fixed[size=36]"]}
        spec = check({**content, "grids": grids, "folds": 4, **more}, "x")
        return sweep(spec, tmp_path / place, options or Options(), Progress())

    return do
