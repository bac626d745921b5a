"""Prices of models: those a spec gives, else those of a small dated table."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator


class Price(BaseModel):
    """What a model costs, in US dollars; a unit that it is not sold by has no price."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    input: float | None = Field(None, ge=0, description="Per million tokens it reads.")
    output: float | None = Field(None, ge=0, description="Per million tokens it writes.")
    search: float | None = Field(None, ge=0, description="Per thousand searches.")
    as_of: date | None = Field(None, strict=False, description="The day the price was read.")
    source: str = ""

    @model_validator(mode="after")
    def _something(self) -> Price:
        if self.input is None and self.output is None and self.search is None:
            raise ValueError("a price needs input, output or search")
        return self


class Prices(BaseModel):
    """What a spec says of prices; models it does not name have those of the table."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    reader: str = Field("gpt-4o-mini", description="The model that reads the context.")
    models: dict[str, Price] = Field({}, description="Prices of your own, by model.")

    @model_validator(mode="after")
    def _known(self) -> Prices:
        price = self.of(self.reader)
        if price is None or price.input is None:
            known = [name for name, one in table().items() if one.output is not None]
            raise ValueError(
                f"no price for what {self.reader!r} reads: give `models: "
                f"{{{self.reader}: {{input: ...}}}}` in dollars per million tokens, or name one "
                f"of {', '.join(known)}"
            )
        return self

    def of(self, model: str) -> Price | None:
        """Return a model's price; None: nobody has said it."""
        return self.models.get(model, table().get(model))

    def used(self, models: list[str]) -> dict[str, Price]:
        """Return the prices of some models, as far as they are known, to be kept with a result."""
        found = {model: self.of(model) for model in models}
        return {model: price for model, price in found.items() if price is not None}


@cache
def table() -> Mapping[str, Price]:
    """Return the prices that come with the package."""
    path = Path(__file__).with_name("table.yaml")
    rows = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {name: Price.model_validate(row) for name, row in rows.items()}


DEFAULT = Prices()  # type: ignore[call-arg]
