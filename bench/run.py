"""The whole benchmark, top to bottom: load, chunk, index, search, select, score, keep, report."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench import identity
from bench.answer import Answering, RunError
from bench.arms import Arm
from bench.data.load import load
from bench.family import Family, prepare
from bench.finish import finish
from bench.progress import Progress
from bench.spec import Spec
from bench.store.folder import writing
from bench.store.journal import Journal
from bench.types import Dataset

JOURNAL = "journal.jsonl"


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
    failures: tuple[str, ...]


def run(spec: Spec, folder: Path, options: Options, progress: Progress) -> Outcome:
    """Run every arm of a spec over every dataset and leave results in `folder`.

    Rows are kept as they are earned; a run that was killed goes on where it stopped.

    Raises:
        ResultsError: The folder cannot be written, or another run writes to it.
        DatasetError: A dataset is missing or broken; found before any work is done.
        RunError: A strategy failed and `keep_going` is off.
    """
    with writing(folder):
        datasets = [_limited(load(name, options.raw), spec.limit) for name in spec.datasets]
        if options.fresh:
            (folder / JOURNAL).unlink(missing_ok=True)
        with Journal(folder / JOURNAL) as journal:
            earlier, failures = set(journal.rows), []
            wanted: dict[str, list[str]] = {}
            for dataset in datasets:
                for chunker, retriever in spec.families():
                    arms = spec.arms(chunker, retriever)
                    keys = _Keys(dataset, arms, f"{chunker} / {retriever}", spec.depth)
                    if any(key not in earlier for key in keys.all()):
                        failures += _family(journal, keys, spec, options, progress)
                    wanted.setdefault(dataset.name, []).extend(keys.all())
            summary = finish(folder, spec, datasets, journal, wanted, options.threads)
    reused = sum(key in earlier for keys in wanted.values() for key in keys)
    return Outcome(folder, summary, reused, tuple(failures))


@dataclass(frozen=True, slots=True)
class _Keys:
    """The rows that one dataset and one family of arms must have."""

    dataset: Dataset
    arms: Sequence[Arm]
    family: str
    depth: int

    def facts(self) -> str:
        return self.row("facts", "")

    def row(self, arm: Arm | str, question: str) -> str:
        family = f"{self.family} depth {self.depth}"
        return identity.row_key(arm, self.dataset.revision, question, family)

    def all(self) -> list[str]:
        questions = [question.id for question in self.dataset.questions]
        names: list[Arm | str] = [*self.arms, "curve"]
        return [self.facts(), *(self.row(name, q) for name in names for q in questions)]

    def of(self, question: str) -> list[str]:
        names: list[Arm | str] = [*self.arms, "curve"]
        return [self.row(name, question) for name in names]


def _family(
    journal: Journal, keys: _Keys, spec: Spec, options: Options, progress: Progress
) -> list[str]:
    """Answer every question of a dataset by every arm that shares chunker and retriever."""
    family = prepare(keys.dataset, keys.family, options.threads, progress)
    answering = Answering(family, keys.arms, spec.depth, options.keep_going)
    questions = keys.dataset.questions
    todo = [
        question
        for question in questions
        if any(key not in journal.rows for key in keys.of(question.id))
    ]
    if todo:
        answering.warm_up(todo[0])
    failures: list[str] = []
    gc.disable()  # a collection in the middle of a timing would be counted as the arm's
    try:
        for question in progress.track(todo, f"{keys.dataset.name}: {keys.family}"):
            curve, records = answering.answer(question)
            for record in records:
                row = {**record, "key": keys.row(str(record["arm"]), question.id), "kind": "record"}
                if row["failed"]:
                    failures.append(f"{question.id}: {record['arm']}")
                journal.append(row)
            journal.append({**curve, "key": keys.row("curve", question.id), "kind": "curve"})
    finally:
        gc.enable()
    journal.append({**_facts(family, answering), "key": keys.facts(), "kind": "facts"})
    return failures


def _facts(family: Family, answering: Answering) -> dict[str, Any]:
    return {"family": family.name, **family.facts, "cold_start_seconds": answering.cold}


def _limited(dataset: Dataset, limit: int | None) -> Dataset:
    return replace(dataset, questions=dataset.questions[:limit]) if limit else dataset


__all__ = ["Options", "Outcome", "RunError", "run"]
