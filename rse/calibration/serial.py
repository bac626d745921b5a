"""Calibrations as plain data, to keep in a JSON file; every float comes back as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from math import isfinite
from numbers import Integral, Real
from typing import Any

from rse.calibration.chain import Chain
from rse.calibration.listwise import Share
from rse.calibration.plain import Beta, Max, MinMax, Rank, Raw, Sigmoid
from rse.calibration.pointwise import Isotonic, Logistic
from rse.calibration.protocol import Calibration
from rse.calibration.smooth import Smooth
from rse.checks import ParameterError

VERSION = 1
"""Of the form written here; any other is refused."""

UNFITTED: Mapping[str, type[Any]] = {
    "none": Raw,
    "minmax": MinMax,
    "max": Max,
    "beta": Beta,
    "sigmoid": Sigmoid,
    "rank": Rank,
    "smooth": Smooth,
}
"""Calibrations that need no examples, by name."""

KINDS: Mapping[str, type[Any]] = {
    **UNFITTED,
    "chain": Chain,
    "logistic": Logistic,
    "isotonic": Isotonic,
    "share": Share,
}
"""All calibrations by the name they have in a file."""


def to_json(calibration: Calibration) -> dict[str, Any]:
    """Return a calibration as what `json.dumps` takes: name, version, parameters and weights.

    Raises:
        ParameterError: It is none of ours, or holds a number that is not finite.
    """
    kind = type(calibration)
    name = next((name for name, known in KINDS.items() if known is kind), None)
    if name is None:
        raise ParameterError(f"cannot write a {kind.__name__}; there are: {', '.join(KINDS)}")
    content: dict[str, Any] = {"calibration": name, "version": VERSION}
    if isinstance(calibration, Chain):
        return {**content, "steps": [to_json(step) for step in calibration.steps]}
    for key in _parameters(kind):
        content[key] = _written(key, getattr(calibration, key))
    return content


def from_json(content: Mapping[str, Any]) -> Calibration:
    """Return the calibration that `to_json` has written.

    Raises:
        ParameterError: An unknown name, version or key, or a value that cannot be; the message
            says what would have worked.
    """
    if not isinstance(content, Mapping):
        raise ParameterError(f"a calibration is an object of keys and values, got {content!r}")
    for needed in ("calibration", "version"):
        if needed not in content:
            raise ParameterError(f"the key {needed!r} is missing; it is part of every calibration")
    name, version = content["calibration"], content["version"]
    if not isinstance(name, str) or name not in KINDS:
        raise ParameterError(f"no calibration {name!r}; there are: {', '.join(KINDS)}")
    if type(version) is not int or version != VERSION:
        raise ParameterError(f"{name}: version {version!r} cannot be read, only {VERSION}")
    kind, known = KINDS[name], _parameters(KINDS[name])
    given = {key: content[key] for key in content if key not in {"calibration", "version"}}
    for key in given:
        if key not in known:
            raise ParameterError(
                f"{name} has no key {key!r}; there are: {', '.join(known) or 'none'}"
            )
    if kind is Chain:
        return Chain(_steps(given.get("steps")))  # `_steps` allows no chain in a chain
    try:
        made: Calibration = kind(**{key: _read(key, value) for key, value in given.items()})
    except ParameterError as error:
        raise ParameterError(f"{name}: {error}") from None
    return made


def _steps(content: object) -> tuple[Calibration, ...]:
    if not isinstance(content, list):
        raise ParameterError(f"chain: steps must be a list of calibrations, got {content!r}")
    if not content:
        raise ParameterError("chain: steps must name at least one calibration")
    for step in content:
        if isinstance(step, Mapping) and step.get("calibration") == "chain":
            raise ParameterError("chain: a step cannot be a chain; list its steps themselves")
    return tuple(from_json(step) for step in content)


def _parameters(kind: type[Any]) -> list[str]:
    return [field.name for field in fields(kind) if field.init]


def _written(key: str, value: object) -> Any:  # noqa: ANN401
    """Turn a field's value into JSON's own types."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, tuple):
        return [_written(key, item) for item in value]
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real) and isfinite(value):
        return float(value)
    raise ParameterError(f"{key} cannot be written: {value!r}")


def _read(key: str, value: object) -> Any:  # noqa: ANN401
    """Turn lists into tuples; refuse what no field can hold."""
    if isinstance(value, list):
        return tuple(_read(key, item) for item in value)
    if isinstance(value, float) and not isfinite(value):
        raise ParameterError(f"{key} must hold finite numbers, got {value!r}")
    if value is None or isinstance(value, str | bool | int | float):
        return value
    raise ParameterError(f"{key} holds {value!r}, which no calibration has")
