"""Cold start: what the first call of each kernel takes, in a fresh process; never in medians."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from time import perf_counter

from bench.perf.inputs import Case, questions

CASE = Case("balanced", 1_000, 10, 1)
FIRST = "import of Numba"


def cold_starts() -> dict[str, dict[str, float]]:
    """Return seconds of the first calls: compiled anew, and with compiled code kept from that."""
    with tempfile.TemporaryDirectory(prefix="rse-perf-") as folder:
        return {"compile": _first_calls_in(folder), "load": _first_calls_in(folder)}


def _first_calls_in(folder: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "bench.perf.cold"],
        env={**os.environ, "NUMBA_CACHE_DIR": folder},
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def first_calls() -> dict[str, float]:
    """Call each kernel for the first time, in the order of the result.

    Parts that kernels share are compiled with the first that needs them, so that later ones take
    only what is their own.
    """
    from bench.metrics.selections import score_selections
    from rse import RSE, Optimal, Priced
    from rse.batch import Batch

    (question,) = questions(CASE, 1)
    hits, layout = question.hits, question.layout
    some = Batch([RSE()]).select
    seconds = {FIRST: _seconds(_import_numba)}
    calls: dict[str, Callable[[], object]] = {
        "RSE.select": lambda: RSE().select(hits, layout),
        "Optimal.select": lambda: Optimal().select(hits, layout),
        "Priced.select": lambda: Priced().select(hits, layout),
        "Batch.select, RSE": lambda: some(hits, layout),
        "Batch.select, Optimal": lambda: Batch([Optimal()]).select(hits, layout),
        "Batch.select, Priced": lambda: Batch([Priced()]).select(hits, layout),
        "select and score": lambda: score_selections(
            some(hits, layout), question.ground, question.gold
        ),
    }
    return {**seconds, **{name: _seconds(call) for name, call in calls.items()}}


def _import_numba() -> None:
    import numba  # noqa: F401


def _seconds(call: Callable[[], object]) -> float:
    began = perf_counter()
    call()
    return perf_counter() - began


if __name__ == "__main__":
    json.dump(first_calls(), sys.stdout)
