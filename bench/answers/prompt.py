"""What a model is told: a template's words, and between marks what others wrote."""

from __future__ import annotations

import re
from typing import NamedTuple

from bench.endpoints.words import UNTRUSTED, fence
from rse.checks import ParameterError

ROLE = "You answer questions from the context you are given. " + UNTRUSTED
PROMPT = (
    "{context}\n\n{question}\n\n"
    "Answer the question from the context alone, in the question's language, with as few words as "
    "it takes: a name, a number, a phrase or one sentence. If the context does not say it, answer "
    'with the words "I do not know" in that language, and nothing else.'
)
"""The default template."""

NAMES = ("context", "question")
_NAMED = re.compile(r"\{(\w*)\}")


class Conversation(NamedTuple):
    """What is said to a model."""

    system: str
    user: str

    def messages(self) -> list[dict[str, str]]:
        """Return it as endpoints take it."""
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]


def check_template(template: str) -> None:
    """Refuse a template that has not each of `{context}` and `{question}` once, or has others.

    Raises:
        ParameterError: Says which.
    """
    found = [match[1] for match in _NAMED.finditer(template)]
    unknown = [name for name in found if name not in NAMES]
    if unknown or sorted(found) != sorted(NAMES):
        named = ", ".join(f"{{{name}}}" for name in found) or "none"
        raise ParameterError(
            f"the prompt must have {{context}} and {{question}} in it, each once, and no other "
            f"name in braces; it has {named}"
        )


def conversation(template: str, context: str, question: str) -> Conversation:
    """Put context and question in their places, each between marks that it cannot close.

    What has braces in it, documents or template, is taken as it is.
    """
    parts = {
        "context": fence("context", [context])[0],
        "question": fence("question", [question])[0],
    }
    # One pass: a context that says {question} is not looked at again.
    return Conversation(ROLE, _NAMED.sub(lambda match: parts[match[1]], template))
