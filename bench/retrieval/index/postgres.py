"""Search by a PostgreSQL server with pgvector: the vectors are there, the order is ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, LiteralString, Self

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError
from bench.retrieval.index.flat import DenseIndex
from bench.retrieval.index.pg_connect import Connections
from bench.retrieval.index.pg_table import check_extension, make, table
from bench.retrieval.index.ranking import (
    SPARE,
    Ranking,
    checked_depth,
    checked_query,
    nothing,
    ordered,
    settled,
)
from bench.retrieval.index.recall import Watched
from bench.retrieval.index.recipes import Postgres
from bench.retrieval.index.scope import runs, size
from rse.types import Layout

if TYPE_CHECKING:
    from psycopg import Connection

SIDE_BY_SIDE = 4
"""Connections used at a time for the queries of one question."""
EXACT: tuple[LiteralString, ...] = ("SET enable_indexscan = off",)
"""A graph that somebody made on the table must not answer: its answers are not exact."""
BY_GRAPH: tuple[LiteralString, ...] = (
    "SET enable_seqscan = off",
    "SET hnsw.iterative_scan = strict_order",
    "SET hnsw.max_scan_tuples = 2147483647",
)


class PostgresStore:
    """A table of vectors on a server, made when it is not there yet.

    The server finds the candidates; their cosines are then computed again from the vectors here, so
    that with `index=none` hits are those of exact search to the last bit. With `index=hnsw`, a
    search for which the server finds too few chunks is done again exactly here, and counted; the
    server draws the graph by chance, so a table that is made anew may give others.

    Args:
        vectors: One row of unit length for each chunk.
        layout: Where documents begin.
        identity: Hex digest of the encoder that made the vectors.
        settings: Which server, and how it searches.

    Raises:
        ValueError: Vectors of a wrong shape or length.
        UserError: The server is away, lacks pgvector, or holds something else under the name.
    """

    def __init__(
        self, vectors: NDArray[np.float32], layout: Layout, identity: str, settings: Postgres
    ) -> None:
        self.exact, self.layout, self.settings = DenseIndex(vectors, layout), layout, settings
        self._watched = Watched(self.exact)
        self._connections = Connections(settings.url_env, self._setup())
        rows = self.exact.vectors
        dimension = rows.shape[1]
        self._version = self._connections.run(lambda c: check_extension(c, settings, dimension))
        self.table = table(rows, layout, identity, settings)
        self._connections.run(lambda c: make(c, self.table, rows, layout, settings))

    @property
    def facts(self) -> dict[str, Any]:
        """What the manifest says of it: nothing of the connection string."""

        def ask(connection: Connection[Any]) -> tuple[str, int]:
            query = "SELECT pg_total_relation_size(to_regclass(%s))"
            found = connection.execute(query, [self.table.name]).fetchone()
            return str(connection.info.parameter_status("server_version")), int((found or [0])[0])

        version, held = self._connections.run(ask)
        facts: dict[str, Any] = {
            "kind": "pgvector",
            "index": self.settings.index,
            "postgresql": version,
            "pgvector": self._version,
            "table": self.table.name,
            "vector_bytes": self.exact.vectors.nbytes,
            "bytes": held,
        }
        if self.settings.index == "none":
            return facts
        graph = {key: getattr(self.settings, key) for key in ("m", "ef_construction", "ef_search")}
        return facts | graph | self._watched.facts(self)

    def measure(
        self,
        queries: Sequence[NDArray[np.float32]] | NDArray[np.float32] | None = None,
        documents: NDArray[np.int64] | None = None,
    ) -> dict[str, Any]:
        """Compare with exact search, on real questions best, see `Watched.measure`."""
        return self._watched.measure(self, queries, documents)

    def search(
        self, vector: NDArray[np.float32], depth: int, documents: NDArray[np.int64] | None = None
    ) -> Ranking:
        """Return the best chunks, see `VectorStore`; `UserError` when the server is away."""
        rows = self.exact.vectors
        query = checked_query(vector, rows.shape[1])
        chunks = size(runs(self.layout, documents))
        depth = checked_depth(depth, chunks)
        if depth == 0:
            return nothing()
        scope = None if documents is None else np.unique(documents).tolist()
        if self.settings.index == "none":
            return settled(lambda n: self._best(query, n, scope), rows, query, depth, chunks)
        found, _ = self._ask(query, min(depth + SPARE, chunks), scope)
        self._watched.count(fallback=len(found) < depth)
        if len(found) < depth:
            return self.exact.search(query, depth, documents)
        chunk, cosine = ordered(found, rows, query)
        return chunk[:depth], cosine[:depth]

    def cosines(self, vector: NDArray[np.float32], chunk: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the cosine of each chunk, see `VectorStore`."""
        return self.exact.cosines(vector, chunk)

    def rows(self, chunk: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the vectors of some chunks."""
        return self.exact.rows(chunk)

    def workers(self, documents: NDArray[np.int64] | None) -> int:  # noqa: ARG002
        """Waiting for a server costs nothing here."""
        return SIDE_BY_SIDE

    def close(self) -> None:
        """Let go of the connections; the table stays."""
        self._connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _setup(self) -> tuple[LiteralString, ...]:
        if self.settings.index == "none":
            return EXACT
        return BY_GRAPH

    def _best(
        self, query: NDArray[np.float32], count: int, documents: list[int] | None
    ) -> tuple[NDArray[np.int64], float]:
        chunk, score = self._ask(query, count, documents)
        if len(chunk) < count:
            raise UserError(
                f"the table {self.table.name} gave {len(chunk)} of {count} chunks: somebody "
                "changed it; drop it, and it is made anew"
            )
        return chunk, float(score.min())

    def _ask(
        self, query: NDArray[np.float32], count: int, documents: list[int] | None
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the chunks that the server finds, and their inner products in float32."""
        from psycopg import sql

        where = sql.SQL("" if documents is None else "WHERE document = ANY(%(documents)s)")
        # `<#>` is the negative inner product; `<=>` would divide by lengths that are not quite 1.
        ask = sql.SQL(
            "SELECT chunk, -(vector <#> %(query)s::vector) FROM {table} {where} "
            "ORDER BY vector <#> %(query)s::vector LIMIT %(count)s"
        ).format(table=sql.Identifier(self.table.name), where=where)
        given = {"query": str(query.tolist()), "count": count, "documents": documents}

        def run(connection: Connection[Any]) -> list[tuple[int, float]]:
            if self.settings.index == "none":
                return connection.execute(ask, given).fetchall()
            with connection.transaction():
                # Not at the connection's beginning: psycopg takes no parameters in SET.
                wanted = str(min(max(self.settings.ef_search, count), 1000))
                connection.execute("SELECT set_config('hnsw.ef_search', %s, true)", [wanted])
                return connection.execute(ask, given).fetchall()

        found = np.array(self._connections.run(run), np.float64).reshape(-1, 2)
        return found[:, 0].astype(np.int64), found[:, 1]
