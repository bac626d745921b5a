"""Everything that can be named, with its parameters and their defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from bench import catalog
from bench.data.load import ours
from rse import PRESETS, RSE, Optimal


def listing() -> str:
    """Return the catalogue as text."""
    made = {"rse": RSE, "optimal": Optimal}
    parts = ["strategies"]
    for name, factory in catalog.STRATEGIES.items():
        parts.append(_line(name, made.get(name, factory)))
    parts += ["", f"presets of rse and optimal: {', '.join(PRESETS)} (rse[preset=precision])"]
    for title, kind in (("scores", catalog.SCORES), ("chunkers", catalog.CHUNKERS)):
        parts += ["", title, *_lines(kind)]
    parts += ["", "retrievers", *_lines(catalog.RETRIEVERS)]
    parts += [f"  ...+{line.strip()}" for line in _lines(catalog.STAGES)]
    parts += ["", "datasets", *(f"  {name}" for name in [*catalog.DATASETS, *ours()])]
    return "\n".join([*parts, "  or a folder in our own format, or in BEIR's"])


def _lines(kind: Mapping[str, Callable[..., Any]]) -> list[str]:
    return [_line(name, factory) for name, factory in kind.items()]


def _line(name: str, factory: Callable[..., Any]) -> str:
    if not is_dataclass(factory):
        return f"  {name}"
    shown = [
        field.name if field.default is MISSING else f"{field.name}={field.default}"
        for field in fields(factory)
        if field.init and field.name != "separators"
    ]
    return f"  {name}[{', '.join(shown)}]" if shown else f"  {name}"
