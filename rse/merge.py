"""Several rising lists as one: cheaper to compile than a sort, and stable."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rse.compiled import compiled


@compiled
def merged(
    begin: NDArray[np.int64], key: NDArray[np.int64], second: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the order that sorts by `key`, then `second`, then list.

    Args:
        begin: List `q` owns the items `begin[q]` up to, not including, `begin[q + 1]`; each list
            rises by `key`, then `second`.
        key: What is sorted by.
        second: What decides between equal keys.

    Complexity: O(items x lists).
    """
    lists = len(begin) - 1
    at = begin[:-1].copy()
    order = np.empty(len(key), np.int64)
    for place in range(len(key)):
        best = -1
        for one in range(lists):
            here = at[one]
            if here < begin[one + 1] and (
                best < 0
                or key[here] < key[at[best]]
                or (key[here] == key[at[best]] and second[here] < second[at[best]])
            ):
                best = one
        order[place] = at[best]
        at[best] += 1
    return order
