"""Records through Parquet and back."""

from __future__ import annotations

import math

import pytest

from bench.store.plain import plain
from bench.store.records import is_whole, read, record_of, row_of, save
from bench.types import Context, Record, Span


def record(spans, recall, failed=False):
    return Record(
        "d",
        "topk / none / c / r",
        "q",
        Context(tuple(spans), 7 * len(spans)),
        tuple(0.5 for _ in spans),
        9,
        {"embed": (0.25, 0.125), "select": (0.5, 0.5)},
        {"recall": recall, "precision": 0.5, "full": math.nan},
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


ROWS = {
    "record": {"kind": "record", **row_of(SOME)},
    "nothing returned": {"kind": "record", **row_of(NONE)} | {"recall": None},
    "curve": {
        **{"kind": "curve", "dataset": "d", "family": "f", "question": "q", "clipped": 0},
        **{"tokens": [0, 3], "recall": [None, 0.5], "hits": [1], "chunks": [4]},
        **{"oracle_steps": [0, 4], "oracle_tokens": [0, 3], "oracle_recall": [0.0, 1.0]},
        **{"query_tokens": 5, "rerank_tokens": [], "searched_chunks": 9, "searched_documents": 2},
        **{"ranked_chunks": {"mrr": None}, "ranked_documents": {"mrr": 1.0}},
        **{"answers_chunks": {"mrr": None}, "answers_documents": {"mrr": 1.0}},
    },
    "facts": {"kind": "facts", "cold_start_seconds": {}},
}


@pytest.mark.parametrize("name", ROWS)
def test_rows_of_a_journal_are_whole(name):
    assert is_whole(plain(ROWS[name]))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("record", {"kind": "other"}),
        ("record", {"kind": None}),
        ("record", {"spans": 3}),
        ("record", {"spans": [{"doc": "a"}]}),
        ("record", {"tokens": "7"}),
        ("record", {"recall": "high"}),
        ("record", {"arm": 1}),
        ("record", {"seconds_embed": None}),
        ("record", {"seconds_embed": 0.25}),
        ("record", {"seconds_embed": ["fast"]}),
        ("curve", {"ranked_chunks": 0.5}),
        ("curve", {"ranked_documents": {"mrr": "high"}}),
        ("curve", {"oracle_recall": None}),
        ("curve", {"tokens": None}),
        ("curve", {"recall": ["x"]}),
        ("curve", {"family": None}),
        ("facts", {"cold_start_seconds": 3}),
    ],
)
def test_rows_with_something_else_in_them_are_not(name, change):
    assert not is_whole(plain(ROWS[name] | change))


@pytest.mark.parametrize("name", ["record", "curve", "facts"])
def test_rows_with_something_missing_are_not(name):
    needed = set(ROWS[name]) - {"recall", "full", "seconds_embed", "seconds_select"}
    needed |= {"recall"} if name == "curve" else set()
    for key in needed:
        assert not is_whole({k: v for k, v in plain(ROWS[name]).items() if k != key}), key
