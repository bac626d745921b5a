"""`make perf`: measure, print, and write results/reference/perf/."""

from __future__ import annotations

import json
import platform
import sys
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from bench.machine import load, machine
from bench.perf import dsrag, table
from bench.perf.cold import cold_starts
from bench.perf.grid import CASES, QUESTIONS, RATIOS, Row, measure
from bench.perf.rates import rates
from bench.perf.size import compare
from bench.perf.targets import targets
from bench.store.atomic import write_text
from bench.threads import set_threads

FOLDER = Path("results/reference/perf")
PACKAGES = ("rse-bench", "dsrag", "numba", "llvmlite", "numpy")
BUSY = 0.5
"""Load for each core above which a remark warns."""


def main() -> None:
    """Measure everything, one after the other: nothing else of ours runs meanwhile."""
    set_threads(1)
    before = machine() | {
        "load": load(),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in PACKAGES},
    }
    rows = []
    for number, case in enumerate(CASES, start=1):
        _say(f"row {number} of {len(CASES)}: {case}")
        rows.append(measure(case))
    _say("evaluations a second")
    rate = rates()
    _say("a corpus of 10 million chunks")
    sizes = compare()
    _say("first calls, compiled anew")
    cold = cold_starts()
    promised = targets(rows, rate, sizes)
    tables = [
        table.contest(rows),
        table.throughput(rate),
        table.corpora(sizes),
        table.first_calls(cold),
        table.promises(promised),
    ]
    FOLDER.mkdir(parents=True, exist_ok=True)
    facts = {
        "machine": before,
        "rows": [_row(row) for row in rows],
        "evaluations": {name: asdict(one) for name, one in rate.items()},
        "corpus_size": {
            name: {"small": small.as_dict(), "large": large.as_dict()}
            for name, (small, large) in sizes.items()
        },
        "cold_start_seconds": cold,
        "targets": [{**asdict(one), "met": one.met} for one in promised],
    }
    write_text(FOLDER / "perf.json", json.dumps(facts, indent=2, allow_nan=False) + "\n")
    write_text(FOLDER / "perf.md", _report(before, tables, rows))
    table.show(tables)
    sys.stdout.writelines(f"{remark}\n" for remark in _remarks(before))
    _say(f"written: {FOLDER}/perf.md, perf.json")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _row(row: Row) -> dict[str, Any]:
    return {
        **asdict(row.case),
        "microseconds": {name: times.as_dict() for name, times in row.times.items()},
        "ratios": {name: row.ratio(name) for name in RATIOS},
        "token_price": row.token_price,
        "mean_tokens": row.tokens,
    }


def _report(facts: dict[str, Any], tables: list[table.Table], rows: list[Row]) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    calls = {name: [row.times[name].n for row in rows if name in row.times] for name in table.NAMES}
    counted = "; ".join(f"{name} {min(n)} to {max(n)}" for name, n in calls.items() if n)
    parts = [
        "# How fast selection is\n",
        f"{facts['cpu']}, {facts['cores']} cores, {facts['system']}; Python {facts['python']}, "
        f"{versions}. Load before the run: {facts['load']}.\n",
        f"Every row of the first table: {QUESTIONS} made-up questions, seeded, hits clustered in "
        f"neighbourhoods, similarities falling from 0.75 to 0.2. All contenders get the same ones "
        f"and take turns; that dsRAG, greedy and batch select the same segments is checked before "
        f"timing. Presets as shipped, but every document with a hit is considered "
        f"(`top_k_for_document_selection` 200), so that the meta-document has the size named. "
        f"`priced` runs at the price at which it selects as many tokens as greedy. Calls timed in "
        f"a row: {counted}.\n",
    ]
    parts += [f"{remark}\n" for remark in _remarks(facts)]
    return "\n".join([*parts, *map(table.markdown, tables)])


def _remarks(facts: dict[str, Any]) -> list[str]:
    """Say what a reader of the numbers must know beside them."""
    remarks = [] if dsrag.functions() else [dsrag.MISSING]
    if facts["load"] and facts["load"][0] > BUSY * facts["cores"]:
        remarks.append(
            f"The machine was busy (load {facts['load'][0]} on {facts['cores']} cores): times, and "
            f"p95 above all, are larger than on an idle one; contenders took turns, so that ratios "
            f"suffer less."
        )
    return remarks


def _say(progress: str) -> None:
    sys.stderr.write(f"{progress}\n")


if __name__ == "__main__":
    main()
