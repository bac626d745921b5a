"""What ragas calls the measures that stand under our own names in results: the one mapping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from bench.errors import UserError

PREFIX = "ragas_"


class Metric(NamedTuple):
    """A measure of ragas, from 0 to 1, more is better."""

    ragas: str
    """Its class there."""
    takes: tuple[str, ...]
    """Columns of a sample that it reads."""
    needs: tuple[str, ...]
    """Those of them without which it is undefined; blank is as good as missing."""
    judged: bool = True
    """Whether a language model is asked."""
    embeds: bool = False
    """Whether an embedding model compares texts."""
    empty: str = ""
    """What of `needs` an arm that returns nothing leaves blank: with gold that is a 0, of our own;
    ragas is not asked. Without such a column the measure is undefined there, as for all it needs.
    """


def _by_ids(ragas: str) -> Metric:
    columns = ("reference_context_ids", "retrieved_context_ids")
    return Metric(ragas, columns, columns, judged=False, empty=columns[1])


def _of_contexts(ragas: str) -> Metric:
    columns = ("user_input", "reference", "retrieved_contexts")
    return Metric(ragas, columns, columns, empty=columns[2])


def _of_answers(ragas: str, *columns: str, embeds: bool = False) -> Metric:
    return Metric(ragas, columns, columns, embeds=embeds)


METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        "ragas_id_precision": _by_ids("IDBasedContextPrecision"),
        "ragas_id_recall": _by_ids("IDBasedContextRecall"),
        "ragas_context_precision": _of_contexts("ContextPrecision"),
        "ragas_context_recall": _of_contexts("ContextRecall"),
        "ragas_faithfulness": _of_answers(
            "Faithfulness", "user_input", "response", "retrieved_contexts"
        ),
        "ragas_answer_relevancy": _of_answers(
            "AnswerRelevancy", "user_input", "response", embeds=True
        ),
        "ragas_answer_correctness": _of_answers(
            "AnswerCorrectness", "user_input", "response", "reference", embeds=True
        ),
    }
)

LACKS: Mapping[str, str] = MappingProxyType(
    {
        "retrieved_contexts": "the arm returned nothing",
        "retrieved_context_ids": "the arm returned nothing",
        "reference_context_ids": "no gold in any chunk",
        "reference": "no reference answer",
        "response": "no answer to judge",
        "user_input": "the question has no text",
    }
)
"""What it means that a column of a sample is empty."""


def named(names: Sequence[str], judged: bool) -> dict[str, Metric]:
    """Return the measures asked for, in the order of the mapping.

    Args:
        names: Ours, with or without `ragas_`; none: all that can be had.
        judged: Whether there is a language model to ask.

    Raises:
        UserError: There is no such measure, or no model to ask for it.
    """
    full = {name if name in METRICS else PREFIX + name for name in names}
    if unknown := sorted(full - METRICS.keys()):
        raise UserError(
            f"no measure {unknown[0].removeprefix(PREFIX)!r} of ragas; there are: "
            f"{', '.join(METRICS)}"
        )
    if not judged and (asked := [name for name in METRICS if name in full & JUDGED]):
        raise UserError(f"{asked[0]} is judged by a language model; name one with --model")
    return {
        name: metric
        for name, metric in METRICS.items()
        if (name in full if full else judged or not metric.judged)
    }


JUDGED = frozenset(name for name, metric in METRICS.items() if metric.judged)
