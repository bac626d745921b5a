"""Numba, imported when the first kernel runs: importing `rse` must stay cheap."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Kernel(Generic[P, R]):
    """A function that is compiled at its first call; `py_func` is the same source uncompiled."""

    def __init__(self, py_func: Callable[P, R]) -> None:
        self.py_func = py_func
        self._compiled: Callable[..., Any] | None = None
        update_wrapper(self, py_func)

    def __call__(self, *args: P.args, **_: P.kwargs) -> R:
        if self._compiled is None:
            import numba

            # The compiled code is kept beside the source (or in numba's own cache folder where
            # that is not writable), so only the first run on a machine pays for compiling.
            compiler: Any = numba.njit(cache=True)
            self._compiled = compiler(self.py_func)
        found: R = self._compiled(*args)
        return found


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` at its first call."""
    return Kernel(function)
