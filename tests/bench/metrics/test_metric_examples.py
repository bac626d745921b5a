"""The examples in docstrings, worked by hand, are what the code gives."""

from __future__ import annotations

import doctest

import pytest

from bench.metrics import batch, chroma_report, omega, spans


@pytest.mark.parametrize("module", [batch, chroma_report, omega, spans], ids=lambda m: m.__name__)
def test_examples(module):
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
