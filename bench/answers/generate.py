"""Let a model answer each question from what each arm has chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bench.answers.asking import Asker, Model, Reply, Report, Request
from bench.answers.contexts import Asked
from bench.answers.prompt import conversation
from bench.answers.settings import Answers

ARM_FAILED = "the arm itself failed in the run"


class Answered(NamedTuple):
    """A question, and what a model answered from what an arm has chosen."""

    asked: Asked
    reply: Reply | None
    """None: nobody was asked, for the arm itself had failed."""

    @property
    def text(self) -> str:
        """The answer; empty where it failed."""
        return self.reply.text if self.reply else ""

    @property
    def failed(self) -> str:
        """Why there is no answer; empty: there is one."""
        return self.reply.failed if self.reply else ARM_FAILED


def answerer(settings: Answers) -> Model:
    """Return the model that answers."""
    warm = settings.temperature
    return Model(
        settings.model,
        settings.url,
        settings.key_env,
        None if isinstance(warm, str) else warm,
        settings.max_tokens or None,
    )


def requests_for(asked: Sequence[Asked], template: str) -> list[Request | None]:
    """Return what is asked for each; None where the arm had failed. Equal ones are sent once."""
    return [
        None if one.failed else Request(conversation(template, one.context, one.question.text))
        for one in asked
    ]


def generate(
    asked: Sequence[Asked], template: str, asker: Asker, report: Report | None = None
) -> list[Answered]:
    """Return the answers, in the order of what was asked.

    An arm that returned nothing is asked about all the same: to say so is the model's task.

    Raises:
        EndpointError: A request failed, and nobody said to keep going.
    """
    requests = requests_for(asked, template)
    replies = asker.ask([one for one in requests if one is not None], report)
    return [
        Answered(one, replies[request] if request else None)
        for one, request in zip(asked, requests, strict=True)
    ]
