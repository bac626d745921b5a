"""What `fit-tokens` says and writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.arms import parse
from bench.preset_names import resolved, steps
from bench.store.plain import dumps
from bench.sweep.cards import write_cards
from bench.sweep.fit_tokens import Fit, Target
from rse.card import FORMAT

FEW = 20
"""Fewer queries than this say little about others."""


def told(found: Fit, target: Target, *, as_json: bool) -> Iterator[str]:
    """Yield what to print."""
    if as_json:
        yield dumps(found._asdict(), indent=2)
        return
    yield f"{found.strategy} / {found.scores}"
    yield (
        f"  {found.mean_tokens:,.0f} mean tokens ({found.low:,.0f}-{found.high:,.0f}, 95 %) over "
        f"{found.queries} queries; {target.tokens:,} wanted"
    )
    yield f"  p95 {found.p95_tokens:,.0f} tokens; {100 * found.empty_rate:.1f} % return nothing"
    if found.queries < FEW:
        yield f"  {found.queries} queries say little about others: {FEW} or more would be better"


def write_card(path: Path, found: Fit, target: Target) -> None:
    """Write a preset card of it.

    Raises:
        OSError: The file cannot be written.
    """
    content: dict[str, Any] = {
        "format": FORMAT,
        "name": path.stem,
        "goal": f"{target.tokens} tokens, fitted without gold",
        "strategy": {"name": parse(found.strategy)[0], "parameters": resolved(found.strategy)},
        "scores": steps(found.scores),
        "chunker": target.chunker,
        "retriever": target.retriever,
        "fitted_on": {
            "queries": found.queries,
            "mean_tokens": round(found.mean_tokens, 1),
            "p95_tokens": round(found.p95_tokens, 1),
            "empty_rate": round(found.empty_rate, 4),
        },
    }
    write_cards(path.parent, {path.stem: content})
