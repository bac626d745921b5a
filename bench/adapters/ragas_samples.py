"""What ragas is to judge: each question with what an arm returned and what was answered from it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.adapters.ragas_names import METRICS
from bench.adapters.ragas_scores import settled
from bench.answers.contexts import chosen
from bench.answers.part import Part
from bench.errors import UserError
from bench.export.ragas import ragas_rows
from bench.export.stored import Corpora, Stored
from bench.types import Record

ANSWERS = "answers.jsonl"
"""What a model answered, question by question and arm by arm."""
ANSWER_KEYS = ("dataset", "arm", "question", "answer")
STRICTNESS = 3
"""Questions that ragas has made of an answer for its relevancy."""


class Sample(NamedTuple):
    """A question and an arm."""

    dataset: str
    arm: str
    question: str
    columns: Mapping[str, Any]
    """As ragas names them."""


def samples(run: Stored, part: Part) -> list[Sample]:
    """Return what a run has to judge, in its own order.

    Args:
        run: The run.
        part: Of the run.

    Raises:
        UserError: The run, or what was answered from it, cannot be read, or has no such arm.
    """
    first = {
        name: {q.id for q in one.questions[: part.limit]} for name, one in run.datasets.items()
    }
    groups: dict[tuple[str, str], list[Record]] = {}
    records = run.records()
    wanted = set(chosen(list(dict.fromkeys(record.arm for record in records)), part.arms))
    for record in records:
        if record.arm in wanted and record.question in first[record.dataset]:
            groups.setdefault((record.dataset, record.arm), []).append(record)
    answers = read_answers(run.folder / ANSWERS)
    corpora = Corpora(run.datasets)
    found = []
    for (dataset, arm), group in groups.items():
        corpus = corpora.of(dataset, " / ".join(arm.split(" / ")[2:]))
        rows = ragas_rows(run.datasets[dataset], corpus, group, answers.get((dataset, arm)))
        found += [
            Sample(dataset, arm, record.question, row)
            for record, row in zip(group, rows, strict=True)
        ]
    return found


def read_answers(path: Path) -> dict[tuple[str, str], dict[str, str]]:
    """Read what was answered, by dataset and arm, then by question; nothing without a file.

    Raises:
        UserError: A line is not one of ours.
    """
    found: dict[tuple[str, str], dict[str, str]] = {}
    if not path.is_file():
        return found
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
            dataset, arm, question, answer = (row[key] for key in ANSWER_KEYS)
        except (ValueError, KeyError, TypeError):
            raise UserError(
                f"{path}:{number} is no object with {', '.join(ANSWER_KEYS)}; "
                f"`rse-bench answer {path.parent}` writes such lines"
            ) from None
        if isinstance(answer, str):  # what failed has none
            found.setdefault((dataset, arm), {})[question] = answer
    return found


def expected(names: Sequence[str], found: Sequence[Sample], repeats: int) -> int:
    """Count the different requests it takes to judge, answers all being readable at once."""
    asked = {
        request
        for sample in found
        for name in names
        if settled(name, sample.columns) is None
        for request in _requests(name, sample.columns)
    }
    return len(asked) * repeats


def _requests(name: str, columns: Mapping[str, Any]) -> Iterator[tuple[object, ...]]:
    """Yield what tells apart the requests of one judgement, as ragas 0.4 makes them.

    What is the same for two arms is asked once.
    """
    if not METRICS[name].judged:
        return
    read = [columns[one] for one in METRICS[name].takes]
    if name == "ragas_context_precision":
        *told, contexts = read
        yield from ((name, *told, context) for context in contexts)
        return
    if name == "ragas_answer_relevancy":
        yield from ((name, columns["response"], turn) for turn in range(STRICTNESS))
        return
    whole = (name, *(tuple(one) if isinstance(one, list) else one for one in read))
    yield whole
    # Statements are made of a text once, whatever they are then held against; but where answer
    # and reference are the same, ragas asks twice.
    if name == "ragas_faithfulness":
        yield "statements", columns["user_input"], columns["response"], 0
    if name == "ragas_answer_correctness":
        again = int(columns["response"] == columns["reference"])
        yield "statements", columns["user_input"], columns["response"], 0
        yield "statements", columns["user_input"], columns["reference"], again
