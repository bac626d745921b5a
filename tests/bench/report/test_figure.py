"""The picture: one oracle a family, and no complaint whatever the arms are."""

from __future__ import annotations

from math import nan

from bench.metrics.tokens import BUDGETS
from bench.report import figure
from bench.summary.tables import Tables


def row(strategy, tokens, recall=0.5, **more):
    return {
        **{
            "dataset": "d",
            "strategy": strategy,
            "scores": "none",
            "chunker": "c",
            "retriever": "r",
        },
        **{"mean_tokens": tokens, "mean_recall": recall, "low_recall": nan, "high_recall": nan},
        **{"questions": 5, "undefined": 1, **more},
    }


def curve(family, question="q"):
    named = {"dataset": "d", "family": family, "question": question}
    return {**named, "tokens": [0, 10, 20], "recall": [0.0, 0.4, 0.6]}


def drawn(tmp_path, monkeypatch, rows, curves=(), frontiers=()):
    """Draw, and give the labels of the legend with what they stand for."""
    found = {}

    def look(labels):
        return found.setdefault("labels", labels) and size(labels)

    size = figure._size
    monkeypatch.setattr(figure, "_size", look)
    made = Tables(rows, [], list(frontiers), [], [], [])
    path = figure.draw(tmp_path / "figures" / "x.svg", "d", made, list(curves))
    assert path.stat().st_size > 1000
    assert path.with_suffix(".png").stat().st_size > 1000
    return found["labels"]


def test_each_family_has_its_own_oracle(tmp_path, monkeypatch):
    rows = [row("oracle", 10), row("oracle", 20), row("oracle", 15, chunker="e"), row("rse", 9)]
    labels = drawn(tmp_path, monkeypatch, rows, [curve("c / r"), curve("e / r")])
    assert labels == [
        *("top-k, every k, c / r", "oracle (knows the gold), c / r"),
        *("top-k, every k, e / r", "oracle (knows the gold), e / r", "rse / c / r"),
    ]


def test_many_arms_are_named_by_kind(tmp_path, monkeypatch):
    rows = [row(f"rse[decay_rate={n}]", n) for n in range(1, 60)] + [row("random", 5)]
    labels = drawn(tmp_path, monkeypatch, rows, [curve("c / r")])
    assert labels == ["top-k, every k", "rse / none", "random / none"]


def test_long_names_and_forty_of_them_leave_room(tmp_path, monkeypatch):
    rows = [row(f"rse[decay_rate={n},{'x' * 80}]", n) for n in range(1, 41)]
    assert len(drawn(tmp_path, monkeypatch, rows, [curve("c / r")])) == 41


def test_nothing_returned_and_nothing_known(tmp_path, monkeypatch):
    drawn(tmp_path, monkeypatch, [row("rse", 0, nan), row("topk", 0, nan)])


def test_the_band_of_top_k_is_shaded(tmp_path, monkeypatch):
    band = {"dataset": "d", "family": "c / r", "curve": "topk, every k"}
    for budget in BUDGETS:
        band |= {f"low_recall_at_mean_tokens_{budget}": 0.3}
        band |= {f"high_recall_at_mean_tokens_{budget}": 0.6}
    path = tmp_path / "figures" / "x.svg"
    drawn(tmp_path, monkeypatch, [row("rse", 900)], [curve("c / r")])
    without = path.read_text(encoding="utf-8").count("FillBetween")
    drawn(tmp_path, monkeypatch, [row("rse", 900)], [curve("c / r")], [band])
    assert path.read_text(encoding="utf-8").count("FillBetween") > without
