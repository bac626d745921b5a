"""Ask a language model behind any OpenAI-compatible endpoint."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench.endpoints.ask import Endpoint, MalformedError
from bench.endpoints.client import Client
from bench.endpoints.recipes import Talker
from bench.store.answers import AnswerCache

Message = Mapping[str, str]
"""`role` (system, user or assistant) and `content`."""

SECONDS = 120.0
"""How long a model may think before it says anything: answers come in one piece."""


class Answer(NamedTuple):
    """What a model said."""

    text: str
    seconds: float
    """What it took when it was asked."""
    cached: bool
    """Whether that was earlier."""
    prompt_tokens: int | None
    """As the endpoint counts them; None: it does not say."""
    completion_tokens: int | None
    cut: bool
    """Whether the model had more to say than `max_tokens`."""


class Chat:
    """A model that is asked at a fixed temperature, each question once. Threads may share it.

    Args:
        client: Speaks to the endpoint.
        model: The model's name there.
        cache: Keeps the answers.
        temperature: 0 for the likeliest answer; None: not sent, for models that refuse it.
        max_tokens: Tokens an answer has at most; None: as the endpoint likes.
        seed: Sent so that servers which heed it repeat themselves; None: not sent.
    """

    def __init__(
        self,
        client: Client,
        model: str,
        cache: AnswerCache,
        *,
        temperature: float | None = 0.0,
        max_tokens: int | None = 1024,
        seed: int | None = 0,
    ) -> None:
        self.model = model
        self._endpoint = Endpoint(client, cache)
        given = {
            "model": model,
            "temperature": None if temperature is None else float(temperature),
            "max_tokens": max_tokens,
            "seed": seed,
        }
        self._settings = {name: value for name, value in given.items() if value is not None}

    @property
    def identity(self) -> dict[str, Any]:
        """What can change an answer, besides the messages: the endpoint's URL and all settings."""
        return {"url": self._endpoint.url, **self._settings}

    def ask(
        self, messages: Sequence[Message], accept: Callable[[str], object] | None = None
    ) -> Answer:
        """Return the model's answer to a conversation.

        Args:
            messages: What was said so far.
            accept: Looks at the text and raises `MalformedError` if it is of no use, so that it is
                not kept.

        Raises:
            EndpointError: There is no answer, or it is malformed; the message shows what came.
        """
        payload = {**self._settings, "messages": [dict(message) for message in messages]}
        reply = self._endpoint.ask("/chat/completions", payload, partial(_read, accept))
        choice, usage = reply.answer["choices"][0], reply.answer["usage"]
        return Answer(
            choice["message"]["content"],
            reply.seconds,
            reply.cached,
            usage["prompt_tokens"],
            usage["completion_tokens"],
            choice["finish_reason"] == "length",
        )


def chat(settings: Talker, cache_folder: Path) -> Chat:
    """Return the model that a spec names, asked through the answers kept in a folder."""
    client = Client(settings.url, settings.key_env, timeout=SECONDS)
    temperature = settings.temperature
    return Chat(
        client,
        settings.model,
        AnswerCache(cache_folder),
        temperature=None if isinstance(temperature, str) else temperature,
        max_tokens=settings.max_tokens or None,
    )


def _read(accept: Callable[[str], object] | None, answer: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return what is kept of an answer: the text, why it ended, the tokens."""
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    text = message.get("content") if isinstance(message, dict) else None
    if not isinstance(choice, dict) or not isinstance(text, str):
        raise MalformedError("has no text at choices[0].message.content")
    end = choice.get("finish_reason")
    if not text.strip() and end == "length":
        raise MalformedError("is empty: all of max_tokens went into thinking; raise it")
    if accept is not None:
        try:
            accept(text)
        except MalformedError as error:
            raise MalformedError(str(error), came=text) from None
    tokens = ("prompt_tokens", "completion_tokens")
    return {
        "choices": [{"message": {"content": text}, "finish_reason": _word(end)}],
        "usage": {name: _count(answer.get("usage"), name) for name in tokens},
    }


def _word(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _count(usage: object, name: str) -> int | None:
    value = usage.get(name) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
