"""Many requests to one model: each sent once, its answer kept; failures stop, or are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from bench.answers.prompt import Conversation
from bench.endpoints import chat
from bench.endpoints.chat import Chat
from bench.endpoints.client import Client, EndpointError
from bench.endpoints.together import together
from bench.retrieval.embedders.windows import plain
from bench.store.answers import AnswerCache, request_key

Report = Callable[[int, int], None]
"""Called with the numbers done and in all."""


class Model(NamedTuple):
    """A model at an endpoint, and how it is asked."""

    model: str
    url: str
    key_env: str
    temperature: float | None
    """None: not sent."""
    max_tokens: int | None
    """None: not sent."""


class Request(NamedTuple):
    """What is asked; the same conversation with another seed is asked anew."""

    conversation: Conversation
    seed: int = 0


class Reply(NamedTuple):
    """What came of a request."""

    text: str
    """Without what the model thought aloud before; empty where it failed."""
    seconds: float
    """What it took when it was asked; nan where it failed."""
    prompt_tokens: int | None
    """As the endpoint counts them; None: it does not say."""
    completion_tokens: int | None
    cut: bool
    """Whether the model had more to say."""
    failed: str = ""
    """Why there is no answer; empty: there is one."""


class Asker:
    """Asks a model; answers come from the cache where it has them.

    Args:
        model: Who is asked.
        cache_folder: Where answers are kept.
        keep_going: Count a request that failed instead of stopping.
    """

    def __init__(self, model: Model, cache_folder: Path, keep_going: bool = False) -> None:
        self.model, self._keep_going = model, keep_going
        self._cache = AnswerCache(cache_folder)
        self._client = Client(model.url, model.key_env, timeout=chat.SECONDS)
        self._chats: dict[int, Chat] = {}
        self.sent = 0
        """Requests so far whose answers the cache did not have."""

    def waiting(self, requests: Iterable[Request]) -> list[Request]:
        """Return the different requests whose answers are not kept yet."""
        return [one for one in dict.fromkeys(requests) if self._cache.get(self._key(one)) is None]

    def ask(
        self, requests: Iterable[Request], report: Report | None = None
    ) -> dict[Request, Reply]:
        """Return the reply to each different request.

        Raises:
            EndpointError: One failed, and nobody said to keep going. What was answered is kept.
        """
        different = list(dict.fromkeys(requests))
        for one in different:
            self._chat(one.seed)  # here, not in threads
        found = together(self._one, different, report)
        self.sent += sum(not cached for _, cached in found)
        return dict(zip(different, (reply for reply, _ in found), strict=True))

    def _one(self, request: Request) -> tuple[Reply, bool]:
        try:
            said = self._chat(request.seed).ask(request.conversation.messages())
        except EndpointError as error:
            if not self._keep_going:
                raise EndpointError(
                    f"{error}; what was answered is kept, the same command goes on there; "
                    f"--keep-going counts what fails and goes on now"
                ) from None
            return Reply("", float("nan"), None, None, cut=False, failed=str(error)), False
        text = said.text.rpartition("</think>")[2].strip()
        tokens = said.prompt_tokens, said.completion_tokens
        return Reply(text, said.seconds, *tokens, said.cut), said.cached

    def _chat(self, seed: int) -> Chat:
        if seed not in self._chats:
            self._chats[seed] = Chat(
                self._client,
                self.model.model,
                self._cache,
                temperature=self.model.temperature,
                max_tokens=self.model.max_tokens,
                seed=seed,
            )
        return self._chats[seed]

    def _key(self, request: Request) -> bytes:
        """Return what the cache knows a request by."""
        settings = {k: v for k, v in self._chat(request.seed).identity.items() if k != "url"}
        said = Conversation(*map(plain, request.conversation)).messages()
        return request_key(self._client.url, "/chat/completions", {**settings, "messages": said})
