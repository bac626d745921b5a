"""What is compared: an arm is strategy / scores / chunker / retriever, and its name says all of it.

`rse[irrelevant_chunk_penalty=0.2] / minmax / recursive[size=800] / minilm` is name, label and
cache key alike: every parameter that differs from its default shows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any, NamedTuple

from rse.checks import ParameterError

Parts = Mapping[str, Callable[..., Any]]

_MARKS = re.compile(r",| / ")
_PART = re.compile(r"\s*([A-Za-z_][\w-]*)\s*(?:\[(.*)\])?\s*", re.DOTALL)


class Arm(NamedTuple):
    """One way to answer questions, each part as its canonical name."""

    strategy: str
    scores: str
    chunker: str
    retriever: str

    def __str__(self) -> str:
        return " / ".join(self)


def parse(text: str) -> tuple[str, dict[str, Any]]:
    """Split `topk[k=5]` into its name and parameters; values are read as YAML reads them."""
    match = _PART.fullmatch(text)
    if not match:
        raise ParameterError(f"cannot read {text!r}; write it like topk[k=5]")
    name, inside = match.groups()
    return name, _parameters(text, inside or "")


def _parameters(text: str, inside: str) -> dict[str, Any]:
    from bench.yaml_text import YamlError, read_yaml

    found: dict[str, Any] = {}
    for item in filter(None, (piece.strip() for piece in inside.split(","))):
        key, equals, value = item.partition("=")
        key = key.strip()
        if not equals or not key or not value.strip():
            raise ParameterError(f"cannot read {item!r} in {text!r}; write parameter=value")
        if key in found:
            raise ParameterError(f"{text!r} sets {key} twice")
        try:
            found[key] = read_yaml(value)
        except YamlError:
            raise ParameterError(f"cannot read the value of {key} in {text!r}") from None
    return found


def build(kind: str, parts: Parts, name: str, parameters: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Make a part by name; every message names the part and lists what would have worked."""
    if name not in parts:
        raise ParameterError(f"no {kind} {name!r}; there are: {', '.join(parts)}")
    try:
        return parts[name](**parameters)
    except ParameterError as error:
        raise ParameterError(f"{name}: {error}") from None


def label(name: str, part: Any) -> str:  # noqa: ANN401
    """Name a part by its kind and every parameter that differs from its default."""
    shown = [
        f"{field.name}={_shown(getattr(part, field.name))}"
        for field in fields(part)
        if field.init and (field.default is MISSING or getattr(part, field.name) != field.default)
    ]
    return f"{name}[{','.join(shown)}]" if shown else name


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _word(value)
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)


def _unpaired(value: str) -> bool:
    """Tell whether a bracket closes before it opens, or stays open."""
    depth = 0
    for sign in value:
        depth += {"[": 1, "]": -1}.get(sign, 0)
        if depth < 0:
            return True
    return depth != 0


def _word(value: str) -> str:
    """Return a text as `parse` reads it back: as it is, or in quotes.

    In quotes, what has a meaning in names is written by its number, so that nobody who takes a name
    apart needs to know of quotes.
    """
    from bench.yaml_text import YamlError, read_yaml

    try:
        plain = read_yaml(value) == value and not (_MARKS.search(value) or _unpaired(value))
    except YamlError:
        plain = False
    if plain:
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return re.sub(r"[\[\],/+]", lambda mark: f"\\u{ord(mark[0]):04x}", quoted)
