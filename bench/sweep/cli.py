"""`rse-bench sweep` and `rse-bench fit-tokens`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bench.cli_options import DATASET, FAILED, LIMIT, RAW, RESULTS, THREADS, left_out, say


def sweep(  # noqa: PLR0913, PLR0917
    spec: Annotated[Path, typer.Argument(help="Sweep file, for example specs/sweep.yaml.")],
    dataset: DATASET = None,
    limit: LIMIT = None,
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=1, help="Processes.")] = 1,
    results: RESULTS = Path("results"),
    seed: Annotated[int | None, typer.Option(help="Of folds, bootstrap and searches.")] = None,
    raw: RAW = None,
    threads: THREADS = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how much it is and how long it takes, no more.")
    ] = False,
    backend: Annotated[
        str, typer.Option(help="Who does it: local, or ray (several machines).")
    ] = "local",
    address: Annotated[
        str | None, typer.Option(help="Of the Ray cluster: host:port (RAY_ADDRESS).")
    ] = None,
) -> None:
    """Try many settings, choose on some documents, report on others, write preset cards."""
    from bench.sweep.spec import read

    checked = read(spec, datasets=dataset, limit=limit, seed=seed)
    from bench.progress import Progress
    from bench.sweep.backend import check, working
    from bench.sweep.dataset import Options
    from bench.sweep.plan import plan
    from bench.sweep.run import sweep as run_sweep
    from bench.sweep.shown import show
    from bench.sweep.units import Local

    check(backend, address, jobs)
    options = Options(raw, threads, Local(jobs))
    folder = results / checked.name
    if dry_run:
        for line in plan(checked, folder, options):
            typer.echo(line)
        return
    with working(backend, address, jobs, options) as told:
        outcome = run_sweep(checked, folder, told, Progress())
    show(outcome.results)
    for arm, why in list(outcome.failed.items())[:3]:
        say(f"failed: {arm}: {why}")
    typer.echo(f"Report: {folder / 'sweep.md'}; cards: {folder / 'cards'}")
    if outcome.failed:
        say(f"{len(outcome.failed)} settings failed and take no part; cv_results.csv says why")
    left_out(outcome.missing)
    if outcome.failed:
        raise typer.Exit(FAILED)


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
