"""What every cache relies on: threads, damage, and the same file for all."""

from __future__ import annotations

import logging
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from bench.store.sqlite import Database

TABLE = "CREATE TABLE IF NOT EXISTS numbers (n INTEGER PRIMARY KEY, filler BLOB)"


@pytest.fixture
def database(tmp_path):
    made = Database(tmp_path / "a" / "b.sqlite", TABLE)
    yield made
    made.close()


def add(database, n):
    database.run(lambda db: db.execute("INSERT INTO numbers VALUES (?, ?)", (n, bytes(1000))))


def count(database):
    return database.run(lambda db: db.execute("SELECT count(*) FROM numbers").fetchone()[0])


def test_threads_share_it(database):
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: add(database, n), range(200)))
    assert count(database) == 200


def test_a_transaction_is_one_threads_own(database):
    def twice(n):
        def both(db):
            with db:
                db.execute("BEGIN IMMEDIATE")
                time.sleep(0.0005)  # now another thread would come in between
                db.execute("INSERT INTO numbers VALUES (?, NULL)", (2 * n,))
                db.execute("INSERT INTO numbers VALUES (?, NULL)", (2 * n + 1,))
                if n % 2:
                    raise KeyError(n)

        try:
            database.run(both)
        except KeyError:
            return

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(twice, range(100)))
    rows = database.run(lambda db: db.execute("SELECT n FROM numbers ORDER BY n").fetchall())
    assert [n for (n,) in rows] == [n for n in range(200) if n // 2 % 2 == 0]


def test_damage_costs_the_content_and_no_more(database, caplog):
    for n in range(50):
        add(database, n)
    database.close()
    database.path.write_bytes(b"\xff" * 9000)
    with caplog.at_level(logging.WARNING):
        add(database, 7)
    assert count(database) == 1
    assert "b.sqlite is damaged: kept as b.sqlite.corrupt-1, built anew" in caplog.text
    database.set_aside()  # another that found the same damage
    assert count(database) == 1
    assert len(list(database.path.parent.glob("*.corrupt-*"))) == 1


def test_other_errors_are_told(database):
    with pytest.raises(sqlite3.IntegrityError):
        [add(database, 1) for _ in range(2)]
    assert count(database) == 1
    with pytest.raises(OSError, match="no such table: other; set RSE_BENCH_CACHE"):
        database.run(lambda db: db.execute("SELECT 1 FROM other"))


def test_a_closed_one_opens_again(database):
    add(database, 1)
    database.close()
    database.close()
    assert count(database) == 1
