"""What docs/rse.md says of time is what the committed measurement found."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FACTS = json.loads((ROOT / "results/reference/perf/perf.json").read_text(encoding="utf-8"))
SECTION = re.search(
    r"^## What it costs\n(.*)", (ROOT / "docs/rse.md").read_text(encoding="utf-8"), re.S | re.M
)[1]
TEXT = " ".join(SECTION.split())


def target(name):
    return next(one["value"] for one in FACTS["targets"] if one["name"] == name)


def test_ratios_to_dsrag_are_the_worst_ones_measured():
    small, large = target("dsrag/greedy, 1,000 chunks"), target("dsrag/greedy, 20,000 chunks")
    assert f"1/{small:.0f} of what dsRAG's own functions take over 1,000 chunks" in TEXT
    assert f"and 1/{large:.0f} over 20,000;" in TEXT
    small, large = target("dsrag/batch, 1,000 chunks"), target("dsrag/batch, 20,000 chunks")
    assert f"together 1/{small:.0f} and 1/{large:,.0f}." in TEXT
    assert f"at most {target('optimal/greedy'):.1f} times as long as greedy" in TEXT
    assert f"`Priced` {target('priced/greedy'):.1f} times" in TEXT


def test_evaluations_a_second_are_those_measured():
    found = [FACTS["evaluations"][name]["median"] for name in ("greedy", "optimal", "priced")]
    greedy, optimal, priced = (f"{round(one, -3):,.0f}" for one in found)
    assert f"{greedy} evaluations of `RSE`, {optimal} of `Optimal` and {priced} of `Priced`" in TEXT


def test_first_calls_take_as_long_as_measured():
    cold = {name: sum(one.values()) for name, one in FACTS["cold_start_seconds"].items()}
    assert f"take {cold['load']:.1f} seconds together, or {cold['compile']:.0f} where" in TEXT


def test_what_the_size_of_the_corpus_costs():
    greedy, optimal, priced = (
        f"{target(f'10 million chunks / 1,000, {name}'):.1f}"
        for name in ("greedy", "optimal", "priced")
    )
    said = f"take {greedy} times as long with greedy, {optimal} with `Optimal` and {priced} with"
    assert said in TEXT
