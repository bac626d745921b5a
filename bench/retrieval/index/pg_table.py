"""A corpus' vectors as a table of PostgreSQL: made once, whole or not at all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError
from bench.retrieval.index.recipes import Postgres
from rse.types import Layout

if TYPE_CHECKING:
    from psycopg import Connection

SCHEME = 1
"""Raised whenever tables are made in another way: part of their name."""
ROWS_AT_ONCE = 4096
LARGEST = 16_000
LARGEST_INDEXED = 2000
"""Dimensions that pgvector stores, and that its graph takes."""
OLDEST_INDEXED = (0, 8)
"""The first version that goes on looking where a filter left too few."""


class Table(NamedTuple):
    """A table's name and what it must hold."""

    name: str
    lock: int
    """Number of the advisory lock under which it is made."""
    says: str
    """Its comment: whose vectors these are."""


def table(vectors: NDArray[np.float32], layout: Layout, identity: str, settings: Postgres) -> Table:
    """Name the table of an encoder, a corpus and an index; other content has another name."""
    chunks, dimension = vectors.shape
    index = [settings.index]
    if settings.index == "hnsw":
        index += [str(settings.m), str(settings.ef_construction)]
    says = {
        "made_by": "rse-bench",
        "scheme": SCHEME,
        "encoder": identity,
        "chunks": chunks,
        "dimension": dimension,
        "index": index,
    }
    found = hashlib.sha256(json.dumps(says, sort_keys=True).encode())
    found.update(np.ascontiguousarray(layout.start, "<i8").data)
    for begin in range(0, chunks, ROWS_AT_ONCE):
        found.update(np.ascontiguousarray(vectors[begin : begin + ROWS_AT_ONCE], "<f4").data)
    says["content"] = found.hexdigest()
    lock = int.from_bytes(found.digest()[:8], signed=True)
    return Table(f"rse_bench_{found.hexdigest()[:32]}", lock, json.dumps(says, sort_keys=True))


def check_extension(connection: Connection[Any], settings: Postgres, dimension: int) -> str:
    """Return the version of pgvector; `UserError` if it is missing, too old or too small."""
    query = "SELECT extversion FROM pg_extension WHERE extname = 'vector'"
    row = connection.execute(query).fetchone()
    if row is None:
        known = "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'"
        there = connection.execute(known).fetchone() is not None
        raise UserError(
            f"the database {connection.info.dbname!r} lacks the extension vector; run CREATE "
            "EXTENSION vector in it, which needs the right to create in the database"
            + ("" if there else ", and pgvector installed on the server, where it is not yet")
        )
    version = str(row[0])
    if dimension > (most := LARGEST_INDEXED if settings.index == "hnsw" else LARGEST):
        raise UserError(
            f"the vectors have {dimension} dimensions, pgvector takes at most {most} with "
            f"index={settings.index}"
        )
    if settings.index == "hnsw" and tuple(map(int, version.split(".")[:2])) < OLDEST_INDEXED:
        raise UserError(f"index=hnsw needs pgvector 0.8 or later, the server has {version}")
    return version


def make(
    connection: Connection[Any],
    wanted: Table,
    vectors: NDArray[np.float32],
    layout: Layout,
    settings: Postgres,
) -> bool:
    """Make the table unless it is there; return whether it was made now.

    Everything is one transaction under a lock, so a killed process leaves nothing, and of several
    processes one makes the table while the others wait.

    Raises:
        UserError: There is a table of this name that holds something else.
    """
    from psycopg import sql

    names = {"table": sql.Identifier(wanted.name)}
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [wanted.lock])
        if _is_there(connection, wanted, len(vectors)):
            return False
        create = sql.SQL(
            "CREATE TABLE {table} (chunk integer PRIMARY KEY, document integer NOT NULL, "
            "vector vector({size}) NOT NULL)"
        )
        connection.execute(create.format(size=sql.Literal(vectors.shape[1]), **names))
        copy_in = sql.SQL("COPY {table} (chunk, document, vector) FROM STDIN (FORMAT BINARY)")
        with connection.cursor() as cursor, cursor.copy(copy_in.format(**names)) as copy:
            for block in _packed(vectors, layout):
                copy.write(block)
        connection.execute(sql.SQL("CREATE INDEX ON {table} (document)").format(**names))
        if settings.index == "hnsw":
            # By one process: how several share the work is a matter of chance.
            connection.execute("SET LOCAL max_parallel_maintenance_workers = 0")
            graph = sql.SQL(
                "CREATE INDEX ON {table} USING hnsw (vector vector_ip_ops) "
                "WITH (m = {m}, ef_construction = {ef})"
            )
            m, ef = sql.Literal(settings.m), sql.Literal(settings.ef_construction)
            connection.execute(graph.format(m=m, ef=ef, **names))
        says = sql.SQL("COMMENT ON TABLE {table} IS {says}")
        connection.execute(says.format(says=sql.Literal(wanted.says), **names))
        connection.execute(sql.SQL("ANALYZE {table}").format(**names))
    return True


def _is_there(connection: Connection[Any], wanted: Table, chunks: int) -> bool:
    from psycopg import sql

    found = connection.execute(
        "SELECT obj_description(to_regclass(%(name)s), 'pg_class'), to_regclass(%(name)s)::oid",
        {"name": wanted.name},
    ).fetchone()
    if found is None or found[1] is None:
        return False
    if found[0] != wanted.says:
        raise UserError(
            f"the table {wanted.name} holds something else: {found[0] or 'no comment'}, not "
            f"{wanted.says}; rename or drop it"
        )
    count = sql.SQL("SELECT count(*) FROM {table}").format(table=sql.Identifier(wanted.name))
    held = connection.execute(count).fetchone()
    if held is None or held[0] != chunks:
        raise UserError(
            f"the table {wanted.name} holds {held[0] if held else 0} chunks, not {chunks}: "
            "somebody changed it; drop it, and it is made anew"
        )
    return True


def _packed(vectors: NDArray[np.float32], layout: Layout) -> Iterator[bytes]:
    """Yield the rows in the binary form of COPY (PostgreSQL documentation, SQL COPY).

    A row is its number of fields, then each field's bytes and their number; a vector is its
    dimension, a zero, and its numbers. Big-endian throughout.
    """
    dimension = vectors.shape[1]
    row = np.dtype(
        [
            ("fields", ">i2"),
            ("chunk_bytes", ">i4"),
            ("chunk", ">i4"),
            ("document_bytes", ">i4"),
            ("document", ">i4"),
            ("vector_bytes", ">i4"),
            ("dimension", ">i2"),
            ("unused", ">i2"),
            ("vector", ">f4", (dimension,)),
        ]
    )
    yield b"PGCOPY\n\xff\r\n\0" + bytes(8)
    for begin in range(0, len(vectors), ROWS_AT_ONCE):
        some = vectors[begin : begin + ROWS_AT_ONCE]
        rows = np.zeros(len(some), row)
        rows["fields"] = 3
        rows["chunk_bytes"] = rows["document_bytes"] = 4
        rows["chunk"] = np.arange(begin, begin + len(some))
        rows["document"] = layout.document(np.arange(begin, begin + len(some)))
        rows["vector_bytes"], rows["dimension"] = 4 + 4 * dimension, dimension
        rows["vector"] = some
        yield rows.tobytes()
    yield b"\xff\xff"
