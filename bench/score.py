"""`rse-bench score`: measure stored answers anew, without a model, a search or a strategy."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import isinf, isnan, nan
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from bench import identity
from bench.curve import DIGITS, measured_rankings
from bench.errors import RunError, UserError
from bench.export.stored import Corpora, Stored, stored
from bench.metrics.batch import score_records, token_maps
from bench.metrics.bounds import Bounds
from bench.report.write import MANIFEST, write_report
from bench.store.atomic import write_text
from bench.store.folder import writing
from bench.store.plain import dumps
from bench.store.records import CURVES, RECORDS, read, row_of, save
from bench.summary.arms import TAKEN
from bench.summary.baseline import of_family
from bench.summary.row import Row
from bench.summary.tables import tables
from bench.types import Passage, Question, Record, Span

Metric: TypeAlias = Callable[[Sequence[Span], Sequence[Passage]], float]
"""Gets what was returned, best first, and the gold; returns a number, nan where undefined."""


class Rescored(NamedTuple):
    """What was measured anew."""

    summary: list[Row]
    records: int
    changed: Mapping[str, int]
    """Answers whose value is another than was stored, by metric; new metrics are not in it."""
    kept: Mapping[str, str]
    """Metrics that were added earlier and not measured now, with their `module:function`."""


def score(folder: Path, raw: Path | None, added: Sequence[str] = ()) -> Rescored:
    """Measure the answers of a run anew and rebuild its tables and report.

    Args:
        folder: The run's folder.
        raw: Folder of upstream's raw files.
        added: Metrics of your own, each as `module:function`; its name is the function's.

    Raises:
        UserError: No such metric, or one of a name that is taken; no results, or data that has
            changed since.
        RunError: A metric failed on an answer.
    """
    metrics = _metrics(added)
    with writing(folder):
        run = stored(folder, raw)
        before = run.records()
        records = _measured(run, before, metrics)
        curves = _ranked(run)
        kept = read(folder / RECORDS)
        save(folder / RECORDS, [{**row, **row_of(r)} for row, r in zip(kept, records, strict=True)])
        save(folder / CURVES, curves)
        earlier = dict((run.manifest.get("scored") or {}).get("added", {}))
        origins = {**earlier, **{text.partition(":")[2]: text for text in added}}
        manifest = {**run.manifest, "scored": _scored(origins)}
        write_text(folder / MANIFEST, dumps(manifest, indent=2) + "\n")
        made = tables(records, curves, manifest)
        write_report(folder, made, manifest, curves)
    as_before = {name: origin for name, origin in origins.items() if name not in metrics}
    return Rescored(made.summary, len(records), _changed(before, records), as_before)


def _measured(
    run: Stored, records: Sequence[Record], metrics: Mapping[str, Metric]
) -> list[Record]:
    """Return the records with every metric computed again; what only a run knows stays."""
    corpora = Corpora(run.datasets)
    places: dict[tuple[str, str], list[int]] = {}
    for place, record in enumerate(records):
        places.setdefault((record.dataset, of_family(record.arm)), []).append(place)
    found = list(records)
    for (dataset, family), own in places.items():
        corpus, asked = corpora.of(dataset, family), run.datasets[dataset].questions
        group = [records[place] for place in own]
        values = score_records(token_maps(corpus), group, asked)
        tokens = values.pop("tokens").astype(int).tolist()
        columns = {name: column.tolist() for name, column in values.items()}
        questions = {question.id: question for question in asked}
        bounds = {q: Bounds(corpus, questions[q]) for q in {one.question for one in group}}
        for row, (place, record) in enumerate(zip(own, group, strict=True)):
            new = {name: column[row] for name, column in columns.items()}
            new |= bounds[record.question].at(tokens[row])
            new |= _own(metrics, record, questions[record.question])
            rounded = {name: round(value, DIGITS) for name, value in new.items()}
            found[place] = replace(
                record,
                context=replace(record.context, tokens=tokens[row]),
                metrics={**record.metrics, **rounded},
            )
    return found


def _ranked(run: Stored) -> list[dict[str, Any]]:
    """Return what was kept of each question with its ranking measured again."""
    rows = read(run.folder / CURVES)
    measured: dict[tuple[str, str, str], dict[str, Any]] = {}
    for (dataset, family), one in run.rankings().items():
        questions = [q for q in run.datasets[dataset].questions if q.id in one.chunks]
        rankings = [one.chunks[question.id] for question in questions]
        values = measured_rankings(one.corpus, questions, rankings)
        for question, value in zip(questions, values, strict=True):
            measured[dataset, family, question.id] = value
    return [{**row, **measured[row["dataset"], row["family"], row["question"]]} for row in rows]


def _metrics(added: Sequence[str]) -> dict[str, Metric]:
    found: dict[str, Metric] = {}
    for text in added:
        name, metric = _found(text)
        if name in found:
            raise UserError(f"two metrics are called {name!r}; rename the function of one of them")
        found[name] = metric
    return found


def _found(text: str) -> tuple[str, Metric]:
    """Import a metric by `module:function`; the working directory is looked in, too."""
    module, _, name = text.partition(":")
    if not module or not name:
        raise UserError(f"cannot read the metric {text!r}; write it like my_metrics:first_word")
    if name in TAKEN or name.startswith("seconds_"):
        raise UserError(f"the metric {text!r} has the name of one that is there; rename it")
    sys.path.insert(0, "")
    try:
        metric = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise UserError(f"there is no metric {text!r}: {error}") from None
    except (Exception, SystemExit) as error:
        raise UserError(
            f"the metric {text!r} cannot be imported: {type(error).__name__}: {error}"
        ) from None
    finally:
        sys.path.remove("")
    if not callable(metric):
        raise UserError(f"{text!r} is no function of (spans, gold)")
    return name, metric


def _own(metrics: Mapping[str, Metric], record: Record, question: Question) -> dict[str, float]:
    values = {}
    for name, metric in metrics.items():
        try:
            value: Any = metric(record.context.spans, question.gold)
            if isinstance(value, str | bytes):
                raise TypeError(f"it returned {value!r}, which is no number")
            values[name] = nan if value is None else float(value)
            if isinf(values[name]):
                raise ValueError("it returned no finite number; None means undefined")
        except (Exception, SystemExit) as error:
            raise RunError(
                f"the metric {name} failed on question {question.id}, {record.arm}: "
                f"{type(error).__name__}: {error}"
            ) from error
    return values


def _changed(before: Iterable[Record], after: Iterable[Record]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for old, new in zip(before, after, strict=True):
        for name, value in old.metrics.items():
            now = new.metrics[name]
            same = value == now or (isnan(value) and isnan(now))
            counts[name] = counts.get(name, 0) + (not same)
        counts["tokens"] = counts.get("tokens", 0) + (old.context.tokens != new.context.tokens)
    return {name: count for name, count in counts.items() if count}


def _scored(added: Mapping[str, str]) -> dict[str, Any]:
    return {
        "code": identity.code()[:16],
        "versions": identity.versions(),
        "added": dict(added),
    }
