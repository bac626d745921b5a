"""`rse-bench cache ...`: what is kept between runs, and how to be rid of it."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from bench.errors import UserError

app = typer.Typer(help="What is kept between runs: info, clear.", no_args_is_help=True)

JSON = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def info(as_json: JSON = False) -> None:
    """Show where the cache is and how much is in it."""
    from bench.places import cache_folder
    from bench.store.kept import kept

    folder, found = cache_folder(), kept(cache_folder())
    if as_json:
        typer.echo(
            json.dumps({"folder": str(folder), "kept": [one._asdict() for one in found]}, indent=2)
        )
        return
    typer.echo(f"{folder} (RSE_BENCH_CACHE names another)")
    for one in found:
        entries = "" if one.entries is None else f"{one.entries:,}"
        typer.echo(f"  {one.kind:12} {_size(one.bytes):>9} {entries:>10}  {one.what}")


@app.command()
def clear(
    kind: Annotated[
        list[str] | None, typer.Argument(metavar="KIND...", help="As `cache info` names them.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All kinds.")] = False,
) -> None:
    """Remove what is kept of some kinds; it is made again when needed (raw: by `data get`)."""
    from bench.places import cache_folder
    from bench.store.kept import KINDS
    from bench.store.kept import clear as remove

    if bool(kind) == everything:
        raise UserError(f"name what to clear, or --all; there are: {', '.join(KINDS)}")
    for one in remove(cache_folder(), list(KINDS) if everything else list(kind or [])):
        typer.echo(f"{one.kind}: {one.files} files, {_size(one.bytes)} removed")


def _size(number: int) -> str:
    """Return a number of bytes as people read it."""
    value = float(number)
    for unit in ("B", "KB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} GB"
