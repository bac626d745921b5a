"""The same numbers give the same files, and no drawing stumbles over what may come."""

from __future__ import annotations

import numpy as np
import pytest

from bench.figures.example import ARMS, draw_example, example
from bench.figures.length_figure import draw_lengths
from bench.figures.lengths import LOOSE, MadeUp, at_penalties, measure
from bench.figures.real import real
from bench.figures.strip import Row, Strip, chunk_worth, draw_strip
from rse import RSE, Hits, Layout, Segment


@pytest.fixture(scope="module")
def rows():
    made = MadeUp(chunks=30, hits=20, documents=2).draw()
    layout = Layout([0, 5], [700] * 5)
    nothing = Hits([1], [0.01])
    return [
        *measure("holds", "high similarities", made, at_penalties(LOOSE)),
        *measure("changed", "something", made, at_penalties(RSE())),
        *real(layout, [Hits([1, 2], [0.9, 0.8]), nothing]),
    ]


def drawn(folder, name, draw, *given):
    draw(folder / name, *given)
    svg, png = folder / name, (folder / name).with_suffix(".png")
    assert png.read_bytes().startswith(b"\x89PNG")
    text = svg.read_text(encoding="utf-8")
    assert "<dc:date>" not in text
    return svg.read_bytes(), png.read_bytes()


def test_lengths_are_drawn_the_same_twice(tmp_path, rows):
    first = drawn(tmp_path, "a.svg", draw_lengths, rows)
    assert drawn(tmp_path, "b.svg", draw_lengths, rows) == first


def test_the_example_is_drawn_the_same_twice(tmp_path):
    first = drawn(tmp_path, "a.svg", draw_example)
    assert drawn(tmp_path, "b.svg", draw_example) == first


def test_a_title_with_dollars_gold_and_a_segment_elsewhere(tmp_path):
    strip = Strip(
        "from $5 to $6",
        [("page", 3, 6)],
        np.array([0.5, -0.2, 0.4]),
        np.array([True, False, True]),
        [Row("rule", [Segment(3, 6, 0.7), Segment(9, 10, 0.1)], "note")],
        gold=[(4, 6)],
    )
    drawn(tmp_path, "a.svg", draw_strip, strip, 6.0)


def test_the_example_holds_every_chunk_and_every_arm():
    strip = example()
    assert len(strip.values) == 12
    assert strip.hit.sum() == 6
    assert [row.label for row in strip.rows] == [label for label, _, _ in ARMS]


def test_chunks_of_documents_not_considered_are_no_hits():
    hits = Hits([0, 2], [0.9, 0.8])
    layout = Layout([0, 2, 4], [700, 700, 1400, 700])
    value, hit = chunk_worth(RSE(top_k_for_document_selection=1), hits, layout)
    assert hit.tolist() == [True, False, False, False]
    assert value == pytest.approx([0.72, -0.18, -0.18, -0.18])
    value, hit = chunk_worth(RSE(), hits, layout)
    assert value[2] == pytest.approx((np.exp(-1 / 30) * 0.8 - 0.18) * 2)
