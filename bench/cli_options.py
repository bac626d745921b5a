"""What commands have in common: options, and how they say what is no result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

FAILED = 1
"""Exit status: the command was right, and something it did was not done."""

SPEC = Annotated[Path, typer.Argument(help="Spec file, for example specs/default.yaml.")]
RUN = Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")]
RESULTS = Annotated[Path, typer.Option(help="Folder above the run's own.")]
RAW = Annotated[
    Path | None, typer.Option("--raw", help="Folder of upstream's raw files (RSE_BENCH_RAW).")
]
DATASET = Annotated[
    list[str] | None, typer.Option("-d", "--dataset", help="Name or folder; repeatable.")
]
LIMIT = Annotated[
    int | None, typer.Option("-n", "--limit", help="Only the first so many questions.")
]
THREADS = Annotated[int | None, typer.Option(min=1, help="Threads of all libraries.")]


def say(text: str) -> None:
    """Say something on the error stream, in one line."""
    typer.echo(f"rse-bench: {text}", err=True)


def left_out(missing: Sequence[str]) -> None:
    """Say which datasets are not here; that is a failure, but one after all else was done."""
    for reason in missing:
        say(f"left out: {reason}")
    if missing:
        raise typer.Exit(FAILED)
