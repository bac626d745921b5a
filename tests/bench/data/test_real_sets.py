"""Every public set, from upstream's real files, is what its card says: run after run."""

from __future__ import annotations

import pytest

from bench.catalog import DATASETS
from bench.chunking import Recursive
from bench.data.inspect import differences, inspect
from bench.data.load import load
from bench.data.shelf import expected_counts

SLOW = {"financebench"}
"""Reads PDFs for a minute: `test_financebench` does."""
NAMES = [name for name in DATASETS if expected_counts(name) and name not in SLOW]


@pytest.mark.outside
@pytest.mark.parametrize("name", NAMES)
def test_a_set_counts_as_its_card_does(shared, name):
    found = inspect(load(name, shared / "data"), Recursive(size=800), lambda _: (1, 0))
    assert list(differences(found, expected_counts(name))) == []
