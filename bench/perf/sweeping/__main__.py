"""`make perf-sweep`: 1,000 settings on chunking_evaluation, results/reference/perf/sweep.md."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench import identity
from bench.data.load import load
from bench.machine import load as busy
from bench.machine import machine
from bench.perf.sweeping.contest import Timed, contest, settings
from bench.progress import Progress
from bench.store.atomic import write_text
from bench.sweep.prepare import held
from bench.sweep.searched import Wanted
from bench.threads import set_threads

DEPTH = 200
BOUND, MEMORY = 25.0, 2000.0
"""Seconds for everything, and megabytes."""


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m bench.perf.sweeping", description=__doc__)
    parser.add_argument("--raw", type=Path, help="folder of upstream's raw files (RSE_BENCH_RAW)")
    parser.add_argument("--dataset", default="chunking_evaluation")
    parser.add_argument("--family", default="recursive[size=800] / minilm")
    parser.add_argument("--out", type=Path, default=Path("results/reference/perf/sweep.md"))
    given = parser.parse_args()
    set_threads(None)
    before = busy()
    dataset = load(given.dataset, given.raw)
    found = held(dataset, given.family, Wanted(DEPTH), None, Progress()).searched
    timed = contest(found, settings(), DEPTH)
    text = page(timed, f"{dataset.name}, {given.family}", before)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    write_text(given.out, text)
    print(text)  # noqa: T201, the command's result


def page(timed: Timed, where: str, before: list[float] | None) -> str:
    """Return what was measured, as a page."""
    whole = timed.measured + timed.summed_up
    facts, versions = machine(), identity.versions()
    lines = [
        "# How fast a sweep is\n",
        f"{timed.settings:,} settings of RSE on min-max scores over {timed.questions} questions "
        f"({where}, hits cached), in one process. Load before: {before}.\n",
        "| | seconds |",
        "|---|--:|",
        f"| select and score every setting on every question | {timed.measured:.2f} |",
        f"| means with intervals, ranks, margins | {timed.summed_up:.2f} |",
        f"| both ({BOUND:.0f} promised) | {whole:.2f} |\n",
        f"Most memory of the process: {timed.peak_megabytes:,.0f} MB ({MEMORY:,.0f} promised).\n",
    ]
    if timed.dsrag is not None and timed.ratio is not None:
        lines.append(
            f"dsRAG 0.5.6's functions, the same answers, {timed.dsrag_settings} settings: "
            f"{timed.dsrag:.1f} s, **{timed.ratio:,.0f} times** as long for a setting, in the same "
            f"run.\n"
        )
    shown = ", ".join(f"{name} {versions[name]}" for name in ("rse-bench", "numba", "numpy"))
    return "\n".join([*lines, f"{facts['cpu']}, {facts['cores']} cores; {shown}."]) + "\n"


if __name__ == "__main__":
    main()
