"""`rse-bench ragas`: what a run returned, judged by ragas."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bench.answers.cli_options import ARM, DRY_RUN, KEY_ENV, LIMIT, URL
from bench.cli_options import FAILED, RAW, RUN, say
from bench.errors import UserError

if TYPE_CHECKING:
    from bench.adapters.ragas_judge import Judging
    from bench.adapters.ragas_run import Outcome
    from bench.costs.prices import Price

NONE = "none"


def ragas(  # noqa: PLR0913, PLR0917
    run_folder: RUN,
    arm: ARM = None,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", help="id_recall, faithfulness...; repeatable. Default: all."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Who judges; without one, only what needs no model.")
    ] = None,
    url: URL = None,
    key_env: KEY_ENV = None,
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
        typer.Option(
            metavar="IN OUT",
            help="Dollars for a million tokens; else those of the run's spec, or of our table.",
        ),
    ] = None,
    embedder: Annotated[
        str, typer.Option(help="Which model compares texts: minilm, e5, dense[model=...].")
    ] = "minilm",
    limit: LIMIT = None,
    raw: RAW = None,
    dry_run: DRY_RUN = False,
) -> None:
    """Judge by ragas what each arm of a run returned, and what was answered from it."""
    given = {
        "url": url,
        "key_env": key_env,
        "repeats": repeats,
        "temperature": temperature,
        "max_tokens": max_tokens,
        "seed": seed,
        "price": _price(prices),
    }
    judging = _judging(model, {name: value for name, value in given.items() if value is not None})
    # Late: a wrong command line is refused before anything heavy is imported.
    from bench.adapters.ragas_run import Options, plan, score
    from bench.answers.part import Part
    from bench.progress import Progress

    part = Part(arms=arm or (), limit=limit, raw=raw)
    options = Options(part=part, metrics=metric or (), embedder=embedder)
    made = plan(run_folder, judging, options)
    for note in made.notes:
        say(note)
    if judging or dry_run:
        say(
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
        say(f"{done.sent:,} requests sent; all other answers were kept from earlier")
    if done.failures:
        say(f"{len(done.failures)} judgements failed and have no value: {done.failures[0]}")
        raise typer.Exit(FAILED)


def _judging(model: str | None, given: dict[str, Any]) -> Judging | None:
    """Return who judges; no key is sent to another host than OpenAI's unless that is said."""
    if model is None:
        return None
    from bench.adapters.ragas_judge import Judging

    if "url" in given and "key_env" not in given:
        raise UserError("--key-env is needed with --url: name the variable, or write '' for none")
    return Judging(model=model, **given | {"temperature": _temperature(given["temperature"])})


def _price(given: tuple[float, float] | None) -> Price | None:
    if given is None:
        return None
    if not all(0 <= price < inf for price in given):
        raise UserError(f"--prices must be two numbers of 0 or more, got {given[0]} {given[1]}")
    from bench.costs.prices import Price

    return Price.model_validate(dict(zip(("input", "output"), given, strict=True)))


def _temperature(text: str) -> float | None:
    if text == NONE:
        return None
    try:
        return float(text)
    except ValueError:
        raise UserError(f"--temperature must be a number or {NONE}, got {text!r}") from None
