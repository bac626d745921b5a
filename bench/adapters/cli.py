"""`rse-bench ragas`: what a run returned, judged by ragas."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bench.errors import UserError

if TYPE_CHECKING:
    from bench.adapters.ragas_judge import Judging
    from bench.adapters.ragas_run import Outcome

FAILED = 1
NONE = "none"


def ragas(  # noqa: PLR0913, PLR0917
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run's folder.")],
    arm: Annotated[
        list[str] | None, typer.Option("--arm", help="Judge only this: 'topk[k=5]'; repeatable.")
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", help="id_recall, faithfulness...; repeatable. Default: all."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Who judges; without one, only what needs no model.")
    ] = None,
    url: Annotated[
        str | None, typer.Option(help="Where its /chat/completions is. Default: OpenAI.")
    ] = None,
    key_env: Annotated[
        str | None,
        typer.Option(help="Environment variable with its key; '' for none. Needed with --url."),
    ] = None,
    repeats: Annotated[int, typer.Option(help="Times that everything is judged.")] = 3,
    temperature: Annotated[
        str, typer.Option(help="0 for the likeliest answer; none: not sent.")
    ] = "0",
    max_tokens: Annotated[
        int | None, typer.Option(help="Tokens an answer has at most; 0: not sent.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Another one has everything judged anew.")] = 0,
    prices: Annotated[
        tuple[float, float] | None,
        typer.Option(help="Dollars for a million tokens in, and out."),
    ] = None,
    embedder: Annotated[
        str, typer.Option(help="Which model compares texts: minilm, e5, dense[model=...].")
    ] = "minilm",
    limit: Annotated[
        int | None, typer.Option("-n", "--limit", min=1, help="Only the first so many questions.")
    ] = None,
    raw: Annotated[
        Path | None, typer.Option(help="Folder of upstream's raw files (RSE_BENCH_RAW).")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say how many requests it takes.")
    ] = False,
) -> None:
    """Judge by ragas what each arm of a run returned, and what was answered from it."""
    given = {
        "url": url,
        "key_env": key_env,
        "repeats": repeats,
        "temperature": temperature,
        "max_tokens": max_tokens,
        "seed": seed,
        "prices": prices,
    }
    judging = _judging(model, {name: value for name, value in given.items() if value is not None})
    # Late: a wrong command line is refused before anything heavy is imported.
    from bench.adapters.ragas_run import Options, plan, score
    from bench.progress import Progress

    options = Options(arms=arm or (), metrics=metric or (), limit=limit, raw=raw, embedder=embedder)
    made = plan(run_folder, judging, options)
    for note in made.notes:
        _say(note)
    if judging or dry_run:
        _say(
            f"{made.requests:,} requests at least, less those whose answers are kept; more where "
            f"an answer cannot be read"
        )
    if dry_run:
        return
    _tell(score(made, Progress()))


def _tell(done: Outcome) -> None:
    from bench.adapters.ragas_report import REPORT, measures, shown

    for row in done.rows:
        values = ", ".join(f"{name} {shown(row, name)}" for name in measures(row))
        typer.echo(f"{row['dataset']}: {row['arm']}: {values}")
    typer.echo(f"Report: {next(path for path in done.files if path.name == REPORT)}")
    if any(row["requests"] for row in done.rows):
        _say(f"{done.sent:,} requests sent; all other answers were kept from earlier")
    if done.failures:
        _say(f"{len(done.failures)} judgements failed and have no value: {done.failures[0]}")
        raise typer.Exit(FAILED)


def _judging(model: str | None, given: dict[str, Any]) -> Judging | None:
    """Return who judges; no key is sent to another host than OpenAI's unless that is said."""
    if model is None:
        return None
    from bench.adapters.ragas_judge import Judging, Prices

    if "url" in given and "key_env" not in given:
        raise UserError("--key-env is needed with --url: name the variable, or write '' for none")
    if "prices" in given:
        given["prices"] = Prices(*given["prices"])
    return Judging(model=model, **given | {"temperature": _temperature(given["temperature"])})


def _temperature(text: str) -> float | None:
    if text == NONE:
        return None
    try:
        return float(text)
    except ValueError:
        raise UserError(f"--temperature must be a number or {NONE}, got {text!r}") from None


def _say(text: str) -> None:
    typer.echo(f"rse-bench: {text}", err=True)
