"""Pieces of work, each kept as it is done: a sweep that was killed goes on where it stopped."""

from __future__ import annotations

import hashlib
import io
import json
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol
from zipfile import BadZipFile

import numpy as np

from bench.progress import Progress
from bench.store.atomic import write_bytes
from bench.sweep.measure import Measured, Work, do

FOLDER = "units"
SELECTIONS = 50_000
"""Settings times questions in a piece of work: less than a second, and a small file."""


class Runner(Protocol):
    """Does pieces of work, here or elsewhere."""

    def run(self, works: Sequence[Work]) -> Iterator[tuple[int, Measured]]:
        """Yield each piece's place and result, in whatever order they are done."""
        ...


class Local(NamedTuple):
    """Does the work on this machine.

    Numbers do not depend on it: each setting is computed by one process, from the same file.
    """

    jobs: int = 1
    """Processes; 1: this one."""

    def run(self, works: Sequence[Work]) -> Iterator[tuple[int, Measured]]:
        if self.jobs == 1 or len(works) < 2:
            yield from ((place, do(work)) for place, work in enumerate(works))
            return
        from joblib import Parallel, delayed

        parallel = Parallel(n_jobs=self.jobs, return_as="generator_unordered", batch_size=1)
        done = parallel(delayed(_numbered)(place, work) for place, work in enumerate(works))
        try:
            for one in done:  # noqa: UP028, else joblib would be closed before `finally`
                yield one
        finally:
            with warnings.catch_warnings():  # that work was cut short is said by who stopped it
                warnings.simplefilter("ignore")
                done.close()


def units(searched: Path, scores: str, strategies: Sequence[str], questions: int) -> list[Work]:
    """Cut settings that share questions and scores into pieces of work."""
    size = max(1, SELECTIONS // max(questions, 1))
    return [
        Work(searched, scores, tuple(strategies[begin : begin + size]))
        for begin in range(0, len(strategies), size)
    ]


def run_units(
    folder: Path, works: Sequence[Work], runner: Runner, progress: Progress
) -> list[Measured]:
    """Return the result of each piece of work; those that are kept are not done again.

    Raises:
        OSError: A result cannot be written; those before it are kept.
    """
    paths = [folder / FOLDER / f"{key_of(work)}.npz" for work in works]
    found = [_read(path, len(work.strategies)) for path, work in zip(paths, works, strict=True)]
    todo = [place for place, one in enumerate(found) if one is None]
    with progress.bar("sweep: settings") as report:
        whole = sum(len(work.strategies) for work in works)
        done = whole - sum(len(works[place].strategies) for place in todo)
        report(done, whole)
        for place, measured in runner.run([works[place] for place in todo]):
            here = todo[place]
            found[here] = measured
            _write(paths[here], measured)
            done += len(works[here].strategies)
            report(done, whole)
    return [one for one in found if one is not None]


def key_of(work: Work) -> str:
    """Digest a piece of work; the name of the questions' file says all that they depend on."""
    parts = [work.searched.name, work.scores, list(work.strategies)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def _numbered(place: int, work: Work) -> tuple[int, Measured]:
    return place, do(work)


def _write(path: Path, measured: Measured) -> None:
    content = io.BytesIO()
    errors = json.dumps({str(place): text for place, text in measured.errors.items()})
    np.savez_compressed(content, values=measured.values, errors=np.array(errors, np.str_))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, content.getvalue())


def _read(path: Path, settings: int) -> Measured | None:
    """Return a kept result; None: there is none, or it is damaged."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            values, errors = file["values"], json.loads(str(file["errors"]))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None
    if values.ndim != 3 or len(values) != settings:
        return None
    return Measured(values, {int(place): text for place, text in errors.items()})
