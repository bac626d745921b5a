"""Several requests under way at once, their results in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

AT_ONCE = 4
"""Requests under way: what services of all kinds put up with."""


def together(
    action: Callable[[T], R],
    items: Sequence[T],
    progress: Callable[[int, int], None] | None = None,
    at_once: int = AT_ONCE,
) -> list[R]:
    """Return `action` of each item, in the order of the items.

    Args:
        action: What to do; threads call it at the same time.
        items: What to do it with.
        progress: Called with the numbers done and in all.
        at_once: Items under way.

    Raises:
        Exception: What `action` raised for the first item it failed on; items not begun are left.
    """
    found: list[R] = []
    with ThreadPoolExecutor(at_once) as pool:
        waiting = [pool.submit(action, item) for item in items]
        try:
            for number, one in enumerate(waiting):
                if progress:
                    progress(number, len(items))
                found.append(one.result())
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    if progress:
        progress(len(items), len(items))
    return found
