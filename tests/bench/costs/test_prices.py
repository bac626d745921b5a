"""Prices: a dated table with sources, and a spec's own before it."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from bench.costs.prices import DEFAULT, Price, Prices, table
from bench.spec import SpecError, check

CONTENT = {
    **{"name": "x", "datasets": ["d"], "chunkers": ["fixed[size=9]"]},
    "grids": [{"strategy": "topk"}],
}


def test_every_price_of_the_table_has_a_day_and_a_source():
    assert len(table()) > 5
    for name, price in table().items():
        assert price.as_of is not None, name
        assert "." in price.source, name


def test_own_prices_come_first():
    own = Prices(models={"gpt-4o-mini": Price(input=7)})
    assert own.of("gpt-4o-mini") == Price(input=7)
    assert own.of("gpt-4o") == table()["gpt-4o"]
    assert own.of("nobody's") is None
    assert own.used(["nobody's", "gpt-4o-mini"]) == {"gpt-4o-mini": Price(input=7)}


def test_a_spec_may_name_a_model_and_its_price():
    own = {"reader": "local", "models": {"local": {"input": 0, "output": 0.5}}}
    spec = check({**CONTENT, "prices": own}, "here")
    assert spec.prices.of("local") == Price(input=0, output=0.5)
    assert check(CONTENT, "here").prices == DEFAULT


@pytest.mark.parametrize(
    ("prices", "said"),
    [
        ({"reader": "gpt-9"}, r"no price for what 'gpt-9' reads: .*one of gpt-4o-mini"),
        ({"reader": "rerank-v3.5"}, r"no price for what 'rerank-v3.5' reads"),
        ({"models": {"m": {"input": -1}}}, r"prices\.models\.m\.input: .*greater than or equal"),
        ({"models": {"m": {"input": ".nan"}}}, r"prices\.models\.m\.input"),
        (
            {"models": {"m": {"inputs": 1}}},
            r"unknown key 'prices\.models\.m\.inputs'; there are: input, output",
        ),
        ({"readr": "x"}, r"unknown key 'prices\.readr'; there are: reader, models"),
        ({"models": {"m": {}}}, r"a price needs input, output or search"),
    ],
)
def test_what_is_no_price_is_told_with_its_place(prices, said):
    with pytest.raises(SpecError, match=said):
        check({**CONTENT, "prices": prices}, "here")


def test_numbers_are_finite():
    with pytest.raises(ValidationError):
        Price(input=float("nan"))
