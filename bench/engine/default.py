"""`python -m bench.engine.default`: fit the `Share` that ships with the code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

SETS = ("chunking_evaluation", "qmsum")
"""Permissively licensed (MIT both): short evidence in long text, and long stretches of talk."""

SHIPPED = Path(__file__).resolve().parents[2] / "rse" / "calibration" / "share.json"


def main(
    raw: Annotated[Path | None, typer.Option(help="Folder of upstream's raw files.")] = None,
    out: Annotated[Path, typer.Option(help="File to write.")] = SHIPPED,
) -> None:
    """Fit on both sets under chunks of 800 and of 400 characters, every question weighing alike."""
    from bench.data.load import load
    from bench.engine.__main__ import CHUNKERS, FOLDS, SEED
    from bench.engine.crossfit import foreign
    from bench.engine.experiment import AROUND
    from bench.engine.pool import pool
    from bench.progress import Progress
    from bench.store.atomic import write_text
    from bench.store.plain import dumps
    from rse.calibration import to_json

    sets = [load(name, raw) for name in SETS]
    pools = [pool(data, chunker, FOLDS, SEED, Progress()) for chunker in CHUNKERS for data in sets]
    write_text(out, dumps(to_json(foreign(pools, AROUND)), indent=1) + "\n")
    typer.echo(f"{sum(len(held.asked) for held in pools)} examples: {out}")


if __name__ == "__main__":
    typer.run(main)
