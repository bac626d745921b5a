"""Arrays checked at the door, kept as read-only copies; or what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

LARGEST = 10**8
"""Most characters or tokens in one chunk; sums of them stay exact in 64 bits."""


def whole(name: str, values: ArrayLike) -> NDArray[np.int64]:
    """Return a read-only int64 copy, or say why that would change a value."""
    array = np.asarray(values)
    if array.size == 0:
        array = array.reshape(-1).astype(np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise ValueError(f"{name} must be a list of whole numbers, got {shown(values)}")
    if array.dtype.kind == "f" and not (np.isfinite(array) & (array == np.floor(array))).all():
        raise ValueError(f"{name} must hold whole numbers, got {shown(values)}")
    if len(array) and (array.max() >= 2**62 or array.min() <= -(2**62)):
        raise ValueError(f"{name} holds numbers beyond all use: {shown(values)}")
    return frozen(array.astype(np.int64))


def in_bounds(name: str, array: NDArray[np.int64]) -> None:
    """Refuse sizes below 0 or beyond `LARGEST`."""
    if len(array) and not 0 <= array.min() <= array.max() <= LARGEST:
        raise ValueError(
            f"Layout.{name} must hold numbers from 0 to {LARGEST}, found {array.min()} to "
            f"{array.max()}"
        )


def numbers(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return a read-only copy of scores."""
    array = np.asarray(values)
    if array.size == 0:
        array = array.reshape(-1).astype(np.float64)
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise ValueError(f"{name}: scores must be a list of numbers, got {shown(values)}")
    return frozen(array.astype(np.float64))


def rows(name: str, values: ArrayLike, count: int) -> NDArray[np.float64]:
    """Return a read-only copy with one row of numbers for each of `count` things."""
    try:
        array = np.array(values, np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.ndim < 1 or len(array) != count:
        raise ValueError(f"{name} needs one row for each of {count} hits, got {shown(values)}")
    return frozen(array)


def names(name: str, values: Sequence[str], count: int) -> tuple[str, ...]:
    """Return a name for each of `count` documents."""
    given = tuple(values) if isinstance(values, Sequence) and not isinstance(values, str) else ()
    if len(given) != count or not all(isinstance(one, str) for one in given):
        raise ValueError(f"{name} needs one name for each of {count} documents")
    return given


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only and return it."""
    array.flags.writeable = False
    return array


def shown(values: object) -> str:
    """Return what was given, short enough for a message."""
    text = repr(values)
    return text if len(text) <= 60 else f"{text[:57]}..."


def fill(value: object, **fields: object) -> None:
    """Fill in fields of a frozen dataclass while it is being built."""
    for name, content in fields.items():
        object.__setattr__(value, name, content)
