"""The command line: data on standard output, progress and errors on the error stream."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from bench.adapters.cli import ragas
from bench.answers.cli import answer
from bench.cli_cache import app as cache_app
from bench.cli_data import app as data_app
from bench.errors import RunError, UserError, cut

app = typer.Typer(
    help="Which retrieval strategy gives the needed evidence for the fewest tokens?",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.add_typer(data_app, name="data")
app.add_typer(cache_app, name="cache")
app.command()(answer)
app.command()(ragas)

WRONG_USE = 2
FAILED = 1
INTERRUPTED = 130
LONGEST = 800
"""Characters of an error's line; more is somebody's data."""

USAGE_ERROR: Any = typer.BadParameter.__base__
"""What typer raises for a wrong command line; where its class stands depends on its version."""

SPEC = Annotated[Path, typer.Argument(help="Spec file, for example specs/default.yaml.")]
RESULTS = Annotated[Path, typer.Option(help="Folder above the run's own.")]


@app.command()
def run(  # noqa: PLR0913, PLR0917
    spec: SPEC,
    strategy: Annotated[
        list[str] | None,
        typer.Option("-s", "--strategy", help="Run this instead: 'topk[k=5]', 'rse / minmax'."),
    ] = None,
    dataset: Annotated[
        list[str] | None, typer.Option("-d", "--dataset", help="Name or folder; repeatable.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("-n", "--limit", help="Only the first so many questions.")
    ] = None,
    results: RESULTS = Path("results"),
    seed: Annotated[int | None, typer.Option(help="Seed of the bootstrap.")] = None,
    raw: Annotated[
        Path | None, typer.Option(help="Folder of upstream's raw files (RSE_BENCH_RAW).")
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads of all libraries.")] = None,
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
        _say(f"{outcome.reused} rows kept from an earlier run; --fresh measures again")
    if outcome.dropped:
        _say(f"{outcome.dropped} damaged rows of an earlier run dropped and measured again")
    typer.echo(f"Report: {outcome.folder / 'report.md'}")
    if outcome.failures:
        _say(f"{len(outcome.failures)} answers failed and count as empty: {outcome.failures[0]}...")
    _left_out(outcome.missing)
    if outcome.failures:
        raise typer.Exit(FAILED)


@app.command()
def sweep(  # noqa: PLR0913, PLR0917
    spec: Annotated[Path, typer.Argument(help="Sweep file, for example specs/sweep.yaml.")],
    dataset: Annotated[
        list[str] | None, typer.Option("-d", "--dataset", help="Name or folder; repeatable.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("-n", "--limit", help="Only the first so many questions.")
    ] = None,
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=1, help="Processes.")] = 1,
    results: RESULTS = Path("results"),
    seed: Annotated[int | None, typer.Option(help="Of folds, bootstrap and searches.")] = None,
    raw: Annotated[
        Path | None, typer.Option(help="Folder of upstream's raw files (RSE_BENCH_RAW).")
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads of all libraries.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how much it is and how long it takes, no more.")
    ] = False,
) -> None:
    """Try many settings, choose on some documents, report on others, write preset cards."""
    from bench.sweep.spec import read

    checked = read(spec, datasets=dataset, limit=limit, seed=seed)
    from bench.progress import Progress
    from bench.sweep.dataset import Options
    from bench.sweep.plan import plan
    from bench.sweep.run import sweep as run_sweep
    from bench.sweep.shown import show
    from bench.sweep.units import Local

    options = Options(raw, threads, Local(jobs))
    folder = results / checked.name
    if dry_run:
        for line in plan(checked, folder, options):
            typer.echo(line)
        return
    outcome = run_sweep(checked, folder, options, Progress())
    show(outcome.results)
    for arm, why in list(outcome.failed.items())[:3]:
        _say(f"failed: {arm}: {why}")
    typer.echo(f"Report: {folder / 'sweep.md'}; cards: {folder / 'cards'}")
    if outcome.failed:
        _say(f"{len(outcome.failed)} settings failed and take no part; cv_results.csv says why")
    _left_out(outcome.missing)
    if outcome.failed:
        raise typer.Exit(FAILED)


@app.command(name="fit-tokens")
def fit_tokens(  # noqa: PLR0913, PLR0917
    docs: Annotated[Path, typer.Argument(help="Folder of txt, md, html and pdf files.")],
    queries: Annotated[Path, typer.Argument(help="Queries: .txt, one a line; .jsonl or .csv.")],
    tokens: Annotated[int, typer.Option(min=1, help="Mean tokens wanted.")],
    strategy: Annotated[
        str, typer.Option("-s", "--strategy", help="As for run; preset:FILE as well.")
    ] = "priced / share",
    chunker: Annotated[str, typer.Option(help="How documents are cut.")] = "recursive[size=800]",
    retriever: Annotated[str, typer.Option(help="Who searches.")] = "minilm",
    card: Annotated[Path | None, typer.Option(help="Write the preset to this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Set a strategy's one knob so that it spends so many tokens; needs queries, no gold."""
    from bench.progress import Progress
    from bench.spec import grid_of
    from bench.sweep.fit_tokens import Target, queries_over
    from bench.sweep.fit_tokens import fit_tokens as fit
    from bench.sweep.fitted import told, write_card

    grid = grid_of(strategy)
    target = Target(tokens, grid["strategy"], grid["scores"][0], chunker, retriever)
    found = fit(queries_over(docs, queries), target, Progress())
    if card:
        write_card(card, found, target)
    for line in told(found, target, as_json=as_json):
        typer.echo(line)


