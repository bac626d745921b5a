"""`rse-bench data build`: what the command line calls."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from bench.data.folder import Manifest
from bench.data.own.build import check_free, name_of, question_row, write
from bench.data.own.documents import read_folder
from bench.data.own.gold import Placer
from bench.data.own.questions import read_questions
from bench.data.own.report import Report, report
from bench.data.own.told import told
from bench.data.own.walk import unicode_name

FINE = 0
INCOMPLETE = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to build."""

    license: str = "not stated"
    """What the manifest says of the documents."""
    force: bool = False
    """Replace an earlier build."""
    strict: bool = False
    """Write nothing if a file cannot be read or a question is left out."""
    json: bool = False
    """Print the report as JSON."""


def build(docs: Path, questions: Path | None, out: Path, options: Options) -> int:
    """Build a dataset, print what was found, and return the exit status.

    Files that cannot be read and questions whose gold has no certain place are listed and left
    out; unless `strict`, the rest is written and the status is 0.

    Raises:
        DatasetError: There is no document, the questions are no such file, or `out` is taken.
    """
    name = name_of(out)
    check_free(out, force=options.force)
    asked = read_questions(questions) if questions else []
    folder = read_folder(docs, [path for path in (out, questions) if path])
    placer = Placer(folder.documents)
    placed = placer.place(asked)
    found = report(folder, asked, placed)
    refused = options.strict and not found.is_complete
    if not refused:
        rows = [
            question_row(question, gold, placer.scope(question), folder.documents)
            for question, gold in zip(asked, placed, strict=True)
            if not gold.troubles
        ]
        source, license_ = unicode_name(docs.resolve().name), unicode_name(options.license)
        left_out = {
            question.id: gold.troubles[0].reason
            for question, gold in zip(asked, placed, strict=True)
            if gold.troubles
        }
        about = Manifest(name=name, license=license_, source=source, excluded=left_out)
        write(out, folder.documents.values(), rows, about, force=options.force)
    if options.json:
        _print(found.as_json(None if refused else str(out)))
    else:
        _print(f"{told(found)}\n{_last(found, out, refused)}")
    return INCOMPLETE if refused else FINE


def _last(found: Report, out: Path, refused: bool) -> str:
    if refused:
        return "Nothing written: --strict wants all files read and no question left out."
    if not found.questions:
        return f"Written: {out}. It has no questions yet, so there is nothing to measure."
    return f"Written: {out}. Next: rse-bench run specs/default.yaml -d {_argument(out)}"


def _argument(out: Path) -> str:
    """Return the folder as a word of a shell that is no name of a dataset."""
    path = str(out)
    return shlex.quote(path if "/" in path or path.startswith(".") else f"./{path}")


def _print(text: str) -> None:
    import typer

    typer.echo(text)
