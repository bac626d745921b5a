"""`rse-bench export`: a run's results in the form that another tool reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from bench.errors import UserError
from bench.export.beir import write_beir
from bench.export.ragas import write_ragas
from bench.export.stored import Corpora, Stored, stored
from bench.export.table import rows_of, write_table
from bench.export.text import write_json_lines
from bench.export.trec import write_trec
from bench.report.write import file_names
from bench.types import Record

INDEX = "index.jsonl"
"""Says which file is of which dataset and arm: names of arms are no names of files."""
LONGEST = 60


class Exported(NamedTuple):
    """What was written."""

    files: list[Path]
    notes: tuple[str, ...]
    """What the form cannot say, one sentence each."""


def export(run_folder: Path, form: str, out: Path, raw: Path | None) -> Exported:
    """Write a run's results for another tool; files of these names are replaced.

    Args:
        run_folder: The run's folder.
        form: `trec`, `ragas`, `beir` or `csv`.
        out: Folder to write to; made if need be.
        raw: Folder of upstream's raw files; None: where they are by default.

    Raises:
        UserError: An unknown form, a folder without results, data that has changed since or is not
            here, or files that cannot be written.
    """
    if form not in FORMS:
        raise UserError(f"no form {form!r} to export to; there are: {', '.join(FORMS)}")
    return FORMS[form](stored(run_folder, raw), out)


def _trec(run: Stored, out: Path) -> Exported:
    rankings = run.rankings()
    folders = _places([f"{dataset}_{family}" for dataset, family in rankings])
    files: list[Path] = []
    rows = []
    for folder, ((dataset, family), one) in zip(folders, rankings.items(), strict=True):
        files += write_trec(run.datasets[dataset], one, out / folder)
        rows.append({"file": folder, "dataset": dataset, "family": family})
    return Exported([*files, write_json_lines(out / INDEX, rows)], ())


def _ragas(run: Stored, out: Path) -> Exported:
    arms: dict[tuple[str, str], list[Record]] = {}
    for record in run.records():
        arms.setdefault((record.dataset, record.arm), []).append(record)
    names = _places([f"{dataset}_{arm}" for dataset, arm in arms])
    corpora = Corpora(run.datasets)
    files, rows = [], []
    for name, ((dataset, arm), records) in zip(names, arms.items(), strict=True):
        corpus = corpora.of(dataset, " / ".join(arm.split(" / ")[2:]))
        path = out / f"{name}.jsonl"
        files.append(write_ragas(run.datasets[dataset], corpus, records, path))
        questions = [record.question for record in records]
        rows.append({"file": path.name, "dataset": dataset, "arm": arm, "questions": questions})
    return Exported([*files, write_json_lines(out / INDEX, rows)], ())


def _beir(run: Stored, out: Path) -> Exported:
    folders = file_names(list(run.datasets))
    written = [write_beir(one, out / folders[name]) for name, one in run.datasets.items()]
    notes = [
        f"{name}: {note}"
        for name, one in zip(run.datasets, written, strict=True)
        for note in one.lost
    ]
    return Exported([file for one in written for file in one.files], tuple(notes))


def _csv(run: Stored, out: Path) -> Exported:
    return Exported([write_table(rows_of(run.records()), out / "values.csv")], ())


FORMS: Mapping[str, Callable[[Stored, Path], Exported]] = MappingProxyType(
    {"trec": _trec, "ragas": _ragas, "beir": _beir, "csv": _csv}
)


def _places(names: Sequence[str]) -> list[str]:
    """Number names and keep of each what a file can be called."""
    width = len(str(len(names)))
    plain = [re.sub(r"[^A-Za-z0-9_.=-]+", "-", name)[:LONGEST].strip("-.") for name in names]
    return [f"{number:0{width}}_{name}" for number, name in enumerate(plain, start=1)]