@app.command(name="list")
def list_parts() -> None:
    """List what can be named in a spec: strategies, scores, chunkers, retrievers, datasets."""
    from bench.listing import listing

    typer.echo(listing())


@app.command()
def report(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
) -> None:
    """Rebuild summary, report and figures from a run's stored records, and print the table."""
    from bench.report.table import show
    from bench.report.write import rebuild

    show(rebuild(run_folder))
    typer.echo(f"Report: {run_folder / 'report.md'}")


@app.command()
def throughput(  # noqa: PLR0913, PLR0917
    spec: SPEC,
    questions: Annotated[int, typer.Option("-n", min=1, help="Questions of each dataset.")] = 50,
    repetitions: Annotated[int, typer.Option(min=1, help="Times each is measured.")] = 3,
    all_arms: Annotated[
        bool, typer.Option("--all-arms", help="Not the first arm of each family only.")
    ] = False,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads of all libraries.")] = None,
    results: RESULTS = Path("results"),
    raw: Annotated[
        Path | None, typer.Option(help="Folder of upstream's raw files (RSE_BENCH_RAW).")
    ] = None,
) -> None:
    """Measure questions answered in a second, one, two and four at a time."""
    from bench.spec import read

    checked = read(spec)
    from bench.progress import Progress
    from bench.report.throughput import FILE, show
    from bench.report.write import is_run, rebuild
    from bench.throughput import Plan
    from bench.throughput import throughput as measure

    folder = results / checked.name
    plan = Plan(questions, repetitions, threads=threads, all_arms=all_arms)
    rows, missing = measure(checked, folder, raw, plan, Progress())
    show(rows)
    typer.echo(f"Table: {folder / FILE}")
    if is_run(folder):
        rebuild(folder)
        typer.echo(f"Report: {folder / 'report.md'}")
    _left_out(missing)


@app.command()
def score(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    metric: Annotated[
        list[str] | None,
        typer.Option(help="One of your own, module:function of (spans, gold); repeatable."),
    ] = None,
    raw: Annotated[
        Path | None, typer.Option(help="Folder of upstream's raw files (RSE_BENCH_RAW).")
    ] = None,
) -> None:
    """Measure a run's stored answers anew, and rebuild its tables: nothing is run again."""
    from bench.report.table import show, show_added
    from bench.score import score as measure

    found = measure(run_folder, raw, metric or [])
    show(found.summary)
    show_added(found.summary)
    changed = ", ".join(f"{name} of {count}" for name, count in found.changed.items())
    _say(f"{found.records} answers measured; changed: {changed or 'nothing'}")
    for name, origin in found.kept.items():
        _say(f"{name} is as {origin} measured it; name it again to measure it again")
    typer.echo(f"Report: {run_folder / 'report.md'}")


@app.command()
def export(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    to: Annotated[str, typer.Option(help="trec, ragas, beir or csv.")],
    out: Annotated[Path, typer.Option("-o", "--output", help="Folder to write to.")],
    raw: Annotated[
        Path | None, typer.Option(help="Folder of upstream's raw files (RSE_BENCH_RAW).")
    ] = None,
) -> None:
    """Write a run's results in the form that another tool reads."""
    from bench.export.command import export as write

    found = write(run_folder, to, out, raw)
    for path in found.files:
        typer.echo(str(path))
    for note in found.notes:
        _say(note)


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


def _left_out(missing: Sequence[str]) -> None:
    """Say which datasets are not here; that is a failure, but one after all else was done."""
    for reason in missing:
        _say(f"left out: {reason}")
    if missing:
        raise typer.Exit(FAILED)


def _say(text: str) -> None:
    typer.echo(f"rse-bench: {text}", err=True)


def _end(text: str, code: int) -> NoReturn:
    _say(cut(" ".join(text.split()), LONGEST))
    sys.exit(code)
