"""Names of arms to the parts of a preset card, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from bench.arms import parse
from bench.catalog import strategy
from bench.scores import pieces


def resolved(name: str) -> dict[str, Any]:
    """Return every parameter of a strategy, defaults included."""
    made = strategy(name)[1]
    found: dict[str, Any] = {}
    for field in fields(made):  # type: ignore[arg-type]
        if field.init:
            found[field.name] = getattr(made, field.name)
    return found


def steps(scores: str) -> list[dict[str, Any]]:
    """Return the steps of a calibration by name and parameters."""
    found = []
    for piece in pieces(scores):
        name, parameters = parse(piece)
        found.append({"name": name, "parameters": parameters})
    return found


def named(content: Mapping[str, Any]) -> tuple[str, str]:
    """Return a card's strategy and scores as names of arms are written."""
    parts = [content["strategy"], *content["scores"]]
    texts = [_written(part["name"], part["parameters"]) for part in parts]
    return texts[0], " + ".join(texts[1:])


def _written(name: str, parameters: Mapping[str, Any]) -> str:
    inside = ",".join(f"{key}={_value(value)}" for key, value in parameters.items())
    return f"{name}[{inside}]" if inside else name


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else str(value)
