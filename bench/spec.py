"""A run written down: which arms on which data. Everything that can change a number is in here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from bench.answers.settings import Answers
from bench.answers.settings import problem as problem_of_answers
from bench.arms import Arm, parse
from bench.catalog import CHUNKERS, calibration, chunker, retriever, strategy
from bench.content.forms import DEFAULT, Form
from bench.costs.prices import DEFAULT as LIST_PRICES
from bench.costs.prices import Price, Prices
from bench.errors import UserError, cut
from bench.yaml_text import YamlError, read_yaml
from rse.checks import ParameterError

REPETITIONS = 3
NAME = r"\w[\w.-]*"
"""What a run may be called: its folder has this name."""


class SpecError(UserError):
    """A spec that cannot be run, with the place and what would work."""


class Variant(NamedTuple):
    """One combination of a grid's values."""

    chosen: Mapping[str, Any]
    """The value of each axis, scores included, as the spec has it."""
    strategy: str
    scores: str


class Grid(BaseModel):
    """One strategy and, for each parameter, the values to try."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    strategy: str
    params: dict[str, list[Any]] = {}
    scores: list[str] = Field(["none"], min_length=1)

    def arms(self) -> Iterator[Variant]:
        """Yield every combination, built once so that a wrong one is found here."""
        name = parse(self.strategy)[0]
        for key, tried in self.params.items():
            if not tried:
                raise ParameterError(f"{name}: params.{key} lists no values to try")
            for value in tried:
                _check_value(value)
        for values in product(*self.params.values()):
            chosen = dict(zip(self.params, values, strict=True))
            made = strategy(self.strategy, chosen)[0]
            for scores in self.scores:
                yield Variant({**chosen, "scores": scores}, made, calibration(scores)[0])


class Spec(BaseModel):
    """What `rse-bench run` runs."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: str = Field(pattern=f"^{NAME}$", max_length=100)
    datasets: list[str] = Field(min_length=1)
    chunkers: list[str] = Field(min_length=1)
    retrievers: list[str] = Field(["minilm"], min_length=1)
    grids: list[Grid] = Field(min_length=1)
    depth: int = Field(200, gt=0, le=100_000, description="Hits the search returns at most.")
    limit: int | None = Field(None, gt=0, description="Only the first so many questions.")
    seed: int = Field(0, ge=0, description="Seed of the bootstrap.")
    content: Form = Field(DEFAULT, description="How segments are shown to a model.")
    repetitions: int = Field(
        REPETITIONS, gt=0, le=1000, description="How often each answer is timed."
    )
    answers: Answers | None = Field(None, description="Who answers and judges: rse-bench answer.")
    prices: Prices = Field(LIST_PRICES, description="Whose prices tokens are counted at.")

    @field_validator("datasets")
    @classmethod
    def _each_once(cls, names: list[str]) -> list[str]:
        return list(dict.fromkeys(names))

    def arms(self, chunker_name: str, retriever_name: str) -> list[Arm]:
        """List the arms that share a chunker and a retriever, each once, in order."""
        names = dict.fromkeys(made[1:] for grid in self.grids for made in grid.arms())
        return [Arm(*pair, chunker_name, retriever_name) for pair in names]

    def families(self) -> list[tuple[str, str]]:
        """List (chunker, retriever) pairs: all arms of one see the very same hits."""
        chunkers = dict.fromkeys(chunker(text)[0] for text in self.chunkers)
        retrievers = dict.fromkeys(retriever(text)[0] for text in self.retrievers)
        return list(product(chunkers, retrievers))


def read(path: Path, **changes: object) -> Spec:
    """Read a spec file; `changes` from the command line replace what it says.

    Raises:
        SpecError: No such file, no YAML, an unknown key or part; says where and what would work.
    """
    content = content_of(path, list(Spec.model_fields))
    content |= {key: value for key, value in changes.items() if value is not None}
    return check(content, str(path))


def content_of(path: Path, keys: Sequence[str]) -> dict[str, Any]:
    """Read a YAML file of keys and values; a name it does not give is that of the file.

    Args:
        path: The file.
        keys: What it may hold, for the message.

    Raises:
        SpecError: No such file, no YAML, or no keys and values.
    """
    try:
        content = read_yaml(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(f"cannot read the spec {path}: {_reason(error)}") from None
    except YamlError as error:
        raise SpecError(f"{path} cannot be read: {error}") from None
    if not isinstance(content, dict):
        raise SpecError(f"{path} must hold keys and values: {', '.join(keys)}")
    if "name" not in content and not re.fullmatch(NAME, path.stem):
        raise SpecError(
            f"{path}: a run has its spec file's name unless `name:` says another, and a name has "
            f"letters, digits, '_', '-' and '.' only; add `name:` or rename the file"
        )
    return {"name": path.stem, **content}


def check(content: dict[str, Any], where: str) -> Spec:
    """Turn plain data into a spec whose every arm can be built."""
    try:
        spec = Spec.model_validate(content)
        for chunker_name, retriever_name in spec.families():
            for arm in spec.arms(chunker_name, retriever_name):
                _check_sections(arm)
    except ValidationError as error:
        raise SpecError(f"{where}: {_first(error)}") from None
    except ParameterError as error:
        raise SpecError(f"{where}: {error}") from None
    return spec


def grid_of(text: str) -> dict[str, Any]:
    """Read `-s 'rse[irrelevant_chunk_penalty=0.2] / minmax'` as a grid of one.

    `preset:FILE` is a preset card's strategy and scores, `preset:NAME` one that comes with `rse`.
    """
    if text.startswith("preset:"):
        from bench.preset_names import named
        from rse.card import read_card

        name, scores = named(read_card(text.removeprefix("preset:").strip()))
        return {"strategy": name, "scores": [scores]}
    name, _, scores = text.partition("/")
    return {"strategy": name.strip(), "scores": [scores.strip() or "none"]}


def _first(error: ValidationError) -> str:
    """Say the first problem in one line, with its place and what would have worked."""
    problem = error.errors()[0]
    if problem["loc"][:1] == ("answers",):
        return problem_of_answers(error)
    place = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        allowed = Spec.model_fields
        for start, model in (("grids.", Grid), ("prices.models.", Price), ("prices.", Prices)):
            if place.startswith(start):
                allowed = model.model_fields
                break
        return f"unknown key {place!r}; there are: {', '.join(allowed)}"
    if problem["type"] == "missing":
        return f"the key {place!r} is missing"
    if problem["type"] == "value_error":
        return f"{place}: {problem['ctx']['error']}"
    said = problem["msg"].replace("valid dictionary or instance of Prices", "mapping")
    return f"{place}: {said}, got {cut(repr(problem['input']), 60)}"


def _check_sections(arm: Arm) -> None:
    """Refuse a strategy over sections where the chunker makes none."""
    needed = getattr(strategy(arm.strategy)[1], "needs_sections", False)
    if needed and not getattr(chunker(arm.chunker)[1], "has_sections", False):
        known = [name for name, made in CHUNKERS.items() if getattr(made, "has_sections", False)]
        raise ParameterError(
            f"{arm.strategy} needs sections, and {arm.chunker} makes none; "
            f"chunkers that do: {', '.join(known)}"
        )


def _check_value(value: object) -> None:
    if not isinstance(value, str | int | float):
        raise ParameterError(
            f"a parameter's value is a number, a word or true/false, got {value!r}"
        )


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "it is not UTF-8"
