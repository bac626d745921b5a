"""JSON that strict parsers read."""

from __future__ import annotations

import numpy as np

from bench.store.plain import dumps, plain


def test_undefined_numbers_and_numpy():
    row = {"recall": float("nan"), "n": np.int64(3), "ok": np.bool_(True)}
    assert dumps(row) == '{"recall": null, "n": 3, "ok": true}'


def test_nested():
    value = {1: (np.float32(0.5), np.array([1.0, np.inf])), "é": [np.str_("x"), None]}
    assert plain(value) == {"1": [0.5, [1.0, None]], "é": ["x", None]}
    assert dumps({"é": np.array(-np.inf)}) == '{"é": null}'
