"""The table of a run on a terminal: the same rows as summary.csv, the columns one decides by."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from bench.data.coverage import coverage_warning
from bench.stats.paired import VERDICT
from bench.summary.arms import added_columns
from bench.summary.row import Row

if TYPE_CHECKING:
    from rich.table import Table


def points(row: Row, name: str) -> str:
    """Show a mean in percent."""
    return percent(row[f"mean_{name}"])


def percent(value: float) -> str:
    """Show a share in percent; undefined is a dash."""
    return "-" if isnan(value) else f"{100 * value:.1f}"


def dollars(value: float) -> str:
    """Show dollars, small ones with three digits that count; undefined is a dash."""
    if isnan(value):
        return "-"
    return f"{value:.2f}" if value >= 1 or value == 0 else f"{value:.3g}"


def interval(row: Row, name: str) -> str:
    """Show a mean in percent with its interval."""
    low, high = row[f"low_{name}"], row[f"high_{name}"]
    if isnan(low) or isnan(high):
        return points(row, name)
    return f"{points(row, name)} ({percent(low)}-{percent(high)})"


def margin(row: Row) -> str:
    """Show the margin over top-k in points; a star where its interval excludes 0."""
    if isnan(row["margin"]):
        return "-"
    return f"{signed(row['margin'])}{'*' if is_sure(row) else ''}"


def is_sure(row: Row) -> bool:
    """Tell whether the margin's interval excludes 0, over enough questions with gold."""
    asked = row["questions"] - row["undefined"]
    return bool(asked >= VERDICT and (row["low_margin"] > 0 or row["high_margin"] < 0))


def signed(value: float) -> str:
    """Show a difference in points, with its sign; 0 has none."""
    rounded = round(100 * value, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"


def short(row: Row) -> str:
    """Name an arm inside its family: strategy, and scores unless they are raw."""
    return row["strategy"] if row["scores"] == "none" else f"{row['strategy']} / {row['scores']}"


def family(row: Row) -> str:
    """Name what arms share that get the very same hits: chunker / retriever."""
    return f"{row['chunker']} / {row['retriever']}"


def families(summary: Sequence[Row], dataset: str) -> dict[str, list[Row]]:
    """Group a dataset's rows by family: one table each."""
    found: dict[str, list[Row]] = {}
    for row in summary:
        if row["dataset"] == dataset:
            found.setdefault(family(row), []).append(row)
    return found


def show(summary: Sequence[Row]) -> None:
    """Print one table for each dataset and family, or a single one for several datasets."""
    from rich.console import Console

    console = Console(markup=False, highlight=False)
    datasets = list(dict.fromkeys(row["dataset"] for row in summary))
    if len(datasets) > 1:
        console.print(_joint(summary))
    else:
        for dataset in datasets:
            for name, rows in families(summary, dataset).items():
                title = f"{dataset}: {_asked(rows[0])}{_apart(rows[0])}, {name}"
                console.print(_table(title, rows))
    console.print(
        ("behind a dataset: its questions with gold;\n" if len(datasets) > 1 else "")
        + "recall, precision, empty: percent; p95: of tokens; ms: median to select;\n"
        "margin: points of recall above (+) or below (-) top-k at the same mean tokens;\n"
        f"* its 95 % interval excludes 0 (never said of fewer than {VERDICT} questions)",
    )
    for dataset, said in _uncovered(summary):
        console.print(f"! {dataset}: {said}")
    for row in summary:
        if row["failed"]:
            console.print(
                f"! {row['dataset']}, {short(row)}: {row['failed']} of {row['questions']} answers "
                f"failed and count as empty"
            )


def _uncovered(summary: Sequence[Row]) -> dict[tuple[str, str], None]:
    """Return the datasets whose language an encoder does not cover, with what to say of it."""
    found = ((row["dataset"], coverage_warning(row.get("unknown_token_share"))) for row in summary)
    return {(dataset, said): None for dataset, said in found if said}


def show_added(summary: Sequence[Row]) -> None:
    """Print the means of metrics that somebody has added, arm by arm."""
    from rich.console import Console

    console = Console(markup=False, highlight=False)
    for row in summary:
        means = [
            f"{name} {'-' if isnan(row[f'mean_{name}']) else format(row[f'mean_{name}'], '.4g')}"
            for name in added_columns(row)
        ]
        if means:
            console.print(f"{row['dataset']}, {short(row)} / {family(row)}: {', '.join(means)}")


def show_gap(summary: Sequence[Row]) -> None:
    """Print what greedy selection missed of the optimum's value, arm by arm."""
    from rich.console import Console

    console = Console(markup=False, highlight=False)
    rows = [row for row in summary if not isnan(row["mean_value_gap"])]
    for row in rows:
        console.print(
            f"{row['dataset']}, {short(row)}: greedy misses the optimum on "
            f"{percent(row['missed_optimum_rate'])} % of questions, by "
            f"{interval(row, 'value_gap')} % of its value on average, "
            f"{percent(row['max_value_gap'])} % at most"
        )
    if not rows:
        console.print("no arm of rse: there is no gap between greedy and optimum to show")


def _asked(row: Row) -> str:
    return f"{row['questions']} question{'' if row['questions'] == 1 else 's'}"


def _apart(row: Row) -> str:
    if row["undefined"] in {0, row["questions"]}:
        return ""
    return f" ({row['undefined']} without gold, not in these numbers)"


def _joint(summary: Sequence[Row]) -> Table:
    """Lay out the rows of several datasets one below the other, each under its name."""
    marked = {dataset for dataset, _ in _uncovered(summary)}
    several = len({family(row) for row in summary}) > 1
    table = _columns("" if several else family(summary[0]))
    for dataset in dict.fromkeys(row["dataset"] for row in summary):
        for name, rows in families(summary, dataset).items():
            asked = rows[0]["questions"] - rows[0]["undefined"]
            head = f"{dataset}{' !' if dataset in marked else ''}: {asked}"
            table.add_row(f"{head}, {name}" if several else head)
            for row in rows:
                table.add_row(f"  {short(row)}", *_cells(row))
            table.add_section()
    return table


def _table(title: str, rows: Sequence[Row]) -> Table:
    table = _columns(title)
    for row in rows:
        table.add_row(short(row), *_cells(row))
    return table


def _columns(title: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("arm", overflow="fold")
    for name in ("recall", "prec.", "tokens", "p95", "empty", "margin", "ms"):
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _cells(row: Row) -> list[str]:
    return [
        points(row, "recall"),
        points(row, "precision"),
        f"{row['mean_tokens']:.0f}",
        f"{row['p95_tokens']:.0f}",
        percent(row["empty_rate"]),
        margin(row),
        f"{row['p50_select_ms']:.2f}",
    ]
