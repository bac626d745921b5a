"""What the commands that ask a model about a finished run have in common on a command line."""

from __future__ import annotations

from typing import Annotated

import typer

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
DRY_RUN = Annotated[bool, typer.Option("--dry-run", help="Only say how much would be sent.")]
