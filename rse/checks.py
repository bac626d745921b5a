"""Refuse parameters that do not exist or cannot be, and say what would have worked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import wraps
from math import isfinite
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")


class ParameterError(ValueError, TypeError):
    """A parameter that does not exist, or a value it cannot take."""


def named(cls: type[T]) -> type[T]:
    """Let a dataclass refuse an unknown parameter by listing those it has.

    Python's own message names the parameter, but not what would have worked.
    """
    build: Callable[..., None] = cls.__init__
    own = [field for field in fields(cls) if field.init]  # type: ignore[arg-type]
    known = [field.name for field in own]
    needed = [f.name for f in own if f.default is MISSING and f.default_factory is MISSING]

    @wraps(build)
    def __init__(self: T, *args: Any, **params: Any) -> None:  # noqa: N807, ANN401
        unknown = [name for name in params if name not in known]
        if unknown:
            raise ParameterError(
                f"{cls.__name__} has no parameter {unknown[0]!r}; "
                f"there are: {', '.join(known) or 'none'}"
            )
        missing = [name for name in needed if name not in params]
        if missing and not args:
            raise ParameterError(f"{cls.__name__} needs the parameter {missing[0]!r}")
        build(self, *map(_plain, args), **{key: _plain(value) for key, value in params.items()})

    cls.__init__ = __init__  # type: ignore[method-assign, assignment]
    return cls


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Turn a NumPy number into Python's own, which does not overflow."""
    return value.item() if isinstance(value, np.generic) else value


def whole(name: str, value: object, least: int) -> None:
    """Refuse what is no whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ParameterError(f"{name} must be a whole number of {least} or more, got {value!r}")


def _finite(value: Real) -> bool:
    try:
        return isfinite(value)
    except OverflowError:  # a whole number beyond all floats
        return False


def number(name: str, value: object, allowed: str, test: Callable[[float], bool]) -> None:
    """Refuse what is no finite number, or fails `test`; `allowed` says which values pass."""
    if (
        isinstance(value, bool)
        or not isinstance(value, Real)
        or not _finite(value)
        or not test(float(value))
    ):
        raise ParameterError(f"{name} must be {allowed}, got {value!r}")
