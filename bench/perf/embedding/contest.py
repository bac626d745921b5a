"""Forms of one model side by side: in turns, on the same texts, against the same vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from math import nan
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError
from bench.perf.timing import Contender, Times, take_turns
from bench.retrieval.embedders.computing import Computing

TOP = 10
"""Neighbours compared."""


class Model(Protocol):
    """What is timed."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row of unit length for each text."""
        ...


Make = Callable[[int, Computing], Model]
"""Makes the model, told the batch and how to compute."""


@dataclass(frozen=True, slots=True)
class Form:
    """A way to run the model."""

    name: str
    batch: int
    computing: Computing


FORMS = (
    Form("torch float32", 2, Computing()),
    Form("torch float32", 8, Computing()),
    Form("torch float32", 32, Computing()),
    Form("onnx float32", 8, Computing(backend="onnx")),
    Form("torch bfloat16", 8, Computing(dtype="bfloat16", emulate=True)),
)
EXACT = FORMS[1]
"""The default, which the others are compared with."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one form does."""

    form: Form
    why: str = ""
    """Why it cannot be had here; empty: it can."""
    rate: float = nan
    """Texts a second, by the median of the calls."""
    slow: float = nan
    """19 of 20 calls were at least as fast."""
    fast: float = nan
    """The fastest call."""
    cosine: float = nan
    """Least cosine of a vector with the exact one."""
    overlap: float = nan
    """Mean share of the exact nearest texts that are among its own nearest."""
    n: int = 0
    """Calls timed."""

    def as_dict(self) -> dict[str, Any]:
        """Return what a JSON file holds of it."""
        return asdict(self)


def contest(
    texts: Sequence[str], make: Make, *, block: int, seconds: float, most: int = 200
) -> list[Row]:
    """Measure every form that can be had here.

    Args:
        texts: What to embed; whole blocks of them are timed.
        make: Makes the model.
        block: Texts in a call.
        seconds: No round begins after so long, but each block is timed once for each form.
        most: Rounds at most.
    """
    models: dict[Form, Model] = {}
    why: dict[Form, str] = {}
    for form in FORMS:
        try:
            models[form] = make(form.batch, form.computing)
            models[form].encode(texts[:2])
        except UserError as error:
            models.pop(form, None)
            why[form] = str(error)
    rows = {form: model.encode(texts) for form, model in models.items()}
    times = _timed(models, texts, block=block, seconds=seconds, most=most)
    found = []
    for form in FORMS:
        if form in why:
            found.append(Row(form, why[form]))
        else:
            found.append(_row(form, times[form], block, rows[form], rows[EXACT]))
    return found


def _timed(
    models: Mapping[Form, Model], texts: Sequence[str], *, block: int, seconds: float, most: int
) -> dict[Form, Times]:
    blocks = [texts[a : a + block] for a in range(0, len(texts) - block + 1, block)]
    contenders = {
        f"{form.name} {form.batch}": Contender(
            [partial(model.encode, some) for some in blocks], slow=True
        )
        for form, model in models.items()
    }
    times = take_turns(contenders, seconds=seconds, most=most)
    return {form: times[f"{form.name} {form.batch}"] for form in models}


def _row(
    form: Form, times: Times, block: int, rows: NDArray[np.float32], exact: NDArray[np.float32]
) -> Row:
    return Row(
        form,
        rate=block * 1e6 / times.median,
        slow=block * 1e6 / times.p95,
        fast=block * 1e6 / times.least,
        cosine=float(np.einsum("ij,ij->i", rows, exact, dtype=np.float64).min()),
        overlap=overlap(rows, exact),
        n=times.n,
    )


def overlap(rows: NDArray[np.float32], exact: NDArray[np.float32]) -> float:
    """Return the mean share of the exact nearest `TOP` of a text that `rows` find as well."""
    found, wanted = nearest(rows), nearest(exact)
    shared = [len(np.intersect1d(a, b)) for a, b in zip(found, wanted, strict=True)]
    return float(np.mean(shared) / found.shape[1])


def nearest(rows: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the `TOP` nearest of each row but itself; ties go to the first."""
    cosines = rows.astype(np.float64) @ rows.astype(np.float64).T
    np.fill_diagonal(cosines, -np.inf)
    order = np.argsort(-cosines, axis=1, kind="stable")
    return order[:, : min(TOP, len(rows) - 1)]
