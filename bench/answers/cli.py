"""`rse-bench answer`: what is typed, and what is printed."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bench.answers.cli_options import ARM, DRY_RUN, KEY_ENV, LIMIT, URL
from bench.cli_options import FAILED, RAW, RUN, say

if TYPE_CHECKING:
    from rich.table import Table

    from bench.answers.command import Outcome
    from bench.summary.row import Row


def answer(  # noqa: PLR0913, PLR0917
    run_folder: RUN,
    arm: ARM = None,
    model: Annotated[str | None, typer.Option(help="Model that answers.")] = None,
    url: URL = None,
    key_env: KEY_ENV = None,
    limit: LIMIT = None,
    judge: Annotated[
        bool, typer.Option("--judge", help="Let a model judge the answers, three times each.")
    ] = False,
    prefer: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="A B", help="Let it say which of two arms answers better."),
    ] = None,
    raw: RAW = None,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Count a failed answer as worth 0 and go on.")
    ] = False,
    dry_run: DRY_RUN = False,
) -> None:
    """Let a model answer from what each arm of a run has chosen; hold it against the references."""
    from bench.answers.command import Options, answer_run, settings_for
    from bench.answers.files import PAGE
    from bench.answers.part import Part
    from bench.progress import Progress

    said: dict[str, Any] = {"model": model, "url": url, "key_env": key_env}
    said |= {"judge": judge or None, "prefer": list(prefer) if prefer else None}
    settings = settings_for(run_folder, said)
    part = Part(arms=arm or (), limit=limit, raw=raw)
    options = Options(part, keep_going, dry_run)
    outcome = answer_run(run_folder, settings, options, Progress(), say)
    if dry_run:
        return
    _show(outcome.rows)
    for one in outcome.preferences:
        found = one.comparison
        typer.echo(
            f"{one.dataset}: {one.left} against {one.right}: better {found.wins}, equal "
            f"{found.ties}, worse {found.losses}, failed {found.left_out}; place decided "
            f"{_shown(100 * one.place_share, '.0f')} % of those asked about"
        )
    typer.echo(f"Report: {run_folder / PAGE}")
    _tell(outcome)


def _tell(outcome: Outcome) -> None:
    """Say on the error stream what did not go as it should; exit 1 if requests failed."""
    if outcome.unread:
        say(f"verdicts that could not be read: {outcome.unread}; answers.jsonl says why")
    if outcome.failures:
        say(f"requests that failed: {len(outcome.failures)}; the first: {outcome.failures[0]}")
        raise typer.Exit(FAILED)


def _show(rows: Sequence[Row]) -> None:
    """Print a table for each dataset and family: quality in percent, tokens in all."""
    from rich.console import Console

    console = Console(markup=False, highlight=False)
    families: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        families.setdefault((row["dataset"], row["arm"].split(" / ", 2)[2]), []).append(row)
    for (dataset, family), own in families.items():
        console.print(_table(f"{dataset}: {own[0]['questions']} questions, {family}", own))
    console.print("em, f1, judge: percent; prompt, completion: tokens as the endpoint counts them")


def _table(title: str, rows: Sequence[Row]) -> Table:
    from rich import box
    from rich.table import Table

    names = [name for name in ("em", "f1", "judge") if f"mean_{name}" in rows[0]]
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("arm", overflow="fold")
    for name in (*names, "undefined", "failed", "prompt", "completion"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        strategy, scores = row["arm"].split(" / ")[:2]
        quality = [_shown(100 * row[f"mean_{name}"], ".1f") for name in names]
        counts = [str(row["undefined"]), str(row["failed"])]
        spent = [_shown(row[f"{name}_tokens"], ",.0f") for name in ("prompt", "completion")]
        name = strategy if scores == "none" else f"{strategy} / {scores}"
        table.add_row(name, *quality, *counts, *spent)
    return table


def _shown(value: float, form: str) -> str:
    return "-" if isnan(value) else format(value, form)
