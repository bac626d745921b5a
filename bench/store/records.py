"""Records and curves as Parquet: what was selected is stored, so new metrics need no new run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from math import isnan
from pathlib import Path
from typing import Any

from bench.store.atomic import write_bytes
from bench.types import Context, Record, Span

RECORDS = "records.parquet"
CURVES = "curves.parquet"


OWN = ("key", "kind", "dataset", "arm", "question", "spans", "tokens", "prompt_tokens", "failed")
"""Columns of a row that are no metrics; nor are those that begin with `seconds_`."""


NEEDED = ("recall", "precision")
"""Metrics that no record of ours lacks; shares."""


def row_of(record: Record) -> dict[str, Any]:
    """Flatten a record to one row of plain values, to which its key in the journal is added."""
    return {
        "dataset": record.dataset,
        "arm": record.arm,
        "question": record.question,
        "spans": [
            {"doc": span.doc, "start": span.start, "end": span.end, "score": score}
            for span, score in zip(record.context.spans, record.scores, strict=True)
        ],
        "tokens": record.context.tokens,
        "prompt_tokens": record.prompt_tokens,
        "failed": record.failed,
        **{f"seconds_{stage}": list(times) for stage, times in record.seconds.items()},
        **record.metrics,
    }


def record_of(row: Mapping[str, Any]) -> Record:
    """Read a row back."""
    spans = tuple(Span(s["doc"], s["start"], s["end"]) for s in row["spans"])
    seconds = {
        name.removeprefix("seconds_"): tuple(times)
        for name, times in row.items()
        if name.startswith("seconds_")
    }
    metrics = {
        name: float("nan") if value is None else value
        for name, value in row.items()
        if name not in OWN and not name.startswith("seconds_")
    }
    return Record(
        row["dataset"],
        row["arm"],
        row["question"],
        Context(spans, row["tokens"]),
        tuple(span["score"] for span in row["spans"]),
        row["prompt_tokens"],
        seconds,
        metrics,
        row["failed"],
    )


def is_whole(row: Mapping[str, Any]) -> bool:
    """Tell whether a row of the journal is one of ours, with all that is read from it later."""
    try:
        if row["kind"] == "record":
            record = record_of(row)
            numbers = [record.context.tokens, record.prompt_tokens, *record.metrics.values()]
            numbers += [time for times in record.seconds.values() for time in times]
            numbers += [*record.scores, int(record.failed)]
            numbers += [record.metrics[name] for name in NEEDED]
            if not all(0 <= record.metrics[n] <= 1 or isnan(record.metrics[n]) for n in NEEDED):
                return False
        elif row["kind"] == "curve":
            numbers = [row["clipped"], *row["tokens"], *row["hits"], *row["chunks"]]
            numbers += [*row["oracle_steps"], *row["oracle_tokens"]]
            numbers += [row["query_tokens"], *row["rerank_tokens"]]
            known = [*row["recall"], *row["oracle_recall"]]
            for kind in ("chunks", "documents"):
                numbers.append(row[f"searched_{kind}"])
                known += [*row[f"ranked_{kind}"].values(), *row[f"answers_{kind}"].values()]
            numbers += [value for value in known if value is not None]
        else:
            return row["kind"] == "facts" and isinstance(row["cold_start_seconds"], dict)
        names = [row[name] for name in ("dataset", "question")]
        names.append(row["arm" if row["kind"] == "record" else "family"])
    except (KeyError, TypeError, AttributeError, ValueError):
        return False
    return all(isinstance(one, str) for one in names) and all(
        isinstance(one, int | float) for one in numbers
    )


def save(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows as Parquet, atomically; an undefined number is null."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from bench.store.plain import plain

    table = pa.Table.from_pylist([plain(row) for row in rows])
    # In memory first: pyarrow takes paths as UTF-8, whatever the system does.
    content = BytesIO()
    pq.write_table(table, content)
    write_bytes(path, content.getvalue())


def read(path: Path) -> list[dict[str, Any]]:
    """Read rows back; nothing where there is no file, or it is damaged."""
    if not path.is_file():
        return []
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        rows: list[dict[str, Any]] = pq.read_table(
            BytesIO(path.read_bytes()), use_threads=False
        ).to_pylist()
    except (pa.ArrowException, OSError):
        return []
    return rows
