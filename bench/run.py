"""The whole benchmark, top to bottom: load, chunk, index, search, select, score, keep, report."""

from __future__ import annotations

import gc
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import identity
from bench.answer import Answering, Settings
from bench.arms import Arm
from bench.catalog import retriever
from bench.content.forms import DEFAULT
from bench.data.load_all import load_all
from bench.family import Family, prepare
from bench.finish import finish
from bench.machine import load
from bench.progress import Progress
from bench.spec import REPETITIONS, Spec
from bench.store.folder import writing
from bench.store.journal import Journal
from bench.store.records import is_whole
from bench.types import Dataset

JOURNAL = "journal.jsonl"
CURVE = "curve"
"""Name and kind of the rows that hold top-k's curve."""


@dataclass(frozen=True, slots=True)
class Options:
    """What changes how a run goes, but none of its numbers."""

    raw: Path | None = None
    """Folder of upstream's raw files."""
    threads: int | None = None
    """Threads of all libraries; None: what they choose."""
    fresh: bool = False
    """Measure everything again, whatever an earlier run has left."""
    keep_going: bool = False
    """Go on after a strategy failed; the answer counts as empty and is listed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run has done."""

    folder: Path
    summary: list[dict[str, Any]]
    reused: int
    """Rows that an earlier run had left."""
    dropped: int
    """Lines of an earlier run that could not be read."""
    failures: tuple[str, ...]
    missing: tuple[str, ...]
    """Why datasets were left out whose files are not here."""


def run(spec: Spec, folder: Path, options: Options, progress: Progress) -> Outcome:
    """Run every arm of a spec over every dataset and leave results in `folder`.

    Rows are kept as they are earned; a run that was killed goes on where it stopped.

    Raises:
        ResultsError: The folder cannot be written, or another run writes to it.
        DatasetError: A dataset is broken, or none is here; found before any work is done.
        RunError: A strategy failed and `keep_going` is off.
    """
    with writing(folder):
        datasets, missing = load_all(spec.datasets, options.raw, spec.limit)
        if options.fresh:
            (folder / JOURNAL).unlink(missing_ok=True)
        models = {name: _models(name) for _, name in spec.families()}
        with Journal(folder / JOURNAL, is_whole) as journal:
            earlier, failures = set(journal.rows), []
            wanted: dict[str, list[str]] = {}
            for dataset in datasets:
                for chunker, searched in spec.families():
                    arms = spec.arms(chunker, searched)
                    name = f"{chunker} / {searched}"
                    keys = _Keys(dataset, arms, name, spec, models[searched])
                    if not journal.rows.keys() >= set(keys.all()):
                        failures += _family(journal, keys, spec, options, progress)
                    wanted.setdefault(dataset.name, []).extend(keys.all())
            summary = finish(folder, spec, datasets, journal, wanted, options.threads)
    reused = sum(key in earlier for keys in wanted.values() for key in keys)
    return Outcome(folder, summary, reused, journal.dropped, tuple(failures), missing)


@dataclass(frozen=True, slots=True)
class _Keys:
    """The rows that one dataset and one family of arms must have."""

    dataset: Dataset
    arms: Sequence[Arm]
    family: str
    spec: Spec
    models: str = ""
    """Digests of models in folders, which may change while their names stay."""

    def facts(self) -> str:
        return self.row("facts", f"{len(self.dataset.documents)} documents")

    def row(self, arm: Arm | str, question: str) -> str:
        family = f"{self.family} depth {self.spec.depth}{self.models}"
        if self.spec.content != DEFAULT:
            family += f" content {self.spec.content}"
        if self.spec.repetitions != REPETITIONS:
            family += f" repetitions {self.spec.repetitions}"
        dataset = f"{self.dataset.name} {self.dataset.revision}"
        return identity.row_key(arm, dataset, question, family)

    def all(self) -> list[str]:
        questions = [question.id for question in self.dataset.questions]
        return [self.facts(), *(self.row(name, q) for name in self.names() for q in questions)]

    def names(self) -> list[str]:
        return [*map(str, self.arms), CURVE]

    def done(self, question: str, rows: Container[str]) -> set[str]:
        """Return what is there of a question: names of arms, and `curve`."""
        return {name for name in self.names() if self.row(name, question) in rows}


def _family(
    journal: Journal, keys: _Keys, spec: Spec, options: Options, progress: Progress
) -> list[str]:
    """Answer every question of a dataset by every arm that shares chunker and retriever."""
    family = prepare(keys.dataset, keys.family, options.threads, progress)
    settings = Settings(spec.depth, options.keep_going, spec.content, spec.repetitions)
    answering = Answering(family, keys.arms, settings)
    done = {q.id: keys.done(q.id, journal.rows) for q in keys.dataset.questions}
    todo = [q for q in keys.dataset.questions if len(done[q.id]) < len(keys.names())]
    if todo:
        answering.warm_up(todo[0])
    failures: list[str] = []
    before = load()
    gc.disable()  # a collection in the middle of a timing would be counted as the arm's
    try:
        for question in progress.track(todo, f"{keys.dataset.name}: {keys.family}"):
            curve, records = answering.answer(question, done[question.id])
            for record in records:
                key = keys.row(record["arm"], question.id)
                journal.append({"key": key, "kind": "record", **record})
                if record["failed"]:
                    failures.append(f"{question.id}: {record['arm']}")
            if CURVE not in done[question.id]:
                journal.append({"key": keys.row(CURVE, question.id), "kind": CURVE, **curve})
    finally:
        gc.enable()
    if keys.facts() not in journal.rows:
        journal.append(
            {"key": keys.facts(), "kind": "facts", **_facts(family, answering, (before, load()))}
        )
    return failures


def _facts(
    family: Family, answering: Answering, busy: Sequence[list[float] | None]
) -> dict[str, Any]:
    cold = answering.cold
    named = {"dataset": family.dataset.name, "family": family.name}
    return named | family.facts() | {"cold_start_seconds": cold, "load": list(busy)}


def _models(name: str) -> str:
    """Return what tells the models of a retriever from others of the same name."""
    from bench.retrieval.models import identities

    return "".join(f" model {one}" for one in identities(retriever(name)[1]))
