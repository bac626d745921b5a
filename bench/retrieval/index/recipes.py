"""Other ways to search vectors, as specs name them behind a retriever: `minilm+hnsw[m=16]`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rse.checks import ParameterError, named, whole

PG_INDEXES = ("none", "hnsw")


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class HNSW:
    """Approximate search in a graph of neighbours, built by faiss (Malkov and Yashunin 2016)."""

    m: int = 32
    """Neighbours of a vector in the graph; twice as many on its ground floor."""

    ef_construction: int = 100
    """Candidates looked at to place a vector; more: a better graph, built more slowly."""

    ef_search: int = 128
    """Candidates looked at for a query, the depth at least; more: better found, more slowly."""

    def __post_init__(self) -> None:
        whole("m", self.m, 2)
        whole("ef_construction", self.ef_construction, 1)
        whole("ef_search", self.ef_search, 1)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class IVF:
    """Approximate search in the lists nearest to a query, of those k-means made; by faiss."""

    lists: int = 0
    """Lists the vectors are put into, at most one each; 0: 4 times the square root of their
    number."""

    probes: int = 32
    """Lists searched for a query, at most all."""

    def __post_init__(self) -> None:
        whole("lists", self.lists, 0)
        whole("probes", self.probes, 1)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Postgres:
    """Search by a PostgreSQL server with the extension pgvector."""

    url_env: str = "RSE_BENCH_POSTGRES"
    """Name of the environment variable that holds the connection string."""

    index: str = "none"
    """`none`: exact; `hnsw`: approximate, by the server's graph of neighbours."""

    m: int = 16
    """As in `hnsw`, 2 to 100."""

    ef_construction: int = 64
    """As in `hnsw`, twice `m` to 1000."""

    ef_search: int = 100
    """As in `hnsw`, 1 to 1000; the server goes on looking where that finds too few."""

    def __post_init__(self) -> None:
        if not isinstance(self.url_env, str) or not re.fullmatch(r"[A-Za-z_]\w*", self.url_env):
            # What was given is not shown: whoever puts the string itself here shows a password.
            raise ParameterError(
                "url_env must be the name of an environment variable, such as RSE_BENCH_POSTGRES; "
                "the connection string itself belongs into that variable"
            )
        if self.index not in PG_INDEXES:
            raise ParameterError(
                f"index must be one of {', '.join(PG_INDEXES)}, got {self.index!r}"
            )
        _within("m", self.m, 2, 100)
        _within("ef_construction", self.ef_construction, 2 * self.m, 1000)
        _within("ef_search", self.ef_search, 1, 1000)


Settings = HNSW | IVF | Postgres


def _within(name: str, value: object, least: int, most: int) -> None:
    whole(name, value, least)
    if isinstance(value, int) and value > most:
        raise ParameterError(f"{name} must be at most {most}, got {value}")
