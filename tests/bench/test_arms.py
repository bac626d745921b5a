"""Names of arms: canonical, read back as written, and clear when wrong."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bench.arms import Arm, label, parse
from bench.catalog import calibration, chunker, retriever, strategy
from bench.retrieval.recipe import Header, Hybrid, MiniLM, Recipe
from bench.scores import pieces
from rse.checks import ParameterError


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("rse", "rse"),
        ("rse[preset=balanced]", "rse"),
        ("rse[irrelevant_chunk_penalty=0.2,minimum_value=0.7]", "rse[preset=precision]"),
        ("rse[preset=precision, minimum_value=0.5]", "rse[irrelevant_chunk_penalty=0.2]"),
        ("rse[preset=find_all]", "rse[preset=find_all]"),
        ("rse[chunk_length_adjustment=false]", "rse[chunk_length_adjustment=false]"),
        ("topk[k=10]", "topk"),
        (" topk [ k = 5 ] ", "topk[k=5]"),
        ("topk[]", "topk"),
        ("optimal[segment_cost=0.3]", "optimal[segment_cost=0.3]"),
        (
            "optimal[preset=precision,segment_cost=0.3]",
            "optimal[preset=precision,segment_cost=0.3]",
        ),
        ("rse[decay_rate=30.0]", "rse"),
        ("oracle[tokens=1000]", "oracle"),
        ("random[seed=3,k=10]", "random[seed=3]"),
        ("rse[decay_rate=1e9]", "rse[decay_rate=1e+09]"),
        ("rse[irrelevant_chunk_penalty=1e-05]", "rse[irrelevant_chunk_penalty=1e-05]"),
        ("rse[minimum_value=0.123456789]", "rse[minimum_value=0.123456789]"),
    ],
)
def test_canonical_name_and_round_trip(given, name):
    found, made = strategy(given)
    assert found == name
    assert strategy(name) == (name, made)


def test_other_parts():
    assert chunker("recursive[size=800]")[0] == "recursive[size=800]"
    assert chunker("fixed[unit=characters,overlap=0,size=9]")[0] == "fixed[size=9]"
    assert calibration("minmax")[0] == "minmax"
    assert retriever("minilm[long=windows]") == ("minilm", Recipe(MiniLM()))
    assert retriever("minilm[long=cut]") == (
        "minilm[long=cut]",
        Recipe(MiniLM(long="cut")),
    )
    assert retriever("hybrid[weight=0.3, fusion=weighted] + header") == (
        "hybrid[fusion=weighted,weight=0.3]+header",
        Recipe(Hybrid(fusion="weighted", weight=0.3), (Header(),)),
    )
    assert str(Arm("topk", "none", "fixed[size=9]", "minilm")) == (
        "topk / none / fixed[size=9] / minilm"
    )


def test_parse_reads_values_as_yaml():
    assert parse("a[b=1,c=0.5,d=true,e=word]") == ("a", {"b": 1, "c": 0.5, "d": True, "e": "word"})
    assert parse("a[b=1e3,c=-2.5E-1]") == ("a", {"b": 1000.0, "c": -0.25})


@pytest.mark.parametrize(
    ("make", "given", "message"),
    [
        (strategy, "top k", "cannot read 'top k'; write it like"),
        (strategy, "", "cannot read ''"),
        (strategy, "topk[k]", "cannot read 'k' in .* write parameter=value"),
        (strategy, "topk[k=]", "cannot read 'k='"),
        (strategy, "topk[k=1,k=2]", "sets k twice"),
        (strategy, "topk[k={]", "cannot read the value of k"),
        (strategy, "topk[k=2024-99-99]", "k must be a whole number of 1 or more, got '2024-99"),
        (strategy, "nope", "no strategy 'nope'; there are: topk, rse, optimal, "),
        (strategy, "topk[n=1]", "topk: .*no parameter 'n'; there are: k"),
        (strategy, "rse[irelevant_chunk_penalty=0.4]", "there are: irrelevant_chunk_penalty, "),
        (strategy, "rse[preset=precise]", "there are: balanced, precision, find_all"),
        (strategy, "rse[irrelevant_chunk_penalty=-0.1]", "irrelevant_chunk_penalty must be"),
        (strategy, "rse[decay_rate=0]", "decay_rate must be a number above 0"),
        (strategy, "rse[max_length=0]", "max_length must be"),
        (strategy, "rse[minimum_value='0.5']", "minimum_value must be a number"),
        (calibration, "nope", "no scores 'nope'; there are: none, minmax, max, beta"),
        (chunker, "nope", "no chunker 'nope'; there are: fixed, recursive"),
        (retriever, "nope", "no retriever 'nope'; there are: minilm, e5, dense, openai, bm25"),
        (retriever, "minilm[short=1]", "no parameter 'short'; there are: long"),
        (retriever, "minilm[long=1]", "must be one of windows, error, cut"),
        (retriever, "minilm+foot", "no stage of a retriever 'foot'; there are: titles, header"),
        (retriever, "minilm+header+header", "a stage is named twice"),
        (retriever, "minilm+", r"cannot read .minilm\+.; write it like minilm \+ header"),
        (retriever, "hybrid[fusion=sum]", "fusion must be one of rrf, weighted, got 'sum'"),
        (retriever, "hybrid[weight=2]", "weight must be a number from 0 to 1, got 2"),
        (retriever, "bm25[b=-1]", "b must be a number from 0 to 1, got -1"),
    ],
)
def test_says_what_would_work(make, given, message):
    with pytest.raises(ParameterError, match=message) as error:
        make(given)
    assert "\n" not in str(error.value)


def test_missing_parameter_is_named():
    with pytest.raises((ParameterError, TypeError), match="size"):
        chunker("fixed")


@pytest.mark.parametrize(
    "value",
    ["query: ", "5", "true", "null", "a,b", "x[1]", "x[1", "]x[", "a / b", "a+b", "", " x", "#x",
     "a\\b", "中文: ", 'say "x"', "'q'", "two\nlines", "http://127.0.0.1:8000/v1",
     "/some where/model"],
)  # fmt: skip
def test_any_text_can_be_a_value(value):
    @dataclass
    class Part:
        word: str

    name = label("part", Part(value))
    assert parse(name) == ("part", {"word": value})
    assert pieces(f"{name} + {name}") == [f"{name} ", f" {name}"]
    assert " / " not in name
