"""A language model as ragas asks one: through our cache, with its requests counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from bench.adapters.ragas_reading import read_reply
from bench.costs.prices import Price
from bench.endpoints.address import OPENAI, OPENAI_KEY, check_address, check_model
from bench.endpoints.ask import MalformedError
from bench.endpoints.chat import SECONDS, Answer, Chat
from bench.endpoints.client import Client
from bench.endpoints.recipes import HOTTEST, MAX_TOKENS
from bench.errors import cut
from bench.store.answers import AnswerCache
from rse.checks import ParameterError, number, whole

T = TypeVar("T", bound=BaseModel)

TRIES = 2
"""Times that a model is asked until its answer can be read."""
STRIDE = 100
"""Between the seeds of the same prompt asked again, so that no repeat gets another's answer."""
SHOWN = 120


class JudgeError(ValueError):
    """A judgement has no value; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """Who judges, and how often."""

    model: str
    """Its name at the endpoint."""
    url: str = OPENAI
    """Where `/chat/completions` is."""
    key_env: str = OPENAI_KEY
    """Environment variable with the key; empty: none."""
    temperature: float | None = 0.0
    """0 for the likeliest answer; None: not sent, for models that refuse it."""
    max_tokens: int = MAX_TOKENS
    """Tokens an answer has at most; 0: not sent."""
    repeats: int = 3
    """Times that everything is judged, each with a seed of its own: judges vary."""
    seed: int = 0
    """Of the first repeat; another one asks everything anew."""
    price: Price | None = None
    """What it costs; None: what the run's spec or the table of prices says of the model."""

    def __post_init__(self) -> None:
        check_model(self.model)
        object.__setattr__(self, "url", check_address(self.url, self.key_env))
        whole("max_tokens", self.max_tokens, 0)
        whole("repeats", self.repeats, 1)
        whole("seed", self.seed, 0)
        if self.repeats > STRIDE:
            raise ParameterError(f"repeats must be at most {STRIDE}, got {self.repeats}")
        if self.temperature is not None:
            allowed = f"a number from 0 to {HOTTEST}, or none"
            number("temperature", self.temperature, allowed, lambda value: 0 <= value <= HOTTEST)


class Judge:
    """A model that gives one judgement, of one or several requests; not to be shared by threads.

    The same prompt twice is two requests, as ragas means it where it asks three times for a
    question; so each has a seed of its own. All that is said is kept, what cannot be read as well:
    who judges again gets the same, and pays nothing.

    Args:
        chat: Returns the model under a seed.
        seed: Of the first request.
    """

    def __init__(self, chat: Callable[[int], Chat], seed: int) -> None:
        self._chat, self._seed = chat, seed
        self._asked: Counter[str] = Counter()
        self.answers: list[Answer] = []
        """What the model said so far."""

    def generate(self, prompt: str, response_model: type[T]) -> T:
        """Return what the model answers, in the form asked for.

        Args:
            prompt: From ragas, with the form in it.
            response_model: The form.

        Raises:
            EndpointError: There is no answer.
            JudgeError: None that can be read.
        """
        problem = ""
        for _ in range(TRIES):
            chat = self._chat(self._seed + STRIDE * self._asked[prompt])
            self._asked[prompt] += 1
            answer = chat.ask([{"role": "user", "content": prompt}])
            self.answers.append(answer)
            try:
                return read_reply(answer.text, response_model)
            except MalformedError as error:
                end = ", cut at max_tokens" if answer.cut else ""
                came = cut(" ".join(answer.text.split()), SHOWN)
                problem = f"the model's answer {error}{end}; it is {came!r}"
        raise JudgeError(f"{problem} (asked {TRIES} times)")

    async def agenerate(self, prompt: str, response_model: type[T]) -> T:
        """Do as `generate` does; each judgement has a thread, so nobody else waits for this."""
        return self.generate(prompt, response_model)


class Chats:
    """One model under several seeds, all through one connection and one cache."""

    def __init__(self, judging: Judging, cache_folder: Path) -> None:
        self._judging = judging
        self._client = Client(judging.url, judging.key_env, timeout=SECONDS)
        self._cache = AnswerCache(cache_folder)

    def __call__(self, seed: int) -> Chat:
        """Return the model under a seed; making one costs nothing."""
        return Chat(
            self._client,
            self._judging.model,
            self._cache,
            temperature=self._judging.temperature,
            max_tokens=self._judging.max_tokens or None,
            seed=seed,
        )
