"""Title and summary by a language model, for documents that lack them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from bench.endpoints.ask import MalformedError
from bench.endpoints.chat import Chat, Message, chat
from bench.endpoints.recipes import Titles
from bench.endpoints.together import together
from bench.endpoints.words import UNTRUSTED, fence, found_json
from bench.types import Document

CHARACTERS = 4000
"""Of a document's beginning, which say what it is about."""

ROLE = "You say what documents are. You are given the beginning of one, between marks. " + UNTRUSTED
TASK = (
    "Answer with nothing but a JSON object of two strings: `title`, the document's own title or "
    "else a short one that fits, and `summary`, one sentence that says what it is and is about. "
    "Write in the document's language."
)


class Said(NamedTuple):
    """What a model said of one document."""

    title: str
    summary: str
    seconds: float
    """What it took when the model was asked."""
    cached: bool
    """Whether that was earlier."""


class Filled(NamedTuple):
    """Documents with title and summary, and where these come from."""

    documents: dict[str, Document]
    """All of them, in their order."""
    said: dict[str, Said]
    """What the model said, by document; documents that had both, or have no text, are not here."""


class TitleWriter:
    """A language model that says what documents are.

    Args:
        model: What is asked.
        characters: Of a document's beginning that it is shown.
    """

    def __init__(self, model: Chat, characters: int = CHARACTERS) -> None:
        if characters < 1:
            raise ValueError(f"characters must be 1 or more, got {characters}")
        self._model, self._characters = model, characters

    def fill(
        self,
        documents: Mapping[str, Document],
        progress: Callable[[int, int], None] | None = None,
    ) -> Filled:
        """Give each document the title and the summary it lacks; what it has stays.

        Args:
            documents: By id.
            progress: Called with the numbers of documents done and in all, of those that lack one.

        Raises:
            EndpointError: There is no answer, or none with title and summary in it.
        """
        lacking = [
            one
            for one in documents.values()
            if not (one.title.strip() and one.summary.strip()) and one.text.strip()
        ]
        answers = together(self._ask, lacking, progress)
        said = {one.id: answer for one, answer in zip(lacking, answers, strict=True)}
        filled = {
            key: _with(one, said[one.id]) if one.id in said else one
            for key, one in documents.items()
        }
        return Filled(filled, said)

    def _ask(self, document: Document) -> Said:
        answer = self._model.ask(_messages(document.text.strip()[: self._characters]), _read)
        return Said(*_read(answer.text), answer.seconds, answer.cached)


def title_writer(settings: Titles, cache_folder: Path) -> TitleWriter:
    """Return what a spec names; its answers are kept in a folder."""
    return TitleWriter(chat(settings, cache_folder))


def _with(document: Document, said: Said) -> Document:
    return replace(
        document,
        title=document.title if document.title.strip() else said.title,
        summary=document.summary if document.summary.strip() else said.summary,
    )


def _read(text: str) -> tuple[str, str]:
    """Return title and summary of an answer, each as one line."""
    for one in found_json(text, dict):
        both = [one.get("title"), one.get("summary")]
        lines = [" ".join(text.split()) for text in both if isinstance(text, str)]
        if len(lines) == 2 and all(lines):
            return lines[0], lines[1]
    raise MalformedError("has no JSON object with the texts title and summary")


def _messages(text: str) -> list[Message]:
    parts = [*fence("document", [text]), TASK]
    return [{"role": "system", "content": ROLE}, {"role": "user", "content": "\n\n".join(parts)}]
