"""Search by a real server: hits as in exact search, tables whole or absent, passwords unseen."""

from __future__ import annotations

import threading
import traceback

import numpy as np
import psycopg
import pytest

from bench.errors import UserError
from bench.retrieval.index import pg_table
from bench.retrieval.index.flat import DenseIndex
from bench.retrieval.index.pg_connect import Connections
from bench.retrieval.index.postgres import PostgresStore
from bench.retrieval.index.recipes import Postgres
from bench.retrieval.index.together import search_all
from tests.bench.retrieval.index.conftest import PASSWORD
from tests.bench.retrieval.index.corpora import layout, same, units

ENCODER = "0" * 64
GRAPH = Postgres(index="hnsw")


def tables(url):
    with psycopg.connect(url) as own:
        query = "SELECT relname FROM pg_class WHERE relname LIKE 'rse_bench_%' AND relkind = 'r'"
        return [name for (name,) in own.execute(query)]


def drop_connections(url):
    with psycopg.connect(url, autocommit=True) as own:
        own.execute(
            "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_exact_hits_are_those_of_exact_search_to_the_last_bit(database):
    vectors = units(300, 16)
    vectors[100:140] = vectors[7]  # ties across the last place
    where = layout(100, 0, 60, 0, 140)
    exact = DenseIndex(vectors, where)
    with PostgresStore(vectors, where, ENCODER, Postgres()) as store:
        for query in [*vectors[5:9], *units(5, 16, seed=1)]:
            for depth in (1, 20, 300, 1000):
                assert same(store.search(query, depth), exact.search(query, depth))
            for scope in ([0], [1, 2], [2, 4, 2], [1], []):
                documents = np.array(scope, np.int64)
                found = store.search(query, 25, documents)
                assert same(found, exact.search(query, 25, documents))
        chunk = np.array([4, 200])
        np.testing.assert_array_equal(store.rows(chunk), vectors[chunk])
        assert store.cosines(vectors[4], chunk)[0] == pytest.approx(1)


def test_the_servers_graph_finds_enough_under_a_filter(database):
    vectors = units(2000, 8)
    where = layout(*[1] * 2000)
    exact = DenseIndex(vectors, where)
    settings = Postgres(index="hnsw", ef_search=10)
    with PostgresStore(vectors, where, ENCODER, settings) as store:
        with psycopg.connect(database, autocommit=True) as own:
            # Else the server may well go by the documents, and leave the graph alone.
            own.execute(f"DROP INDEX {store.table.name}_document_idx")
        third = np.arange(0, 2000, 3)
        for query in units(5, 8, seed=2):
            chunk, cosine = store.search(query, 100, third)
            assert len(chunk) == 100
            assert set(chunk.tolist()) <= set(third.tolist())
            assert (np.diff(cosine) <= 0).all()
            best = exact.search(query, 100, third)[0]
            assert len(np.intersect1d(chunk, best)) >= 80
        facts = store.facts
        assert facts["exact_fallbacks"] == 0
        assert facts["recall_at_k"].keys() == {"10", "200"}
        assert 0.8 <= facts["recall_at_k"]["10"] <= 1
        assert (facts["n"], facts["ef_search"], facts["pgvector"][:2]) == (100, 10, "0.")
        assert store.measure(vectors[:3])["measured_on"] == "given queries"


def test_a_table_is_made_once_and_named_by_all_that_is_in_it(database):
    vectors, where = units(20, 4), layout(20)
    with PostgresStore(vectors, where, ENCODER, Postgres()) as one:
        pass
    with PostgresStore(vectors, where, ENCODER, Postgres()) as again:
        assert again.table == one.table
    others = [
        (vectors, layout(10, 10), ENCODER, Postgres()),
        (vectors[::-1].copy(), where, ENCODER, Postgres()),
        (vectors, where, "1" * 64, Postgres()),
        (vectors, where, ENCODER, GRAPH),
    ]
    for other in others:
        PostgresStore(*other).close()
    assert len(tables(database)) == 5


def test_a_graph_on_the_table_does_not_answer_for_exact_search(database):
    vectors, where = units(3000, 16), layout(3000)
    with PostgresStore(vectors, where, ENCODER, Postgres()) as store:
        with psycopg.connect(database, autocommit=True) as own:
            name = store.table.name
            own.execute(f"CREATE INDEX ON {name} USING hnsw (vector vector_ip_ops) WITH (m = 2)")
            own.execute(f"ANALYZE {name}")
        exact = DenseIndex(vectors, where)
        for query in units(10, 16, seed=3):
            assert same(store.search(query, 5), exact.search(query, 5))


def test_two_at_once_make_one_table(database):
    vectors, where = units(3000, 32), layout(3000)
    errors, barrier = [], threading.Barrier(2)

    def run():
        barrier.wait()
        try:
            PostgresStore(vectors, where, ENCODER, Postgres()).close()
        except BaseException as error:
            errors.append(error)

    both = [threading.Thread(target=run) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert errors == []
    assert len(tables(database)) == 1


def test_a_table_of_another_model_or_a_changed_one_is_refused(database):
    vectors, where = units(10, 4), layout(10)
    with PostgresStore(vectors, where, ENCODER, Postgres()) as store:
        name = store.table.name
    with psycopg.connect(database, autocommit=True) as own:
        own.execute(f"DELETE FROM {name} WHERE chunk = 3")
    with pytest.raises(UserError, match="holds 9 chunks, not 10"):
        PostgresStore(vectors, where, ENCODER, Postgres())
    other = store.table.says.replace(ENCODER, "another-model")
    with psycopg.connect(database, autocommit=True) as own:
        own.execute(psycopg.sql.SQL("COMMENT ON TABLE {} IS {}").format(
            psycopg.sql.Identifier(name), psycopg.sql.Literal(other)))  # fmt: skip
    with pytest.raises(UserError, match=r"holds something else: .*another-model.*rename or drop"):
        PostgresStore(vectors, where, ENCODER, Postgres())


def test_rows_lost_behind_our_back_are_not_passed_over(database):
    vectors, where = units(10, 4), layout(10)
    with PostgresStore(vectors, where, ENCODER, Postgres()) as store:
        with psycopg.connect(database, autocommit=True) as own:
            own.execute(f"DELETE FROM {store.table.name} WHERE chunk < 5")
        with pytest.raises(UserError, match="gave 5 of 10 chunks"):
            store.search(vectors[0], 8)


def test_a_dropped_connection_is_made_again(database):
    vectors, where = units(50, 4), layout(50)
    for settings in (Postgres(), GRAPH):
        with PostgresStore(vectors, where, ENCODER, settings) as store:
            before = store.search(vectors[3], 5)
            drop_connections(database)
            assert same(store.search(vectors[3], 5), before)


def test_a_connection_dropped_while_filling_leaves_nothing_and_is_tried_again(
    database, monkeypatch
):
    vectors, where = units(9000, 8), layout(9000)
    packed, times = pg_table._packed, []

    def dropping(*given, most):
        for number, block in enumerate(packed(*given)):
            yield block
            if number == 1 and len(times) < most:
                times.append(1)
                drop_connections(database)

    monkeypatch.setattr(pg_table, "_packed", lambda *g: dropping(*g, most=9))
    with pytest.raises(UserError, match=r"RSE_BENCH_POSTGRES .* dropped the connection") as caught:
        PostgresStore(vectors, where, ENCODER, Postgres())
    assert PASSWORD not in told(caught.value)
    assert tables(database) == []
    times.clear()
    monkeypatch.setattr(pg_table, "_packed", lambda *g: dropping(*g, most=1))
    with PostgresStore(vectors, where, ENCODER, Postgres()) as store:
        assert same(store.search(vectors[3], 5), DenseIndex(vectors, where).search(vectors[3], 5))


def told(error):
    """Return all that a user can get to see of an error."""
    return "".join(traceback.format_exception(error)) + repr(error)


def test_a_server_that_is_away(monkeypatch):
    url = f"postgresql://me:{PASSWORD}@127.0.0.1:1/things?connect_timeout=2"
    monkeypatch.setenv("MY_SERVER", url)
    with pytest.raises(UserError, match=r"MY_SERVER \(127\.0\.0\.1:1/things\)") as caught:
        PostgresStore(units(3, 4), layout(3), ENCODER, Postgres(url_env="MY_SERVER"))
    assert PASSWORD not in told(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        None,
        "  ",
        f"postgresql//me:{PASSWORD}@host/things",
        f"postgresql://me:{PASSWORD[:5]}@{PASSWORD}@host/things",
        f"postgresql://me:12/{PASSWORD}@host/things",
        f"postgresql://me:{PASSWORD}/12@host/things",
        f"{PASSWORD}",
        f"host=h pasword={PASSWORD}",
        f"postgresql://me:{PASSWORD}%zz@host/things",
    ],
)
def test_what_is_no_connection_string_is_not_shown(url, monkeypatch):
    if url is None:
        monkeypatch.delenv("RSE_BENCH_POSTGRES", raising=False)
    else:
        monkeypatch.setenv("RSE_BENCH_POSTGRES", url)
    with pytest.raises(UserError, match="RSE_BENCH_POSTGRES") as caught:
        PostgresStore(units(3, 4), layout(3), ENCODER, Postgres())
    assert "postgresql://user:password@host:5432/database" in str(caught.value)
    assert PASSWORD not in told(caught.value)


def test_a_server_that_repeats_the_password(database):
    def refuse(_):
        raise psycopg.ProgrammingError(f"no {PASSWORD},\nno {PASSWORD} at all")

    with pytest.raises(UserError, match=r"refused: no \*\*\*,; no \*\*\* at all") as caught:
        Connections("RSE_BENCH_POSTGRES").run(refuse)
    assert PASSWORD not in str(caught.value)


def test_a_wrong_password(database, monkeypatch):
    monkeypatch.setenv("RSE_BENCH_POSTGRES", database.replace(PASSWORD, "wr0ng-horse"))
    with pytest.raises(UserError, match="password authentication failed") as caught:
        PostgresStore(units(3, 4), layout(3), ENCODER, Postgres())
    assert "wr0ng-horse" not in told(caught.value)


def test_a_database_without_the_extension(database):
    with psycopg.connect(database, autocommit=True) as own:
        own.execute("DROP EXTENSION vector")
    for settings in (Postgres(), GRAPH):
        with pytest.raises(UserError, match=r"lacks the extension vector; run CREATE EXTENSION"):
            PostgresStore(units(3, 4), layout(3), ENCODER, settings)


def test_too_many_dimensions(database):
    with pytest.raises(UserError, match=r"2001 dimensions, pgvector takes at most 2000 with"):
        PostgresStore(units(2, 2001), layout(2), ENCODER, GRAPH)
    PostgresStore(units(2, 2001), layout(2), ENCODER, Postgres()).close()


@pytest.mark.parametrize("settings", [Postgres(), GRAPH])
def test_questions_that_make_no_sense_and_an_empty_corpus(database, settings):
    with PostgresStore(np.eye(3, dtype=np.float32), layout(2, 1), ENCODER, settings) as store:
        for vector, depth, scope, message in (
            ([1, 0], 1, None, r"shape \(2,\), the index has 3 dimensions"),
            ([np.nan, 0, 0], 1, None, "length nan"),
            ([0, 0, 0], 1, None, "length 0"),
            ([1, 0, 0], 0, None, "depth must be 1 or more"),
            ([1, 0, 0], 1, [2], "documents 2 to 2"),
        ):
            documents = None if scope is None else np.array(scope)
            with pytest.raises(ValueError, match=message):
                store.search(np.array(vector, np.float32), depth, documents)
        assert len(store.search(np.array([1, 0, 0], np.float32), 9)[0]) == 3
    nothing = np.zeros((0, 3), np.float32)
    with PostgresStore(nothing, layout(0, 0), ENCODER, settings) as store:
        assert len(store.search(np.array([1, 0, 0], np.float32), 2)[0]) == 0
        assert store.facts["bytes"] >= 0
    with pytest.raises(ValueError, match="vector 0 has length 2"):
        PostgresStore(2 * np.eye(3, dtype=np.float32), layout(3), ENCODER, settings)


def test_several_queries_use_several_connections(database):
    vectors, where = units(2000, 32), layout(2000)
    with PostgresStore(vectors, where, ENCODER, Postgres()) as store:
        together = search_all(store, vectors[:12], 7)
        alone = [store.search(vector, 7) for vector in vectors[:12]]
        assert all(same(*pair) for pair in zip(together, alone, strict=True))
        assert 2 <= len(store._connections._idle) <= 4


def test_nothing_that_is_recorded_holds_the_password(database):
    with PostgresStore(units(30, 4), layout(30), ENCODER, GRAPH) as store:
        assert PASSWORD not in f"{store.facts} {store.settings} {store.table}"
