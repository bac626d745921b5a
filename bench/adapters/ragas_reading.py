"""Read what a model answered to a prompt of ragas; what ragas would miscount is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from bench.endpoints.ask import MalformedError
from bench.endpoints.words import found_json
from bench.errors import cut

T = TypeVar("T", bound=BaseModel)

BINARY = frozenset({"verdict", "attributed", "noncommittal"})
"""0 or 1, says ragas in its prompts, and then adds up whatever comes."""
FILLED = frozenset({"statements", "classifications", "question"})
"""Empty, they would count as a perfect answer, as none, or as one that misses the point."""


def read_reply(text: str, form: type[T]) -> T:
    """Return the last JSON object in an answer that has the form.

    Args:
        text: What the model said, with whatever stands around the object.
        form: What ragas asked for.

    Raises:
        MalformedError: There is none.
    """
    problem = "has no JSON object"
    for one in reversed(found_json(text, dict)):
        try:
            made = form.model_validate(one)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            problem = f"is not as asked for: {place}: {first['msg']}"
            continue
        if not (wrong := next(_wrong(made.model_dump()), "")):
            return made
        problem = wrong
    raise MalformedError(problem)


def _wrong(value: Any) -> Iterator[str]:  # noqa: ANN401
    """Yield what is wrong with an answer of the right form."""
    if isinstance(value, list):
        for item in value:
            yield from _wrong(item)
    if isinstance(value, dict):
        for name, item in value.items():
            if name in BINARY and item not in (0, 1):
                yield f"says {name} {cut(str(item), 20)}, which must be 0 or 1"
            if name in FILLED and not (item.strip() if isinstance(item, str) else item):
                yield f"leaves {name} empty"
            yield from _wrong(item)
