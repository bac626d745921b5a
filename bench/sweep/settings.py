"""The settings a sweep tries, each under its name; those that cannot be built, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from bench.arms import Arm, parse
from bench.catalog import calibration, chunker, retriever, strategy
from bench.sweep.axes import Range, drawn
from bench.sweep.spec import SweepGrid, SweepSpec
from rse.checks import ParameterError

PATIENCE = 20
"""Draws for each setting wanted, after which a search takes what it has."""


class Setting(NamedTuple):
    """One combination of values."""

    arm: Arm
    """Its name; as written where it cannot be built."""
    chosen: Mapping[str, Any]
    """The value of each axis, by `strategy`, `scores`, `chunker`, `retriever` or parameter."""
    error: str = ""
    """Why it cannot be run."""

    @property
    def family(self) -> str:
        """Chunker / retriever: settings of a family get the very same hits."""
        return f"{self.arm.chunker} / {self.arm.retriever}"


def families(spec: SweepSpec) -> list[tuple[str, str]]:
    """List (chunker, retriever) pairs under their names, each once."""
    chunkers = dict.fromkeys(chunker(text)[0] for text in spec.chunkers)
    retrievers = dict.fromkeys(retriever(text)[0] for text in spec.retrievers)
    return list(product(chunkers, retrievers))


def all_settings(spec: SweepSpec) -> list[Setting]:
    """Return every combination of a grid, or as many as a random search draws, each once.

    The same spec, the same settings in the same order.
    """
    listed = (one for grid in spec.grids for one in _grid(grid))
    found: Iterator[dict[str, Any]] = listed if spec.search == "grid" else _random(spec)
    pairs = families(spec)
    made = (_setting(values, pair) for values in found for pair in pairs)
    return list({str(one.arm): one for one in made}.values())


def check_settings(spec: SweepSpec) -> None:
    """Refuse a sweep with a part or parameter that no setting can have.

    Raises:
        ParameterError: None of a grid's settings can be built; says why the first one cannot.
    """
    pair = families(spec)[0]
    for grid in spec.grids:
        first = ""
        for values in _grid(grid) if _is_listed(grid) else _some(grid, spec.seed):
            error = _setting(values, pair).error
            if not error:
                break
            first = first or error
        else:
            raise ParameterError(first or f"{grid.strategy}: an axis lists no values to try")


def made(values: Mapping[str, Any], pair: tuple[str, str]) -> Setting:
    """Return the setting of some values, as a search proposes them."""
    return _setting(values, pair)


def _grid(grid: SweepGrid) -> Iterator[dict[str, Any]]:
    axes = {name: values for name, values in grid.params.items() if not isinstance(values, Range)}
    for values in product(*axes.values()):
        for scores in grid.scores:
            yield {
                "strategy": grid.strategy,
                **dict(zip(axes, values, strict=True)),
                "scores": scores,
            }


def _random(spec: SweepSpec) -> Iterator[dict[str, Any]]:
    """Draw settings, each as likely, until there are enough different ones."""
    random = np.random.default_rng((spec.seed, 7))
    seen: set[str] = set()
    for _ in range(PATIENCE * spec.trials):
        if len(seen) == spec.trials:
            return
        values = draw(spec.grids[int(random.integers(len(spec.grids)))], random)
        if repr(values) not in seen:
            seen.add(repr(values))
            yield values


def draw(grid: SweepGrid, random: np.random.Generator) -> dict[str, Any]:
    """Return one combination of a grid's values."""
    params = {name: drawn(values, random) for name, values in grid.params.items()}
    return {"strategy": grid.strategy, **params, "scores": drawn(list(grid.scores), random)}


def _some(grid: SweepGrid, seed: int) -> Iterable[dict[str, Any]]:
    random = np.random.default_rng(seed)
    return (draw(grid, random) for _ in range(PATIENCE))


def _is_listed(grid: SweepGrid) -> bool:
    return not any(isinstance(values, Range) for values in grid.params.values())


def _setting(values: Mapping[str, Any], pair: tuple[str, str]) -> Setting:
    params = {key: value for key, value in values.items() if key not in ("strategy", "scores")}
    name = parse(values["strategy"])[0]
    chosen = {"strategy": name, **params, "scores": values["scores"]}
    chosen |= {"chunker": pair[0], "retriever": pair[1]}
    try:
        for key, value in params.items():
            if not isinstance(value, str | int | float):
                raise ParameterError(f"{key} must be a number, a word or true/false, got {value!r}")
        arm = Arm(strategy(values["strategy"], params)[0], calibration(values["scores"])[0], *pair)
    except ParameterError as error:
        written = ",".join(f"{key}={value}" for key, value in params.items())
        return Setting(Arm(f"{name}[{written}]", values["scores"], *pair), chosen, str(error))
    return Setting(arm, chosen)
