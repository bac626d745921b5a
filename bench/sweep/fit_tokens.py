"""`rse-bench fit-tokens`: set a preset's one knob so that it spends so many tokens."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.arms import parse
from bench.catalog import calibration, chunker, retriever, strategy
from bench.data.own.documents import read_folder
from bench.data.own.questions import read_questions
from bench.errors import UserError
from bench.progress import Progress
from bench.stats.bootstrap import Draws
from bench.summary.frontiers import KNOBS
from bench.sweep.measure import COLUMNS, measure
from bench.sweep.pool import Floats
from bench.sweep.prepare import held
from bench.sweep.searched import Searched, Wanted
from bench.types import Dataset, Question

RANGES: Mapping[str, Sequence[float]] = {
    "irrelevant_chunk_penalty": [float(f"{x:.4g}") for x in np.geomspace(0.005, 1, 61)],
    "token_price": [float(f"{x:.4g}") for x in np.geomspace(1e-7, 0.05, 61)],
}
"""Values of a knob tried first; every whole number up to the depth for the others."""
ROUNDS, POINTS = 4, 9
"""Then so many times, so many values between the two that the target lies between."""
TOKENS, SEGMENTS = COLUMNS.index("tokens"), COLUMNS.index("segments")


class Target(NamedTuple):
    """What is to be fitted, and to what."""

    tokens: int
    """Mean tokens wanted."""
    strategy: str
    scores: str
    chunker: str
    retriever: str
    depth: int = 200


class Fit(NamedTuple):
    """The knob's value, and what it gives on these queries."""

    strategy: str
    """Name with the knob set."""
    scores: str
    knob: str
    value: float
    queries: int
    mean_tokens: float
    low: float
    high: float
    """95 % bootstrap interval of the mean."""
    p95_tokens: float
    empty_rate: float


def fit_tokens(dataset: Dataset, target: Target, progress: Progress) -> Fit:
    """Fit the knob of a strategy on queries without gold.

    Args:
        dataset: Documents and queries.
        target: What to fit.
        progress: Shows how far it is.

    Raises:
        UserError: The strategy has no knob, or none of its values gives so many tokens.
    """
    knob = _knob(target)
    _, scores = calibration(target.scores)
    from bench.scores import neighbours_needed

    vectors = bool(getattr(strategy(target.strategy)[1], "needs_vectors", False))
    wanted = Wanted(target.depth, neighbours_needed(scores), vectors)
    name = f"{chunker(target.chunker)[0]} / {retriever(target.retriever)[0]}"
    searched = held(dataset, name, wanted, None, progress).searched
    value, values = _search(searched, target, knob)
    tokens = values[:, TOKENS]
    mean = Draws(range(len(tokens)), 0).interval(tokens)
    return Fit(
        _named(target, knob, value),
        calibration(target.scores)[0],
        knob,
        value,
        len(tokens),
        *mean,
        float(np.percentile(tokens, 95)),
        float((values[:, SEGMENTS] == 0).mean()),
    )


def queries_over(docs: Path, queries: Path) -> Dataset:
    """Read a folder of documents and a file of queries: one a line, or JSONL or CSV.

    Raises:
        DatasetError: There is no document, or the file is none of these.
        UserError: There is no query.
    """
    documents = dict(read_folder(docs, [queries]).documents)
    if queries.suffix.lower() == ".txt":
        try:
            lines = queries.read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"cannot read the queries {queries}: {error}") from None
        texts = [line.strip() for line in lines if line.strip()]
    else:
        texts = [asked.text for asked in read_questions(queries)]
    if not texts:
        raise UserError(f"{queries} holds no query; write one a line")
    asked = tuple(Question(f"q{number}", text) for number, text in enumerate(texts, start=1))
    digest = hashlib.sha256()
    for part in (*(f"{key}\0{one.text}" for key, one in documents.items()), *texts):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return Dataset(docs.resolve().name, digest.hexdigest()[:16], documents, asked)


def _knob(target: Target) -> str:
    name = parse(target.strategy)[0]
    strategy(target.strategy)
    if name == "topk":
        return "k"
    if name not in KNOBS:
        raise UserError(
            f"{name} has no one knob that says how much it spends; these have: "
            f"{', '.join(['topk', *KNOBS])}"
        )
    return KNOBS[name]


def _search(searched: Searched, target: Target, knob: str) -> tuple[float, Floats]:
    """Return the value whose mean tokens are nearest to the target, and what it gives."""
    whole = knob not in RANGES
    tried: Sequence[float] = range(1, target.depth + 1) if whole else RANGES[knob]
    found: dict[float, Floats] = {}
    for _ in range(1 if whole else ROUNDS):
        found |= _measured(searched, target, knob, tried)
        below, above = _around(found, target.tokens)
        tried = np.geomspace(below, above, POINTS + 2)[1:-1].tolist()
        tried = [float(f"{value:.4g}") for value in tried]
    means = {value: float(rows[:, TOKENS].mean()) for value, rows in found.items()}
    least, most = min(means.values()), max(means.values())
    if not least <= target.tokens <= most:
        raise UserError(
            f"{target.strategy} / {target.scores} spends {least:,.0f} to {most:,.0f} mean tokens "
            f"here, whatever its {knob}; {target.tokens:,} is out of its reach"
        )
    best = min(means, key=lambda value: (abs(means[value] - target.tokens), means[value]))
    return best, found[best]


def _around(found: Mapping[float, Floats], tokens: int) -> tuple[float, float]:
    """Return the two neighbouring values that the target lies between; the nearest at an end."""
    values = sorted(found)
    means = [float(found[value][:, TOKENS].mean()) for value in values]
    pairs = [
        (abs(means[i] - means[i + 1]), values[i], values[i + 1])
        for i in range(len(values) - 1)
        if min(means[i : i + 2]) <= tokens <= max(means[i : i + 2])
    ]
    if not pairs:
        nearest = min(range(len(values)), key=lambda i: abs(means[i] - tokens))
        return values[max(nearest - 1, 0)], values[min(nearest + 1, len(values) - 1)]
    return min(pairs)[1:]


def _measured(
    searched: Searched, target: Target, knob: str, tried: Sequence[float]
) -> dict[float, Floats]:
    names = [_named(target, knob, value) for value in tried]
    values, errors = measure(searched, target.scores, names)
    if errors:
        raise UserError(f"{names[min(errors)]}: {errors[min(errors)]}")
    return dict(zip(tried, values, strict=True))


def _named(target: Target, knob: str, value: float) -> str:
    changes: dict[str, Any] = {knob: value}
    return strategy(target.strategy, changes)[0]
