"""JSON that every program reads: no NaN, no NumPy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np


def plain(value: object) -> Any:  # noqa: ANN401
    """Turn NumPy scalars, arrays and undefined numbers into what JSON has."""
    if isinstance(value, np.generic | np.ndarray):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def dumps(value: object, indent: int | None = None) -> str:
    """Write strict JSON; an undefined number is null."""
    return json.dumps(plain(value), allow_nan=False, ensure_ascii=False, indent=indent)
