"""The result as tables: on a terminal, and as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bench.figures import table as plain
from bench.perf.cold import FIRST
from bench.perf.grid import RATIOS, Row
from bench.perf.rates import Rate
from bench.perf.targets import SAME, Target
from bench.perf.timing import Times

NAMES = ("dsrag", "greedy", "optimal", "priced", "batch")
"""Contenders, in the order of the columns."""
MISSING = "-"
WIDTH = 150
"""Columns of a terminal the widest table takes."""


class Table(NamedTuple):
    """A title, a row of names, rows of cells and a line on how to read them."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str


def contest(rows: Sequence[Row]) -> Table:
    """Return times and ratios, one line for each case."""
    header = ("preset", "chunks", "docs", "queries", *NAMES, *RATIOS)
    body = []
    for row in rows:
        case = row.case
        what = (case.preset, f"{case.chunks:,}", str(case.documents), str(case.queries))
        times = [_times(row.times.get(name)) for name in NAMES]
        body.append((*what, *times, *(_times_as_much(row.ratio(name)) for name in RATIOS)))
    depth = rows[0].case.depth
    return Table(
        f"Microseconds for a question, {depth} hits a query: median (p95); ratios of medians",
        header,
        body,
        "dsrag: its get_relevance_values and get_best_segments on prepared inputs, "
        "get_meta_document not timed; greedy, optimal, priced: the whole select; "
        "batch: greedy, one of 200 settings.",
    )


def promises(found: Sequence[Target]) -> Table:
    """Return what was promised and whether it is kept."""
    said = {True: "met", False: "NOT met", None: "not measured"}
    body = [(one.name, _wanted(one), _value(one), said[one.met]) for one in found]
    return Table(
        "Targets",
        ("what", "wanted", "found", ""),
        body,
        "Ratios: balanced, one query, the worst of 10, 50 and 200 documents. Calling what is "
        f"within a factor of {SAME} the same cost is our reading.",
    )


def throughput(found: Mapping[str, Rate]) -> Table:
    """Return evaluations a second."""
    body = [
        (name, str(one.settings), f"{one.median:,.0f}", f"{one.slow:,.0f}", str(one.n))
        for name, one in found.items()
    ]
    return Table(
        "Evaluations (question x setting) a second on one core, span scoring included",
        ("settings of", "settings", "median", "slowest 5 %", "n"),
        body,
        "Settings balanced and around it; one query; all six meta-documents of the table above.",
    )


def corpora(found: Mapping[str, tuple[Times, Times]]) -> Table:
    """Return what the same hits cost in a small and in a large corpus."""
    body = [
        (name, _times(small), _times(large), f"{large.median / small.median:.2f}", str(small.n))
        for name, (small, large) in found.items()
    ]
    return Table(
        "Microseconds by the size of the corpus: median (p95)",
        ("", "1,000 chunks", "10 million chunks", "ratio", "n"),
        body,
        "Balanced, one query, 10 documents hit; the same hits, spread over the large corpus.",
    )


def first_calls(found: Mapping[str, Mapping[str, float]]) -> Table:
    """Return what first calls take."""
    names = list(found["compile"])
    body = [(name, *(f"{one[name]:.2f}" for one in found.values())) for name in names]
    body.append(("together", *(f"{sum(one.values()):.2f}" for one in found.values())))
    return Table(
        "Cold start: seconds of first calls in a fresh process",
        ("in this order", "nothing compiled", "compiled code on disk"),
        body,
        f"Parts that kernels share count for the first that needs them; '{FIRST}' for all. "
        "None of this is in the tables above.",
    )


def _times(found: Times | None) -> str:
    if found is None:
        return MISSING
    places = 0 if found.median >= 20 else 1
    return f"{found.median:,.{places}f} ({found.p95:,.{places}f})"


def _times_as_much(ratio: float | None) -> str:
    if ratio is None:
        return MISSING
    return f"{ratio:,.0f}x" if ratio >= 20 else f"{ratio:.1f}x"


def _wanted(one: Target) -> str:
    return f"{'at least' if one.at_least else 'at most'} {one.bound:,g}"


def _value(one: Target) -> str:
    if one.value is None:
        return MISSING
    return f"{one.value:,.0f}" if one.value >= 20 else f"{one.value:.2f}"


def markdown(table: Table) -> str:
    """Write a table as Markdown."""
    return f"## {table.title}\n\n{plain.markdown(table.header, table.rows)}\n\n{table.note}\n"


def show(tables: Sequence[Table]) -> None:
    """Print tables on standard output, as wide as they are: a file or a pipe has no width."""
    from rich import box
    from rich.console import Console
    from rich.table import Table as Drawn

    console = Console(markup=False, highlight=False)
    console.width = max(console.width, WIDTH)
    for table in tables:
        drawn = Drawn(
            title=table.title,
            title_justify="left",
            box=box.SIMPLE_HEAD,
            pad_edge=False,
            padding=(0, 1, 0, 0),
        )
        for place, name in enumerate(table.header):
            words = name.replace("/", "/\n")
            drawn.add_column(words, justify="right" if place else "left", no_wrap=True)
        for row in table.rows:
            drawn.add_row(*row)
        console.print(drawn)
        console.print(f"{table.note}\n")
