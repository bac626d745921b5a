"""Made-up questions that look like retrieved ones; seeded, so every run measures the same."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.metrics.selections import Ground, Targets
from rse import Hits, Layout

SEED = 3
DEPTH = 200
"""Hits of each query."""
BEST, LEAST, FALL = 0.75, 0.2, 40.0
"""Similarities fall from the first to the second, exponentially over so many ranks."""
CHARACTERS_PER_TOKEN = 4.5


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the table: what a question looks like and who answers it."""

    preset: str
    chunks: int
    """Chunks of the meta-document: of all documents that hold a hit, up to its last one."""
    documents: int
    queries: int
    depth: int = DEPTH


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What every contender is given."""

    hits: tuple[Hits, ...]
    layout: Layout
    ground: Ground
    gold: Targets


def questions(case: Case, count: int) -> list[Question]:
    """Make `count` questions over one corpus; cases that differ in the preset share them."""
    layout = _layout(case)
    ground = _ground(layout)
    return [_question(case, number, layout, ground) for number in range(count)]


def _generator(case: Case, *more: int) -> np.random.Generator:
    return np.random.default_rng([SEED, case.chunks, case.documents, case.queries, *more])


def _layout(case: Case) -> Layout:
    """Documents of uneven size; chunks as a recursive splitter of 800 characters leaves them."""
    rng = _generator(case)
    share = rng.dirichlet(np.full(case.documents, 2.0))
    sizes = 1 + rng.multinomial(case.chunks - case.documents, share)
    length = rng.integers(350, 1000, case.chunks, dtype=np.int32)
    tokens = np.rint(length / CHARACTERS_PER_TOKEN).astype(np.int64)
    return Layout(np.concatenate(([0], np.cumsum(sizes))), length, tokens)


def _ground(layout: Layout) -> Ground:
    reach = np.cumsum(layout.length)
    begin = np.concatenate(([0], reach))[layout.start[:-1]]
    reach = reach - np.repeat(begin, np.diff(layout.start))
    assert layout.token_sum is not None  # noqa: S101
    return Ground(reach - layout.length, reach, layout.token_sum)


def _question(case: Case, number: int, layout: Layout, ground: Ground) -> Question:
    """Queries of one question look partly at the same places, as rephrasings do."""
    rng = _generator(case, number)
    centres = _centres(rng, layout, case.depth)
    hits = []
    for query in range(case.queries):
        own = _centres(rng, layout, case.depth)
        places = np.where(rng.random(case.depth) < 0.5, centres, own)
        last = layout.start[1:] - 1  # of each document: dsRAG counts chunks up to the last hit
        hits.append(_hits(rng, layout, places, last[query :: case.queries], case.depth))
    return Question(tuple(hits), layout, ground, _gold(rng, layout, ground, centres))


def _centres(rng: np.random.Generator, layout: Layout, count: int) -> NDArray[np.int64]:
    """Draw where relevant passages stand: few documents hold most of them."""
    documents = len(layout.start) - 1
    weight = 0.8 * rng.dirichlet(np.full(documents, 0.3)) + 0.2 / documents
    document = rng.choice(documents, size=count, p=weight)
    return rng.integers(layout.start[document], layout.start[document + 1])


def _hits(
    rng: np.random.Generator,
    layout: Layout,
    places: NDArray[np.int64],
    needed: NDArray[np.int64],
    depth: int,
) -> Hits:
    """Return hits in neighbourhoods around `places`, and those `needed` among them."""
    relevance = dict(zip(needed.tolist(), rng.normal(0.1, 0.1, len(needed)).tolist(), strict=True))
    turn = 0
    while len(relevance) < depth:
        centre = int(places[turn % depth])
        strength = rng.beta(2, 4) + 0.3
        document = int(layout.document(centre))
        low, high = layout.start[document], layout.start[document + 1] - 1
        near = centre + np.rint(rng.laplace(0, 2.5, rng.integers(2, 12))).astype(np.int64)
        for chunk in np.clip(near, low, high).tolist()[: depth - len(relevance)]:
            found = strength - 0.04 * abs(chunk - centre) + rng.normal(0, 0.08)
            relevance[chunk] = max(found, relevance.get(chunk, found))
        turn += 1
        if turn % depth == 0:  # the neighbourhoods are full: look elsewhere
            places = rng.integers(0, len(layout), depth)
    order = sorted(relevance, key=lambda chunk: -relevance[chunk])
    return Hits(np.array(order, np.int64), _similarities(rng, depth))


def _similarities(rng: np.random.Generator, depth: int) -> NDArray[np.float64]:
    """Draw what cosines of a small embedding model look like, by rank."""
    curve = LEAST + (BEST - LEAST) * np.exp(-np.arange(depth) / FALL)
    return np.sort(np.clip(curve + rng.normal(0, 0.03, depth), 0, 1))[::-1]


def _gold(
    rng: np.random.Generator, layout: Layout, ground: Ground, centres: NDArray[np.int64]
) -> Targets:
    """Place one to three passages of one to three chunks where relevant passages stand."""
    rows = []
    for number, centre in enumerate(centres[: rng.integers(1, 4)].tolist()):
        document = int(layout.document(centre))
        low, high = layout.start[document], layout.start[document + 1]
        last = min(centre + int(rng.integers(0, 3)), int(high) - 1)
        span = ground.start[centre] + 50, ground.reach[last] - 50
        rows.append((number, document, low, high, *span))
    return Targets(*np.array(rows, np.int64).T.copy())
