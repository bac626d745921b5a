"""The engine's tables as CSV and Markdown, and a figure for each pool."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.engine.drawing import draw
from bench.engine.experiment import Result
from bench.engine.families import BUDGETS
from bench.engine.rows import Row
from bench.figures.table import margin_text, markdown, percent, write_csv
from bench.store.atomic import write_text

TABLES = ("families", "presets", "costs", "chosen", "transfer", "weights")

INTRODUCTION = """\
# The engine's reference experiment

Made by `make engine`. Recall at equal mean tokens; in brackets the margin over top-k with its
paired 95 % bootstrap interval; * where that excludes 0 (row by row, not corrected for the number
of rows). MiniLM, exact search. A dash: the family does not spend so many tokens. All that is
fitted is judged on documents it was not fitted on."""

BESIDE_RSE = """\
Margins over the best RSE: of all families of RSE with the penalty traced, presets on any scale
included, the one with the most recall on these very questions at that budget. Only what reads BM25
is held against RSE on both scores, too."""

COSTS = """\
`optimal` on min-max scores, penalty traced, by `segment_cost`:
recall (margin); segments x chunks a segment."""

TRANSFER = """\
Form and `segment_tokens` that are best on another dataset, weights cross-fitted here: margin over
top-k; in brackets the margin over what is chosen by cross-fitting here. The first of each pair is
the dataset whose scores hang together along documents most nearly as here: no label tells that."""


def tables(results: Sequence[Result]) -> dict[str, list[Row]]:
    """Return the rows of all pools, table by table; tables without rows are left out."""
    found = {
        name: [{"pool": one.name, **row} for one in results for row in getattr(one, name)]
        for name in TABLES
    }
    return {name: rows for name, rows in found.items() if rows}


def write_tables(folder: Path, results: Sequence[Result]) -> None:
    """Write each table as a CSV file."""
    for name, rows in tables(results).items():
        write_csv(folder / f"{name}.csv", list(rows[0]), (row.values() for row in rows))


def write(folder: Path, results: Sequence[Result], facts: Row) -> None:
    """Write everything into a folder."""
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    write_tables(folder, results)
    for number, one in enumerate(results):
        draw(folder / "figures" / f"pool{number}.svg", one)
    parts = [INTRODUCTION, "\n".join(f"- {key}: {value}" for key, value in facts.items())]
    parts += [part for number, one in enumerate(results) for part in _pool(number, one)]
    write_text(folder / "engine.md", "\n\n".join(parts) + "\n")


def _pool(number: int, one: Result) -> Iterator[str]:
    yield f"## {one.name}"
    yield f"![recall against tokens](figures/pool{number}.svg)"
    yield _by_budget("family", one.families, _recall)
    yield BESIDE_RSE
    yield _by_budget("family", [row for row in one.families if _priced(row)], _beside_rse)
    yield "Presets as they are:"
    yield _presets(one)
    yield COSTS
    yield _by_budget("segment_cost", one.costs, _cost)
    yield "Chosen for each fold on the other folds:"
    yield "\n".join(
        f"- {row['choice']}, fold {row['fold']}: {row['form']}, "
        f"segment_tokens {row['segment_tokens']}"
        for row in one.chosen
    )
    if one.transfer:
        yield TRANSFER
        yield _transfer(one)
    yield "Weights over the folds (mean, least to most):"
    yield "\n".join(
        f"- {row['form']}, {row['feature']}: {row['mean']:.2f} "
        f"({row['least']:.2f} to {row['most']:.2f})"
        for row in one.weights
    )
    yield "\n".join(f"- {key}: {_number(value)}" for key, value in one.signals.items())


def _priced(row: Row) -> bool:
    return bool(row["family"].startswith("priced"))


def _by_budget(key: str, rows: Sequence[Row], cell: Callable[[Row], str]) -> str:
    """Write rows that come budget by budget as one line each."""
    fours = [rows[at : at + len(BUDGETS)] for at in range(0, len(rows), len(BUDGETS))]
    lines = [[_number(four[0][key]), *map(cell, four)] for four in fours]
    return markdown([key, *(f"{budget} tokens" for budget in BUDGETS)], lines)


def _recall(row: Row) -> str:
    recall = percent(row["recall"])
    return recall if recall == "-" else f"{recall} ({_margin(row)})"


def _cost(row: Row) -> str:
    shape = f"; {row['segments']:.1f} x {row['chunks_per_segment']:.1f}"
    recall = _recall(row)
    return recall if recall == "-" else recall + shape


def _margin(row: Row) -> str:
    return margin_text(row["margin"], row["low_margin"], row["high_margin"])


def _beside_rse(row: Row) -> str:
    return margin_text(row["margin_rse"], row["low_rse"], row["high_rse"])


def _presets(one: Result) -> str:
    header = ("preset / scores", "mean tokens", "recall", "margin", "empty", "segments")
    lines = [
        [
            row["preset"],
            f"{row['mean_tokens']:.0f}",
            percent(row["recall"]),
            _margin(row),
            f"{percent(row['empty'])} %",
            f"{row['segments']:.1f}",
            f"{row['chunks_per_segment']:.1f}",
        ]
        for row in one.presets
    ]
    return markdown([*header, "chunks a segment"], lines)


def _transfer(one: Result) -> str:
    def cell(row: Row) -> str:
        own = margin_text(row["margin_own"], row["low_own"], row["high_own"])
        return f"{_margin(row)} ({own})"

    named = [
        row
        | {
            "knobs": f"{row['choice']}; {row['chosen_on']}: {row['form']}, "
            f"segment_tokens {row['segment_tokens']}"
        }
        for row in one.transfer
    ]
    return _by_budget("knobs", named, cell)


def _number(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
