"""A sweep written down: which settings, on which data, and how they are chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from bench.errors import cut
from bench.spec import NAME, SpecError, content_of
from bench.sweep.axes import AxisError, Range, expand
from rse.checks import ParameterError

GOALS = ("precision", "balanced", "find_all")
"""Goals called after dsRAG's presets: the most recall for the tokens that one of them spends."""


class SweepGrid(BaseModel):
    """One strategy and, for each parameter, the values to try: a list, or a range to draw from."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    strategy: str
    params: dict[str, list[Any] | Range] = {}
    scores: list[str] = Field(["none"], min_length=1)

    @field_validator("scores")
    @classmethod
    def _expanded(cls, names: list[str]) -> list[str]:
        return expand(names)


class SweepSpec(BaseModel):
    """What `rse-bench sweep` runs."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: str = Field(pattern=f"^{NAME}$", max_length=100)
    datasets: list[str] = Field(min_length=1)
    chunkers: list[str] = Field(min_length=1)
    retrievers: list[str] = Field(["minilm"], min_length=1)
    grids: list[SweepGrid] = Field(min_length=1)
    search: Literal["grid", "random", "optuna"] = "grid"
    trials: int = Field(200, gt=0, le=100_000, description="Settings that a search tries.")
    split: Literal["documents", "datasets"] = Field(
        "documents", description="What is held out in turn: some documents, or a whole dataset."
    )
    folds: int = Field(5, ge=2, le=50, description="Parts that documents are split into.")
    goals: list[str | int] = Field(list(GOALS), min_length=1)
    objective: Literal["recall", "margin"] = Field(
        "recall", description="What is best within a goal's tokens; margin: over top-k's recall."
    )
    depth: int = Field(200, gt=0, le=100_000, description="Hits the search returns at most.")
    limit: int | None = Field(None, gt=0, description="Only the first so many questions.")
    seed: int = Field(0, ge=0, description="Of folds, bootstrap, tests and searches.")

    @model_validator(mode="before")
    @classmethod
    def _one_grid(cls, data: Any) -> Any:  # noqa: ANN401
        """Take a single grid for a list of one."""
        if isinstance(data, dict) and isinstance(data.get("grids"), dict):
            return {**data, "grids": [data["grids"]]}
        return data

    @field_validator("datasets")
    @classmethod
    def _each_once(cls, names: list[str]) -> list[str]:
        return list(dict.fromkeys(names))

    @field_validator("chunkers", "retrievers")
    @classmethod
    def _expanded(cls, names: list[str]) -> list[str]:
        return expand(names)

    @field_validator("goals")
    @classmethod
    def _known(cls, goals: list[str | int]) -> list[str | int]:
        for goal in goals:
            if isinstance(goal, bool) or not (goal in GOALS or isinstance(goal, int)):
                raise ValueError(
                    f"a goal is one of {', '.join(GOALS)}, or a number of tokens, got {goal!r}"
                )
            if isinstance(goal, int) and goal < 1:
                raise ValueError(f"a goal's tokens are 1 or more, got {goal}")
        return list(dict.fromkeys(goals))

    @model_validator(mode="after")
    def _goes_together(self) -> SweepSpec:
        if self.split == "datasets" and len(self.datasets) < 2:
            raise ValueError("split: datasets holds each dataset out in turn: name two or more")
        if self.search == "grid" and any(
            isinstance(values, Range) for grid in self.grids for values in grid.params.values()
        ):
            raise ValueError("a range can be drawn from, not gone through: search: random, or list")
        return self


def read(path: Path, **changes: object) -> SweepSpec:
    """Read a sweep's file; `changes` from the command line replace what it says.

    Raises:
        SpecError: No such file, no YAML, an unknown key or part; says where and what would work.
    """
    content = content_of(path, list(SweepSpec.model_fields))
    content |= {key: value for key, value in changes.items() if value is not None}
    return check(content, str(path))


def check(content: dict[str, Any], where: str) -> SweepSpec:
    """Turn plain data into a sweep whose every setting can be built."""
    from bench.sweep.settings import check_settings

    try:
        spec = SweepSpec.model_validate(content)
        check_settings(spec)
    except ValidationError as error:
        raise SpecError(f"{where}: {_first(error)}") from None
    except (AxisError, ParameterError) as error:
        raise SpecError(f"{where}: {error}") from None
    return spec


def _first(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        allowed = SweepGrid.model_fields if place.startswith("grids.") else SweepSpec.model_fields
        return f"unknown key {place!r}; there are: {', '.join(allowed)}"
    if problem["type"] == "missing":
        return f"the key {place!r} is missing"
    if problem["type"] == "value_error":
        return f"{place}: {problem['ctx']['error']}" if place else str(problem["ctx"]["error"])
    return f"{place}: {problem['msg']}, got {cut(repr(problem['input']), 60)}"
