"""The command line: data on standard output, progress and errors on the error stream."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from bench.adapters.cli import ragas
from bench.answers.cli import answer
from bench.cli_cache import app as cache_app
from bench.cli_data import app as data_app
from bench.cli_options import (
    DATASET,
    FAILED,
    LIMIT,
    RAW,
    RESULTS,
    SPEC,
    THREADS,
    left_out,
    say,
)
from bench.cli_runs import export, report, score, throughput
from bench.errors import RunError, UserError, cut
from bench.sweep.cli import fit_tokens, sweep

app = typer.Typer(
    help="Which retrieval strategy gives the needed evidence for the fewest tokens?",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.add_typer(data_app, name="data")
app.add_typer(cache_app, name="cache")

WRONG_USE = 2
INTERRUPTED = 130
LONGEST = 800
"""Characters of an error's line; more is somebody's data."""

USAGE_ERROR: Any = typer.BadParameter.__base__
"""What typer raises for a wrong command line; where its class stands depends on its version."""


@app.command()
def run(  # noqa: PLR0913, PLR0917
    spec: SPEC,
    strategy: Annotated[
        list[str] | None,
        typer.Option("-s", "--strategy", help="Run this instead: 'topk[k=5]', 'rse / minmax'."),
    ] = None,
    dataset: DATASET = None,
    limit: LIMIT = None,
    results: RESULTS = Path("results"),
    seed: Annotated[int | None, typer.Option(help="Seed of the bootstrap.")] = None,
    raw: RAW = None,
    threads: THREADS = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Measure everything again.")] = False,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Count a failed answer as empty and go on.")
    ] = False,
    gap: Annotated[
        bool, typer.Option("--gap", help="Show what greedy selection misses of the optimum.")
    ] = False,
) -> None:
    """Run every arm of a spec, keep what it finds, print the table."""
    from bench.spec import grid_of, read

    checked = read(
        spec,
        grids=[grid_of(text) for text in strategy] if strategy else None,
        datasets=dataset,
        limit=limit,
        seed=seed,
    )
    # Late: a wrong spec is refused before anything heavy is imported.
    from bench.progress import Progress
    from bench.report.table import show, show_gap
    from bench.run import Options
    from bench.run import run as run_spec

    options = Options(raw, threads, fresh, keep_going)
    outcome = run_spec(checked, results / checked.name, options, Progress())
    show(outcome.summary)
    if gap:
        show_gap(outcome.summary)
    if outcome.reused:
        say(f"{outcome.reused} rows kept from an earlier run; --fresh measures again")
    if outcome.dropped:
        say(f"{outcome.dropped} damaged rows of an earlier run dropped and measured again")
    typer.echo(f"Report: {outcome.folder / 'report.md'}")
    if outcome.failures:
        say(f"{len(outcome.failures)} answers failed and count as empty: {outcome.failures[0]}...")
    left_out(outcome.missing)
    if outcome.failures:
        raise typer.Exit(FAILED)


@app.command(name="list")
def list_parts() -> None:
    """List what can be named in a spec: strategies, scores, chunkers, retrievers, datasets."""
    from bench.listing import listing

    typer.echo(listing())


app.command()(sweep)
app.command(name="fit-tokens")(fit_tokens)
app.command()(report)
app.command()(score)
app.command()(answer)
app.command()(ragas)
app.command()(export)
app.command()(throughput)


def main() -> None:
    """Run the command line; a wrong input ends in one line on the error stream and exit 2."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # names in any script, terminals in any encoding
    try:
        _invoke()
    except KeyboardInterrupt:
        _end("interrupted; what was earned is kept, the same command goes on", INTERRUPTED)
    except BrokenPipeError:
        # The reader has what it wanted; nothing may be written there at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(0)
    except Exception as error:
        if os.environ.get("RSE_BENCH_DEBUG"):
            raise
        _end(*_told(error))


def _invoke() -> None:
    """Call the command named; typer's own `app()` would keep interrupts and broken pipes."""
    command = typer.main.get_command(app)
    try:
        with command.make_context("rse-bench", sys.argv[1:]) as context:
            command.invoke(context)
    except typer.Exit as ended:
        sys.exit(ended.exit_code)
    except USAGE_ERROR as error:
        text = error.format_message()
        if text.startswith("Usage:"):  # called with nothing at all
            typer.echo(text, err=True)
            sys.exit(WRONG_USE)
        place = error.ctx.command_path if error.ctx else "rse-bench"
        _end(f"{text.rstrip('.')}; `{place} --help` says what there is", WRONG_USE)
    sys.exit(0)


def _told(error: Exception) -> tuple[str, int]:
    """Return what to say of an error, and the exit status."""
    from rse.checks import ParameterError

    if isinstance(error, RunError):
        return str(error), FAILED
    if isinstance(error, UserError | ParameterError):
        return str(error), WRONG_USE
    if isinstance(error, OSError):
        where = f" {error.filename}" if error.filename else ""
        return f"{error.strerror or error}{where}", WRONG_USE
    return f"{type(error).__name__}: {error} (RSE_BENCH_DEBUG=1 shows where)", FAILED


def _end(text: str, code: int) -> NoReturn:
    say(cut(" ".join(text.split()), LONGEST))
    sys.exit(code)
