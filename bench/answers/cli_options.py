"""What the commands that ask a model about a finished run have in common on a command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RUN = Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")]
ARM = Annotated[
    list[str] | None, typer.Option("--arm", help="Only this: 'rse / minmax'; repeatable.")
]
URL = Annotated[
    str | None,
    typer.Option("--url", help="Its endpoint: https://host/v1; OpenAI's if none is named."),
]
KEY_ENV = Annotated[
    str | None,
    typer.Option(
        "--key-env",
        help="Environment variable with its key; '' for none. Needed with a URL of your own.",
    ),
]
LIMIT = Annotated[
    int | None, typer.Option("-n", "--limit", min=1, help="Only the first so many questions.")
]
RAW = Annotated[
    Path | None, typer.Option("--raw", help="Folder of upstream's raw files (RSE_BENCH_RAW).")
]
DRY_RUN = Annotated[bool, typer.Option("--dry-run", help="Only say how much would be sent.")]


def say(text: str) -> None:
    """Say something on the error stream, in one line."""
    typer.echo(f"rse-bench: {text}", err=True)
