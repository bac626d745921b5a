"""`make presets`: sweep every retriever, write the cards of `rse` and what they are worth."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench import identity
from bench.machine import machine
from bench.presets.cards import preset_cards
from bench.presets.judged import corrected, judged, judged_rows
from bench.presets.page import page
from bench.progress import Progress
from bench.report.cells import csv_of
from bench.report.write import file_names
from bench.store.atomic import write_text
from bench.summary.row import Row
from bench.sweep.cards import write_cards
from bench.sweep.dataset import Options
from bench.sweep.run import Outcome, sweep
from bench.sweep.spec import SweepSpec, read
from bench.sweep.units import Local

REFERENCE = Path("results/reference/presets")
CARDS = Path("rse/presets")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m bench.presets", description=__doc__)
    parser.add_argument("--spec", type=Path, default=Path("specs/sweep-presets.yaml"))
    parser.add_argument("--raw", type=Path, help="folder of upstream's raw files (RSE_BENCH_RAW)")
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--reference", type=Path, default=REFERENCE)
    parser.add_argument("--cards", type=Path, default=CARDS)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    spec = read(given.spec)
    options = Options(given.raw, None, Local(given.jobs))
    files = file_names([name.partition("[")[0] for name in spec.retrievers])
    rows: list[Row] = []
    outcomes: dict[str, tuple[SweepSpec, Outcome]] = {}
    for retriever in spec.retrievers:
        name = files[retriever.partition("[")[0]].replace("+", "-")
        one = spec.model_copy(update={"retrievers": [retriever], "name": f"presets-{name}"})
        outcome = sweep(one, given.results / one.name, options, Progress())
        outcomes[name] = one, outcome
        held = judged(one, outcome.results)
        rows += judged_rows(name, held, outcome.results.settings)
    table = corrected(rows)
    for name, (one, outcome) in outcomes.items():
        own = [row for row in table if row["retriever"] == name]
        write_cards(given.cards / name, preset_cards(one, outcome.results, own, outcome.datasets))
    given.reference.mkdir(parents=True, exist_ok=True)
    write_text(given.reference / "presets.csv", csv_of(table))
    made = {"machine": machine(), "versions": identity.versions()}
    write_text(given.reference / "presets.md", page(spec, table, made))


if __name__ == "__main__":
    main()
