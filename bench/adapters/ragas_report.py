"""ragas.jsonl, ragas.csv and ragas.md in a run's folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any

from bench.adapters.ragas_names import METRICS, PREFIX
from bench.costs.prices import Price
from bench.report.cells import csv_of, escape, table
from bench.store.atomic import write_text
from bench.store.plain import dumps
from bench.summary.row import Row

JUDGEMENTS, TABLE, REPORT = "ragas.jsonl", "ragas.csv", "ragas.md"


def write(
    folder: Path, rows: Sequence[Row], judgements: Sequence[Row], facts: Mapping[str, Any]
) -> list[Path]:
    """Write the three files, each whole or not at all.

    Args:
        folder: The run's.
        rows: One for each dataset and arm.
        judgements: One for each question and arm.
        facts: Who judged, with which settings.
    """
    texts = {
        JUDGEMENTS: "".join(f"{dumps(row)}\n" for row in judgements),
        TABLE: csv_of(rows),
        REPORT: markdown(rows, facts),
    }
    for name, text in texts.items():
        # Half a surrogate pair, which no file takes, is written as its escape.
        write_text(folder / name, text.encode("utf-8", "backslashreplace").decode("utf-8"))
    return [folder / name for name in texts]


def markdown(rows: Sequence[Row], facts: Mapping[str, Any]) -> str:
    """Return the report: a table for each dataset, then how it was made."""
    parts = ["# Judged by ragas\n", _legend(facts)]
    for dataset in dict.fromkeys(row["dataset"] for row in rows):
        parts += [f"## {escape(dataset)}\n"]
        parts += _tables([row for row in rows if row["dataset"] == dataset])
    parts += ["## How this was made\n"]
    parts += [f"- {escape(note)}" for note in facts["notes"]]
    parts += [f"- {name}: {escape(str(value))}" for name, value in facts.items() if name != "notes"]
    return "\n".join(parts) + "\n"


def measures(row: Row) -> list[str]:
    """Return the measures that a row has, by our names."""
    return [name for name in METRICS if f"mean_{name}" in row]


def shown(row: Row, name: str) -> str:
    """Show a measure in percent with its interval, and how much the judge varies."""
    value, low, high = (row[f"{part}_{name}"] for part in ("mean", "low", "high"))
    if isnan(value):
        return "-"
    text = f"{100 * value:.1f}"
    if not (isnan(low) or isnan(high)):
        text += f" ({100 * low:.1f}-{100 * high:.1f})"
    spread = row[f"spread_{name}"]
    return text if isnan(spread) else f"{text} ± {100 * spread:.1f}"


def counts(row: Row, name: str) -> str:
    """Show how many judgements failed, and how many questions are undefined."""
    return f"{row[f'failed_{name}']} / {row[f'undefined_{name}']}"


def price_told(price: Price | None) -> str:
    """Say what a model costs, in dollars for a million tokens, and who says so."""
    if price is None or price.input is None or price.output is None:
        return "unknown"
    origin = ", ".join(str(one) for one in (price.source, price.as_of) if one)
    return f"{price.input} in, {price.output} out" + (f" ({origin})" if origin else "")


def _legend(facts: Mapping[str, Any]) -> str:
    text = (
        "Values are in percent, as ragas computes them, over the questions that have one; brackets "
        "hold 95 % bootstrap intervals. Where a question has gold and the arm returned nothing, or "
        "failed, precision and recall are 0; that is ours, ragas is not asked. "
    )
    if "model" in facts:
        text += (
            "Judged ones are 0 only where there is a reference answer, and nobody is asked then. "
            "Faithfulness is undefined where nothing was returned, and what judges an answer where "
            "there is none: compare arms only where as many are undefined. ±: standard deviation "
            "over the repeats, the mean over the questions that a judge was asked about. Requests "
            "and tokens are those that an arm takes by itself; what arms share was sent once. The "
            "prompts are those of ragas, in English. "
        )
    return (
        text + "`id precision` and `id recall` compare ids of chunks: those that the returned "
        "segments cover with those that hold gold. Every chunk with a copy of the gold counts, so "
        "who returns one of two copies has half the recall.\n"
    )


def _tables(rows: Sequence[Row]) -> list[str]:
    names = {_heading(name): name for name in measures(rows[0])}
    values = {head: _column(shown, name) for head, name in names.items()}
    parts = [table({"arm": _arm, "questions": lambda row: str(row["questions"])} | values, rows)]
    if any(row["requests"] for row in rows):
        parts += ["What judging takes:\n", table({"arm": _arm} | _COSTS, rows)]
    if any(row["failed"] or row["undefined"] for row in rows):
        lost = {head: _column(counts, name) for head, name in names.items()}
        parts += ["Judgements that failed / questions undefined:\n"]
        parts += [table({"arm": _arm} | lost, rows)]
    return parts


def _column(show: Callable[[Row, str], str], name: str) -> Callable[[Row], str]:
    return lambda row: show(row, name)


def _arm(row: Row) -> str:
    return str(row["arm"])


def _heading(name: str) -> str:
    return name.removeprefix(PREFIX).replace("_", " ")


_COSTS: dict[str, Callable[[Row], str]] = {
    "requests": lambda row: f"{row['requests']:,}",
    "tokens in": lambda row: _number(row["prompt_tokens"]),
    "tokens out": lambda row: _number(row["completion_tokens"]),
    "dollars": lambda row: "-" if isnan(row["dollars"]) else f"{row['dollars']:.4f}",
}


def _number(value: float) -> str:
    return "-" if isnan(value) else f"{value:,.0f}"
