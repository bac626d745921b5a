"""Which measures of ragas are asked for, by our names."""

from __future__ import annotations

import pytest

from bench.adapters.ragas_names import JUDGED, METRICS, named
from bench.errors import UserError


def test_all_that_can_be_had():
    assert list(named([], judged=True)) == list(METRICS)
    assert list(named([], judged=False)) == ["ragas_id_precision", "ragas_id_recall"]
    assert set(named([], judged=False)) == METRICS.keys() - JUDGED


def test_short_names_in_our_order():
    asked = ["faithfulness", "ragas_id_recall", "id_recall"]
    assert list(named(asked, judged=True)) == ["ragas_id_recall", "ragas_faithfulness"]


def test_what_cannot_be_had_is_told():
    with pytest.raises(UserError, match="no measure 'bleu' of ragas; there are: ragas_id_prec"):
        named(["bleu"], judged=True)
    with pytest.raises(UserError, match=r"ragas_faithfulness is judged .* --model"):
        named(["id_recall", "faithfulness"], judged=False)


def test_ragas_has_them_all(ragas):
    assert ragas.classes.keys() == METRICS.keys()
    for name, metric in METRICS.items():
        assert ragas.classes[name].__name__ == metric.ragas


def test_samples_are_what_ragas_reads(ragas):
    """Whatever ragas calls its columns, ours are among them."""
    columns = {column for metric in METRICS.values() for column in metric.takes}
    assert columns <= set(ragas.sample.model_fields)
