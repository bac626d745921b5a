"""Commands about a finished run: report, score, export; and throughput of a spec."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bench.cli_options import RAW, RESULTS, RUN, SPEC, THREADS, left_out, say


def report(
    run_folder: RUN,
) -> None:
    """Rebuild summary, report and figures from a run's stored records, and print the table."""
    from bench.report.table import show
    from bench.report.write import rebuild

    show(rebuild(run_folder))
    typer.echo(f"Report: {run_folder / 'report.md'}")


def score(
    run_folder: RUN,
    metric: Annotated[
        list[str] | None,
        typer.Option(help="One of your own, module:function of (spans, gold); repeatable."),
    ] = None,
    raw: RAW = None,
) -> None:
    """Measure a run's stored answers anew, and rebuild its tables: nothing is run again."""
    from bench.report.table import show, show_added
    from bench.score import score as measure

    found = measure(run_folder, raw, metric or [])
    show(found.summary)
    show_added(found.summary)
    changed = ", ".join(f"{name} of {count}" for name, count in found.changed.items())
    say(f"{found.records} answers measured; changed: {changed or 'nothing'}")
    for name, origin in found.kept.items():
        say(f"{name} is as {origin} measured it; name it again to measure it again")
    typer.echo(f"Report: {run_folder / 'report.md'}")


def export(
    run_folder: RUN,
    to: Annotated[str, typer.Option(help="trec, ragas, beir or csv.")],
    out: Annotated[Path, typer.Option("-o", "--output", help="Folder to write to.")],
    raw: RAW = None,
) -> None:
    """Write a run's results in the form that another tool reads."""
    from bench.export.command import export as write

    found = write(run_folder, to, out, raw)
    for path in found.files:
        typer.echo(str(path))
    for note in found.notes:
        say(note)


def throughput(  # noqa: PLR0913, PLR0917
    spec: SPEC,
    questions: Annotated[int, typer.Option("-n", min=1, help="Questions of each dataset.")] = 50,
    repetitions: Annotated[int, typer.Option(min=1, help="Times each is measured.")] = 3,
    all_arms: Annotated[
        bool, typer.Option("--all-arms", help="Not the first arm of each family only.")
    ] = False,
    threads: THREADS = None,
    results: RESULTS = Path("results"),
    raw: RAW = None,
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
    left_out(missing)
