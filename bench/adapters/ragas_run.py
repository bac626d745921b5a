"""`rse-bench ragas`: judge what a run has stored, without running it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from bench.adapters.ragas_judge import Chats, Judging
from bench.adapters.ragas_library import Library, library
from bench.adapters.ragas_names import METRICS, named
from bench.adapters.ragas_report import price_told, write
from bench.adapters.ragas_samples import ANSWERS, Sample, expected, samples
from bench.adapters.ragas_scores import Score, Scorer, settled
from bench.adapters.ragas_summary import Judged, rows_of, summarise
from bench.adapters.ragas_vectors import Vectors, local_encoder
from bench.answers.part import WHOLE, Part
from bench.costs.prices import Prices
from bench.endpoints.together import together
from bench.errors import UserError
from bench.export.stored import stored
from bench.places import cache_folder
from bench.progress import Progress
from bench.store.folder import writing
from bench.summary.row import Row

REASONS = 5
"""Kinds of failures that the report tells, the most frequent first; the others are in the rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What of a run is judged, and by what."""

    part: Part = WHOLE
    """Of the run."""
    metrics: Sequence[str] = ()
    """Empty: all that can be had."""
    embedder: str = "minilm"
    """Which model compares texts, for the measures that have texts compared."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be judged, before anything is sent."""

    folder: Path
    manifest: Mapping[str, Any]
    judging: Judging | None
    metrics: Sequence[str]
    samples: Sequence[Sample]
    embedder: str
    requests: int
    """That it takes at least, were nothing in the cache."""
    notes: tuple[str, ...]
    """What cannot be judged, one sentence each."""


class Outcome(NamedTuple):
    """What came of it."""

    rows: Sequence[Row]
    """One for each dataset and arm."""
    files: Sequence[Path]
    notes: tuple[str, ...]
    sent: int
    """Requests whose answers the cache did not have."""
    failures: Sequence[str]
    """Why judgements failed, one reason for each that did."""


def plan(folder: Path, judging: Judging | None, options: Options) -> Plan:
    """Find out what there is to judge, and what that takes; nothing is sent.

    Raises:
        UserError: There is no such run, arm or measure, its data is not here, or has changed.
    """
    metrics = list(named(options.metrics, judging is not None))
    run = stored(folder, options.part.raw)
    found = samples(run, options.part)
    if not found:
        raise UserError(f"no answers of {folder} are left to judge; raise the limit")
    if any(METRICS[name].embeds for name in metrics):
        local_encoder(options.embedder)  # before anything is paid
    repeats = judging.repeats if judging else 1
    requests = expected(metrics, found, repeats)
    notes = tuple(_lacking(metrics, found, folder))
    paid = judging and _priced(judging, run.manifest["spec"])
    return Plan(folder, run.manifest, paid, metrics, found, options.embedder, requests, notes)


def score(made: Plan, progress: Progress) -> Outcome:
    """Judge what was planned, and write it into the run's folder.

    Raises:
        RagasError: ragas cannot be imported.
        EndpointError: The endpoint answers nothing.
        ResultsError: The folder cannot be written.
    """
    ragas = library()
    with writing(made.folder), progress.bar("judging") as report:
        scores = _scores(made, ragas, report)
        judged = _grouped(made, scores)
        rows = summarise(judged, made.metrics, made.manifest, made.judging)
        files = write(made.folder, rows, rows_of(judged, made.metrics), _facts(made, ragas, scores))
    answers = [answer for one in scores for answer in one.answers]
    return Outcome(
        rows,
        files,
        made.notes,
        sum(not answer.cached for answer in answers),
        [one.failed for one in scores if one.failed],
    )


def score_run(
    folder: Path, judging: Judging | None, options: Options, progress: Progress
) -> Outcome:
    """Judge a run by ragas; see `plan` and `score`."""
    return score(plan(folder, judging, options), progress)


def _priced(judging: Judging, spec: Mapping[str, Any]) -> Judging:
    """Put in what the spec of the run, or else the table, says of the model's price."""
    if judging.price is not None:
        return judging
    prices = Prices.model_validate(spec.get("prices", {}))
    return replace(judging, price=prices.of(judging.model))


def _jobs(made: Plan) -> list[tuple[Sample, str, int]]:
    return [
        (sample, name, repeat)
        for sample in made.samples
        for name in made.metrics
        for repeat in range(made.judging.repeats if made.judging and METRICS[name].judged else 1)
    ]


def _scores(made: Plan, ragas: Library, report: Any) -> list[Score]:  # noqa: ANN401
    judging = made.judging
    embeds = any(METRICS[name].embeds for name in made.metrics)
    scorer = Scorer(
        ragas,
        Chats(judging, cache_folder()) if judging else None,
        Vectors(local_encoder(made.embedder)) if embeds else None,
    )
    first = judging.seed if judging else 0

    def one(job: tuple[Sample, str, int]) -> Score:
        sample, name, repeat = job
        return scorer.score(name, sample.columns, first + repeat)

    return together(one, _jobs(made), report)


def _grouped(made: Plan, scores: Sequence[Score]) -> list[Judged]:
    """Put the judgements of each sample together, by measure, in the order of the repeats."""
    found = [Judged(sample, {name: [] for name in made.metrics}) for sample in made.samples]
    place = {id(one.sample): one for one in found}
    for (sample, name, _), score in zip(_jobs(made), scores, strict=True):
        place[id(sample)].scores[name].append(score)
    return found


def _lacking(metrics: Sequence[str], found: Sequence[Sample], folder: Path) -> list[str]:
    """Say which measures are settled for all, or some, of the samples, and why."""
    said = []
    for name in metrics:
        known = [one for sample in found if (one := settled(name, sample.columns)) is not None]
        reasons = [one.undefined for one in known if one.undefined]
        if reasons:
            count = "everywhere" if len(reasons) == len(found) else f"for {len(reasons)} answers"
            said.append(f"{name} is undefined {count}: {', '.join(sorted(set(reasons)))}")
        if zeros := len(known) - len(reasons):
            said.append(f"{name} is 0 for {zeros} answers: there is gold, and nothing was returned")
    if not (folder / ANSWERS).is_file() and any("response" in METRICS[n].takes for n in metrics):
        said.append(f"`rse-bench answer {folder}` makes the answers to judge ({ANSWERS})")
    return said


def _facts(made: Plan, ragas: Library, scores: Sequence[Score]) -> dict[str, Any]:
    """Return all that can change a number, but for the run itself, and what is lacking."""
    judging = made.judging
    failed = Counter(one.failed for one in scores if one.failed).most_common(REASONS)
    notes = [*made.notes, *(f"failed, {count} times: {reason}" for reason, count in failed)]
    facts: dict[str, Any] = {"ragas": ragas.version, "notes": notes}
    if judging is not None:
        facts |= {
            name: getattr(judging, name)
            for name in ("model", "url", "temperature", "max_tokens", "repeats", "seed")
        }
        facts["dollars per million tokens"] = price_told(judging.price)
    if any(METRICS[name].embeds for name in made.metrics):
        facts["embedder"] = made.embedder
    return facts
