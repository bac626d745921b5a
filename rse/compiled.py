"""Numba, imported when the first kernel runs: importing `rse` must stay cheap."""

from __future__ import annotations

import hashlib
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, update_wrapper
from pathlib import Path
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_LOCK = threading.RLock()

KEPT = 30 * 24 * 3600
"""Seconds after its last use that compiled code of another source is kept."""


class Kernel(Generic[P, R]):
    """A function that is compiled at its first call; `py_func` is the same source uncompiled.

    Kernels may call one another. Arguments are NumPy arrays and plain numbers.
    """

    plain: ClassVar[bool] = False
    """Whether kernels run as the Python they are written in, see `uncompiled`."""

    def __init__(self, py_func: Callable[P, R]) -> None:
        self.py_func = py_func
        self._dispatcher: Any = None
        update_wrapper(self, py_func)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if Kernel.plain:
            return self.py_func(*args, **kwargs)
        found: R = (self._dispatcher or self.dispatcher)(*args, **kwargs)
        return found

    @property
    def dispatcher(self) -> Any:  # noqa: ANN401
        """The function as Numba sees it; compiled for each new set of argument types."""
        if self._dispatcher is None:
            self._dispatcher = _dispatcher(self.py_func)
        return self._dispatcher


def compiled(function: Callable[P, R]) -> Kernel[P, R]:
    """Compile `function` at its first call."""
    return Kernel(function)


@contextmanager
def uncompiled() -> Iterator[None]:
    """Run kernels as plain Python: slow, readable by a debugger, and the same results."""
    Kernel.plain = True
    try:
        yield
    finally:
        Kernel.plain = False


def _dispatcher(function: Callable[..., Any]) -> Any:  # noqa: ANN401
    numba = _numba()
    with _LOCK:  # the folder is a setting of the whole process for as long as we set it
        return _cached(numba, function)


def _cached(numba: Any, function: Callable[..., Any]) -> Any:  # noqa: ANN401
    before = numba.config.CACHE_DIR
    folder = _folder(before)
    if folder is None:
        return numba.njit(function)
    # Numba looks at the file of the function alone to tell whether compiled code is current, but
    # kernels call kernels of other files: code of another state of ours goes into another folder.
    numba.config.CACHE_DIR = str(folder)
    try:
        return numba.njit(cache=True)(function)
    finally:
        numba.config.CACHE_DIR = before


@cache
def _numba() -> Any:  # noqa: ANN401
    """Import Numba and let it take a kernel inside a kernel for what it is."""
    import numba
    from numba.extending import typeof_impl

    @typeof_impl.register(Kernel)
    def _type_of_kernel(kernel: Kernel[..., Any], _: object) -> Any:  # noqa: ANN401
        return numba.types.Dispatcher(kernel.dispatcher)

    return numba


@cache
def _folder(chosen: str) -> Path | None:
    """Return where compiled code of exactly this source is kept; None where nothing can be."""
    here = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(here.glob("**/*.py")):
        name = path.relative_to(here).as_posix()
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    places = [here / "__pycache__", Path.home() / ".cache" / "rse-bench"]
    for place in [Path(chosen)] if chosen else places:
        folder = place / f"kernels-{digest.hexdigest()[:16]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            _forget_old(place)
            return folder
    return None


def _forget_old(place: Path) -> None:
    """Remove compiled code of sources that nobody has run for a month; what cannot go stays."""
    for folder in place.glob("kernels-*"):
        with suppress(OSError):
            files = [path.stat() for path in folder.rglob("*") if path.is_file()] or [folder.stat()]
            if time.time() - max(max(one.st_atime, one.st_mtime) for one in files) > KEPT:
                shutil.rmtree(folder, ignore_errors=True)
