"""One judgement of ragas: a number from 0 to 1, or why there is none."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from math import isnan, nan
from typing import Any, NamedTuple

from bench.adapters.ragas_judge import Judge, JudgeError
from bench.adapters.ragas_library import Library
from bench.adapters.ragas_names import LACKS, METRICS
from bench.adapters.ragas_vectors import Vectors
from bench.endpoints.chat import Answer, Chat
from bench.endpoints.client import EndpointError
from bench.errors import cut
from bench.retrieval.embedders.windows import plain

SLACK = 1e-6
"""How far outside 0 to 1 is rounding: a cosine of equal vectors may be a hair above 1."""
PATIENCE = 20
"""Judgements that may fail at the endpoint before any is given: it will not be there for others."""
SHOWN = 300


class Score(NamedTuple):
    """What came of one judgement."""

    value: float
    """nan: there is none."""
    failed: str = ""
    """Why it failed."""
    undefined: str = ""
    """What was missing, so that nothing could be judged; known before anybody is asked."""
    answers: tuple[Answer, ...] = ()
    """What the model said for it, failures included; none where nobody was asked."""


class Scorer:
    """Gives judgements by ragas' own code. Threads may share it.

    Args:
        library: ragas.
        chat: Returns the language model under a seed; None: there is none.
        vectors: The embedding model; None: there is none.
    """

    def __init__(
        self,
        library: Library,
        chat: Callable[[int], Chat] | None = None,
        vectors: Vectors | None = None,
    ) -> None:
        self._library, self._chat, self._vectors = library, chat, vectors
        self._lock = threading.Lock()
        self._lost: int | None = 0
        """Judgements lost at the endpoint; None: it has answered."""

    def score(self, name: str, sample: Mapping[str, Any], seed: int = 0) -> Score:
        """Judge a sample; ragas and the model are asked only for what is not `settled`.

        Args:
            name: The measure, as we call it.
            sample: In the columns of ragas.
            seed: Of the first request.

        Raises:
            EndpointError: The endpoint has answered nothing at all so far, `PATIENCE` times.
        """
        if (known := settled(name, sample)) is not None:
            return known
        if not METRICS[name].judged:
            return self._compared(name, sample)
        if self._chat is None or (METRICS[name].embeds and self._vectors is None):
            raise ValueError(f"{name} needs a language model, and may need an embedding model")
        judge = Judge(self._chat, seed)
        try:
            result = asyncio.run(self._ask(name, sample, judge))
        except EndpointError as error:
            if not judge.answers:
                self._lose(error)
            return Score(nan, str(error), answers=tuple(judge.answers))
        except Exception as error:  # ragas' own code: a failure of its is counted, with its reason
            told = isinstance(error, JudgeError)
            reason = str(error) if told else f"ragas: {type(error).__name__}: {error}"
            score = Score(nan, cut(" ".join(reason.split()), SHOWN))
        else:
            score = checked(result)
        if judge.answers:
            self._lost = None
        return score._replace(answers=tuple(judge.answers))

    async def _ask(self, name: str, sample: Mapping[str, Any], judge: Judge) -> object:
        metric = METRICS[name]
        more = {"embeddings": self._vectors} if metric.embeds else {}
        asked = self._library.classes[name](llm=judge, **more)
        found = await asked.ascore(**{column: _plain(sample[column]) for column in metric.takes})
        return found.value

    def _compared(self, name: str, sample: Mapping[str, Any]) -> Score:
        """Judge by ids. Not by the public method, which notes a user id for telemetry on disk."""
        metric = self._library.classes[name]()
        given = self._library.sample(**{column: sample[column] for column in METRICS[name].takes})
        return checked(asyncio.run(metric._single_turn_ascore(given, None)))

    def _lose(self, error: EndpointError) -> None:
        with self._lock:
            if self._lost is None:
                return
            self._lost += 1
            if self._lost >= PATIENCE:
                raise EndpointError(f"{error}; so ended the first {PATIENCE} judgements, all")


def settled(name: str, sample: Mapping[str, Any]) -> Score | None:
    """Return what is known of a judgement before anybody is asked; None: nothing.

    Where a question has gold and the arm returned nothing, or failed, precision and recall are 0,
    by ids and as judged, for nothing of the gold was returned: ours, ragas has no value for most of
    them. That holds where the measure has a value for other arms: without a reference answer the
    judged ones are undefined for all. Any other measure that lacks something is undefined.

    Args:
        name: The measure, as we call it.
        sample: In the columns of ragas.
    """
    metric = METRICS[name]
    lacks = [column for column in metric.needs if _blank(sample[column])]
    if not lacks:
        return None
    if lacks == [metric.empty] and has_gold(sample):
        return Score(0.0)
    return Score(nan, undefined=LACKS[lacks[0]])


def has_gold(sample: Mapping[str, Any]) -> bool:
    """Tell whether anything in the documents answers a sample's question."""
    return not _blank(sample["reference_contexts"])


def checked(value: object) -> Score:
    """Return a value of ragas if it is one from 0 to 1, else why it is refused.

    >>> checked(1.7).failed
    'ragas gives 1.7, which is not from 0 to 1'
    """
    if not isinstance(value, int | float) or isnan(value):
        return Score(nan, f"ragas gives {cut(repr(value), 40)}, which is no number")
    if not -SLACK <= value <= 1 + SLACK:
        return Score(nan, f"ragas gives {value:.6g}, which is not from 0 to 1")
    return Score(min(max(float(value), 0.0), 1.0))


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Replace half surrogate pairs, which ragas cannot write into a prompt."""
    return [plain(item) for item in value] if isinstance(value, list) else plain(value)


def _blank(value: object) -> bool:
    if isinstance(value, list):
        return all(_blank(item) for item in value)
    return not (value.strip() if isinstance(value, str) else value)
