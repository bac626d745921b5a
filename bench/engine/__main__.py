"""`python -m bench.engine`: run the reference experiment and write `results/reference/engine/`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DATASETS = ("chunking_evaluation", "qmsum", "pydata-docs")
CHUNKERS = ("recursive[size=800]", "recursive[size=400]")
FOLDS = 5
SEED = 0


def main(
    raw: Annotated[Path | None, typer.Option(help="Folder of upstream's raw files.")] = None,
    out: Annotated[Path, typer.Option(help="Where to write.")] = Path("results/reference/engine"),
    page: Annotated[
        Path | None, typer.Option(help="Page whose table of the engine is replaced.")
    ] = None,
    dataset: Annotated[list[str] | None, typer.Option("-d", "--dataset")] = None,
) -> None:
    """Compare every form of RSE at equal mean tokens, cross-fitted by document."""
    from bench.data.load import load
    from bench.engine.experiment import run
    from bench.engine.page import table
    from bench.engine.pool import pool
    from bench.engine.report import write
    from bench.figures.table import put
    from bench.identity import versions
    from bench.progress import Progress
    from bench.store.atomic import write_text
    from bench.store.plain import dumps

    sets = [load(name, raw) for name in dataset or DATASETS]
    revisions = {data.name: data.revision for data in sets}
    results = []
    for chunker in CHUNKERS:
        pools = [pool(data, chunker, FOLDS, SEED, Progress()) for data in sets]
        for held in pools:
            typer.echo(f"measuring {held.dataset} / {held.chunker}", err=True)
            results.append(run(held, [other for other in pools if other is not held]))
    facts = {"folds": FOLDS, "seed": SEED, "resamples": 2000, "hits": 200}
    write(out, results, facts)
    if page:
        put(page, "engine", table(results))
    manifest = facts | {"revisions": revisions, "versions": versions()}
    write_text(out / "manifest.json", dumps(manifest) + "\n")
    typer.echo(f"Report: {out / 'engine.md'}")


if __name__ == "__main__":
    typer.run(main)
