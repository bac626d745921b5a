"""Records through Parquet and back."""

from __future__ import annotations

import math

import pytest

from bench.store.records import read, record_of, row_of, save
from bench.types import Context, Record, Span


def record(spans, recall, failed=False):
    return Record(
        "d",
        "topk / none / c / r",
        "q",
        Context(tuple(spans), 7 * len(spans)),
        tuple(0.5 for _ in spans),
        9,
        {"embed": 0.25, "select": 0.5},
        {"recall": recall, "full": math.nan},
        failed,
    )


SOME = record([Span("é", 1, 5), Span("b", 0, 2)], 0.5)
NONE = record([], math.nan, failed=True)


@pytest.mark.parametrize("records", [[SOME, NONE], [NONE, SOME], [NONE], [SOME]])
def test_round_trip(tmp_path, records):
    path = tmp_path / "records.parquet"
    save(path, [row_of(one) for one in records])
    found = [record_of(row) for row in read(path)]
    # repr: nan differs from itself
    assert [repr(one) for one in found] == [repr(one) for one in records]
    assert [p.name for p in tmp_path.iterdir()] == ["records.parquet"]


def test_missing_or_damaged_is_nothing(tmp_path):
    path = tmp_path / "records.parquet"
    assert read(path) == []
    path.write_bytes(b"PAR1 but not quite")
    assert read(path) == []
    save(path, [row_of(SOME)])
    path.write_bytes(path.read_bytes()[:-9])
    assert read(path) == []
