"""What a sweep has chosen, on a terminal."""

from __future__ import annotations

from bench.report.table import percent, signed
from bench.summary.row import Row
from bench.sweep.results import Results


def show(found: Results) -> None:
    """Print what was chosen for each goal and dataset."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("goal: chosen", overflow="fold")
    for name in ("tokens", "in s.", "held out", "top-k", "dsRAG", "agree"):
        table.add_column(name, justify="right", no_wrap=True)
    several = len(found.pools) > 1
    for row in found.choices:
        table.add_row(_name(row, several=several), *_cells(row))
    console = Console(markup=False, highlight=False)
    console.print(table)
    console.print(
        "recall in percent: in sample (what it was chosen by) and held out (documents it was not "
        "chosen on);\ntop-k, dsRAG: held-out points over top-k at the same mean tokens, and over "
        "dsRAG's preset likewise,\n* sure (5 %, Holm); agree: parts that chose the same"
    )
    for one in found.no_effect:
        values = ", ".join(str(value) for value in one.values)
        console.print(f"! {one.dataset}: no effect of {one.axis} = {values} on {one.strategy}")


def _name(row: Row, *, several: bool) -> str:
    strategy, scores, *_ = row["arm"].split(" / ")
    where = f"{row['dataset']}, " if several else ""
    return f"{where}{row['goal']}: {strategy} / {scores}"


def _cells(row: Row) -> list[str]:
    def points(name: str, against: str) -> str:
        if row[name] != row[name]:
            return "-"
        sure = row[f"verdict_{against}"] in ("better", "worse")
        return f"{signed(row[name])}{'*' if sure else ''}"

    return [
        f"{row['held_out_tokens']:.0f}",
        percent(row["in_sample_recall"]),
        percent(row["held_out_recall"]),
        points("margin", "topk"),
        points("margin_over_preset", "preset"),
        f"{row['parts_that_agree']}/{row['parts']}",
    ]
