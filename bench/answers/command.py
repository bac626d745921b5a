"""`rse-bench answer`: a model answers from what each arm has chosen, and the answers are judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.answers.contexts import asked, chosen
from bench.answers.files import Results, write
from bench.answers.part import WHOLE, Part
from bench.answers.plan import Plan, plan, with_reference
from bench.answers.prefer import Preferred
from bench.answers.settings import Answers, AnswersError, read_answers
from bench.answers.table import Scored, summarise
from bench.answers.verdicts import Verdict
from bench.answers.work import Work
from bench.costs.prices import Prices
from bench.export.stored import stored
from bench.progress import Progress
from bench.report.write import MANIFEST
from bench.summary.resampling import Resampling
from bench.summary.row import Row


@dataclass(frozen=True, slots=True)
class Options:
    """What is answered, and how it goes."""

    part: Part = WHOLE
    """Of the run."""
    keep_going: bool = False
    """Count a request that failed instead of stopping; its answer is worth 0."""
    dry_run: bool = False
    """Only say what would be asked."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done."""

    plan: Plan
    rows: tuple[Row, ...] = ()
    """One for each dataset and arm; none after a dry run."""
    preferences: tuple[Preferred, ...] = ()
    sent: int = 0
    """Requests that were answered now, and not earlier."""
    failures: tuple[str, ...] = ()
    """What requests failed at, and why."""
    unread: int = 0
    """Verdicts that could not be read."""


def settings_for(folder: Path, changes: Mapping[str, Any]) -> Answers:
    """Return what a run's spec says of answers, changed by what a command line says.

    Args:
        folder: The run's folder.
        changes: Keys of `Answers`; None: not said. A judge that is `True` is the spec's, else one
            by the defaults.

    Raises:
        AnswersError: No model is named, or something is wrong.
    """
    try:
        spec = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["spec"]
        said = dict(spec.get("answers") or {})
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        said = {}  # `stored` says what is wrong with the folder
    given = {name: value for name, value in changes.items() if value is not None}
    if given.get("url", said.get("url")) != said.get("url"):
        _forget_keys(said)
    if given.get("judge") is True:
        given["judge"] = said.get("judge") or {}
    if "model" not in (content := {**said, **given}):
        raise AnswersError(
            f"no model is named that could answer; give --model, or put `answers:` with `model:` "
            f"into the spec and run it again ({folder})"
        )
    return read_answers(content, "answers")


def answer_run(
    folder: Path,
    settings: Answers,
    options: Options,
    progress: Progress,
    say: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Answer the questions of a run from what its arms have chosen, judge, and write the results.

    Every request is paid once: a command that was killed, or is given again, goes on from the
    cache and ends in the same files.

    Args:
        folder: The run's folder.
        settings: Who answers and who judges.
        options: What is answered.
        progress: Shows how far it is.
        say: Gets what is about to be sent, and what that will not tell, line by line, before
            anything is sent.

    Raises:
        ResultsError: The folder holds no results, or the data has changed since.
        DatasetError: A dataset cannot be loaded.
        AnswersError: There is no such arm, or nothing to answer.
        EndpointError: A request failed, and nobody said to keep going. What was answered is kept.
    """
    part = options.part
    run = stored(folder, part.raw)
    names = list(dict.fromkeys(record.arm for record in run.records()))
    pair = [_one(names, text) for text in settings.prefer or ()]
    wanted = {*chosen(names, part.arms), *pair}
    questions = asked(run, [name for name in names if name in wanted], part.limit)
    work = Work(settings, options.keep_going, progress)
    ahead = plan(settings, work.answering, questions, pair)
    for line in (ahead.told(), ahead.undefined(settings)):
        if line:
            say(line)
    if options.dry_run:
        return Outcome(ahead)
    spec = run.manifest["spec"]
    clusters = {one["name"]: one["clusters"] for one in run.manifest["datasets"]}
    answers = work.score(questions)
    # Whichever answer is better can be said of questions without a reference, too.
    preferences = work.prefer(
        [one.answered for one in answers], pair, Resampling(clusters, spec["seed"])
    )
    prices = Prices.model_validate(spec.get("prices", {}))
    resampling = Resampling(clusters, spec["seed"], with_reference(questions))
    table = summarise(answers, resampling, settings, prices)
    models = [settings.model, settings.judging.model or ""]
    found = Results(answers, table, preferences, prices.used(models))
    write(run, settings, part.limit, found)
    verdicts = _verdicts(found)
    return Outcome(
        ahead,
        tuple(table),
        tuple(preferences),
        work.sent,
        _failures(answers, verdicts),
        sum(one.unread for one in verdicts),
    )


def _forget_keys(said: dict[str, Any]) -> None:
    """Drop the names of keys that were meant for a host which is asked no more."""
    said.pop("key_env", None)
    judge = said.get("judge")
    if isinstance(judge, Mapping) and judge.get("url") is None:
        said["judge"] = {name: value for name, value in judge.items() if name != "key_env"}


def _one(names: Sequence[str], text: str) -> str:
    found = chosen(names, [text])
    if len(found) > 1:
        raise AnswersError(
            f"two arms are compared, but {text!r} means {'; '.join(found)}; name one of them in "
            f"full (strategy / scores / chunker / retriever)"
        )
    return found[0]


def _verdicts(found: Results) -> list[Verdict]:
    judged = [verdict for one in found.answers if one.judged for verdict in one.judged.verdicts]
    orders = [pair.orders for one in found.preferences for pair in one.pairs if pair.orders]
    return [*judged, *(verdict for both in orders for verdict in both)]


def _failures(answers: Sequence[Scored], verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Say which requests failed; what the arms themselves failed at is no failure of these."""
    failed = [one.answered for one in answers if one.answered.reply and one.answered.failed]
    return (
        *(f"{one.asked.question.id}, {one.asked.arm}: {one.failed}" for one in failed),
        *(f"judge: {one.failed}" for one in verdicts if one.failed and not one.unread),
    )
