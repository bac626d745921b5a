"""The examples in docstrings, worked by hand, are what the code gives."""

from __future__ import annotations

import doctest

import pytest

from bench import gold
from bench.answers import exact
from bench.metrics import batch, chroma_report, judged, omega, ranked, spans, tokens
from bench.stats import bootstrap

MODULES = [batch, bootstrap, chroma_report, exact, gold, judged, omega, ranked, spans, tokens]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples(module):
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
