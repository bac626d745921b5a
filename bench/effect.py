"""Which axes of a grid change nothing: a parameter that never arrives looks like a finding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.arms import parse
from bench.spec import Grid, Spec, Variant
from bench.types import Record

Answers = Mapping[tuple[str, str], object]
"""All that an arm returned on a dataset, by dataset and arm; equal when all answers are."""


def without_effect(
    spec: Spec, datasets: Sequence[str], records: Sequence[Record]
) -> list[dict[str, Any]]:
    """List the axes along which every answer stays the same, whatever the other axes are.

    Returns:
        For each its dataset, family, strategy, name and values.
    """
    answers: dict[tuple[str, str], dict[str, object]] = defaultdict(dict)
    for record in records:
        answers[record.dataset, record.arm][record.question] = record.context.spans
    return [
        {"dataset": dataset, "family": family, "strategy": parse(grid.strategy)[0]} | axis
        for dataset in datasets
        for family in map(" / ".join, spec.families())
        for grid in spec.grids
        for axis in _axes(grid, family, dataset, answers)
    ]


def _axes(grid: Grid, family: str, dataset: str, answers: Answers) -> Iterator[dict[str, Any]]:
    variants = list(grid.arms())
    for axis, values in {**grid.params, "scores": grid.scores}.items():
        groups: dict[str, list[Variant]] = defaultdict(list)
        for variant in variants:
            others = {key: value for key, value in variant.chosen.items() if key != axis}
            groups[repr(others)].append(variant)
        if len(values) > 1 and all(
            _same(group, family, dataset, answers) for group in groups.values()
        ):
            yield {"axis": axis, "values": list(values)}


def _same(group: Sequence[Variant], family: str, dataset: str, answers: Answers) -> bool:
    found = [answers[dataset, f"{one.strategy} / {one.scores} / {family}"] for one in group]
    return all(one == found[0] for one in found)
