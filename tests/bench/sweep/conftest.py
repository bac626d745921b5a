"""Sweeps over made-up documents, without a model."""

from __future__ import annotations

import pytest

from bench import family
from bench.progress import Progress
from bench.sweep.dataset import Options
from bench.sweep.run import sweep
from bench.sweep.spec import check
from tests.bench.retrieval.fakes import Fake


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
