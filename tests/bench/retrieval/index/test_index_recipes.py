"""How searching is named in a spec, and what is refused."""

from __future__ import annotations

import pytest

from bench.arms import build, label, parse
from bench.retrieval.index.flat import DenseIndex
from bench.retrieval.index.make import store
from bench.retrieval.index.recipes import HNSW, IVF, Postgres
from rse.checks import ParameterError
from tests.bench.retrieval.index.corpora import layout, units

KINDS = {"hnsw": HNSW, "ivf": IVF, "pgvector": Postgres}


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("hnsw", "hnsw"),
        ("hnsw[ef_search=64]", "hnsw[ef_search=64]"),
        ("ivf[probes=32, lists=100]", "ivf[lists=100]"),
        ("pgvector[index=none]", "pgvector"),
        ("pgvector[index=hnsw,m=8]", "pgvector[index=hnsw,m=8]"),
    ],
)
def test_a_name_says_what_differs_from_the_default(text, canonical):
    name, parameters = parse(text)
    assert label(name, build("index", KINDS, name, parameters)) == canonical


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hnsw[m=1]", "hnsw: m must be a whole number of 2 or more, got 1"),
        ("hnsw[efsearch=9]", "no parameter 'efsearch'; there are: m, ef_construction, ef_search"),
        ("hnsw[ef_search=0.5]", "ef_search must be a whole number"),
        ("ivf[probes=0]", "probes must be a whole number of 1 or more"),
        ("ivf[lists=-1]", "lists must be a whole number of 0 or more"),
        ("pgvector[index=ivf]", "index must be one of none, hnsw, got 'ivf'"),
        ("pgvector[m=101]", "m must be at most 100"),
        ("pgvector[ef_construction=31]", "ef_construction must be a whole number of 32 or more"),
        ("pgvector[ef_search=1001]", "ef_search must be at most 1000"),
    ],
)
def test_what_cannot_be_is_refused(text, message):
    name, parameters = parse(text)
    with pytest.raises(ParameterError, match=message):
        build("index", KINDS, name, parameters)


def test_a_connection_string_in_place_of_its_variable_is_not_repeated():
    with pytest.raises(ParameterError, match="name of an environment variable") as caught:
        Postgres(url_env="postgresql://me:horse@host/things")
    assert "horse" not in str(caught.value)


def test_without_settings_search_is_exact():
    assert isinstance(store(None, units(3, 4), layout(3), "0"), DenseIndex)
