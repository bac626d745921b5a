"""`python -m bench.engine`: run the reference experiment and write `results/reference/engine/`."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bench.engine.experiment import Result
    from bench.engine.pool import Pool
    from bench.types import Dataset

DATASETS = ("chunking_evaluation", "qmsum", "pydata-docs")
CHUNKERS = ("recursive[size=800]", "recursive[size=400]")
FOLDS = 5
SEED = 0


def main(
    raw: Annotated[Path | None, typer.Option(help="Folder of upstream's raw files.")] = None,
    out: Annotated[Path, typer.Option(help="Where to write.")] = Path("results/reference/engine"),
    page: Annotated[
        Path | None, typer.Option(help="Page whose tables of the engine are replaced.")
    ] = None,
    dataset: Annotated[list[str] | None, typer.Option("-d", "--dataset")] = None,
) -> None:
    """Compare every form of RSE at equal mean tokens, cross-fitted by document."""
    from bench.data.load import load
    from bench.engine.earlier import SHORT
    from bench.engine.experiment import brief
    from bench.engine.repeats import without_repeats
    from bench.engine.report import write, write_tables
    from bench.store.atomic import write_text
    from bench.store.plain import dumps

    sets = [load(name, raw) for name in dataset or DATASETS]
    repeating = [without_repeats(data) for data in sets if data.name == SHORT]
    results, plain = [], []
    for chunker in CHUNKERS:
        pools = [_pool(data, chunker) for data in sets]
        results += _results(pools)
        plain += [brief(_pool(data, chunker)) for data in repeating]
    facts = _facts(sets, pools[0])
    write(out, results, facts["settings"])
    write_tables(out / "without_repeats", plain)
    write_text(out / "manifest.json", dumps(facts, indent=2) + "\n")
    _pages(page, out / "README.md", results, plain)
    typer.echo(f"Report: {out / 'engine.md'}")


def _pool(data: Dataset, chunker: str) -> Pool:
    from bench.engine.pool import pool
    from bench.progress import Progress

    typer.echo(f"measuring {data.name} / {chunker}", err=True)
    return pool(data, chunker, FOLDS, SEED, Progress())


def _results(pools: list[Pool]) -> list[Result]:
    from bench.engine.experiment import fit, run

    crosses = [fit(held) for held in pools]
    return [run(cross, [other for other in crosses if other is not cross]) for cross in crosses]


def _facts(sets: list[Dataset], held: Pool) -> dict[str, dict[str, object]]:
    """Return all that can change a number."""
    from bench.engine.pool import DEPTH
    from bench.identity import versions
    from bench.machine import machine

    return {
        "settings": {
            "folds": FOLDS,
            "seed": SEED,
            "resamples": len(held.draws.weight),
            "hits": DEPTH,
            "model": held.model,
        },
        "revisions": {data.name: data.revision for data in sets},
        "versions": dict(versions()),
        "machine": machine() | {"python": platform.python_version()},
    }


def _pages(page: Path | None, readme: Path, results: list[Result], plain: list[Result]) -> None:
    """Fill in the tables of the page, and of the comparison with earlier figures."""
    from bench.engine.earlier import table as earlier
    from bench.engine.page import aim, table
    from bench.engine.report import tables
    from bench.figures.table import put

    found = tables(results)
    if page:
        put(page, "engine", table(found["families"]))
        put(page, "price and RSE", aim(found["families"]))
    if readme.exists():
        put(readme, "earlier figures", earlier(found, tables(plain)))


if __name__ == "__main__":
    typer.run(main)
