"""What a dataset is made of: the figures of `rse-bench data check`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bench.chunking import Chunker
from bench.data.coverage import Unknown, UnknownShares, unknown_shares
from bench.types import Dataset, Question


class Lengths(NamedTuple):
    """How long the gold of questions is, in characters of each passage's first alternative."""

    median: float
    p90: float
    longest: int


@dataclass(frozen=True, slots=True)
class Inspection:
    """Everything counted."""

    name: str
    revision: str
    documents: int
    empty_documents: int
    duplicate_documents: int
    characters: int
    longest_document: int
    single_chunk_documents: int
    questions: int
    with_gold: int
    excluded: dict[str, int]
    """Questions left out, by reason."""
    passages: int
    several_passages: int
    """Questions with more than one passage."""
    several_places: int
    """Passages with more than one alternative."""
    gold: Lengths | None
    located: int
    repaired: int
    ambiguous: int
    unmatched: int
    unknown: UnknownShares
    notes: tuple[str, ...]

    @property
    def without_gold(self) -> int:
        """Questions that are asked but whose recall is undefined."""
        return self.questions - self.with_gold


def inspect(dataset: Dataset, chunker: Chunker, unknown: Unknown) -> Inspection:
    """Count what a reader of results should know of a dataset.

    Args:
        dataset: What to look at.
        chunker: Cuts documents, to see which give a single chunk.
        unknown: Counts the tokens an encoder does not know.
    """
    documents = list(dataset.documents.values())
    filled = [document for document in documents if document.text.strip()]
    asked = dataset.questions
    passages = [passage for question in asked for passage in question.gold]
    return Inspection(
        name=dataset.name,
        revision=dataset.revision,
        documents=len(documents),
        empty_documents=len(documents) - len(filled),
        duplicate_documents=len(filled) - len({document.text for document in filled}),
        characters=sum(len(document.text) for document in documents),
        longest_document=max((len(document.text) for document in documents), default=0),
        single_chunk_documents=sum(len(chunker.cut(one).spans) == 1 for one in filled),
        questions=len(asked),
        with_gold=sum(bool(question.gold) for question in asked),
        excluded=dict(Counter(dataset.excluded.values()).most_common()),
        passages=len(passages),
        several_passages=sum(len(question.gold) > 1 for question in asked),
        several_places=sum(len(passage) > 1 for passage in passages),
        gold=_lengths(asked),
        **dataset.evidence._asdict(),
        unknown=unknown_shares(dataset, unknown),
        notes=dataset.notes,
    )


def counts(found: Inspection) -> dict[str, int | str]:
    """Return what a card says of a dataset: a load that differs in any of it is another set."""
    return {
        "documents": found.documents,
        "questions": found.questions,
        "with_gold": found.with_gold,
        "excluded": sum(found.excluded.values()),
        "passages": found.passages,
        "located": found.located,
        "repaired": found.repaired,
        "ambiguous": found.ambiguous,
        "unmatched": found.unmatched,
        "revision": found.revision,
    }


def differences(found: Inspection, expected: Mapping[str, int | str]) -> Iterator[str]:
    """Yield how the counts differ from those of a card."""
    seen = counts(found)
    for key, wanted in expected.items():
        if seen.get(key) != wanted:
            yield f"{key}: {seen.get(key)} found, {wanted} on the card"


def _lengths(questions: Iterable[Question]) -> Lengths | None:
    gold = [
        sum(passage[0].end - passage[0].start for passage in question.gold)
        for question in questions
        if question.gold
    ]
    if not gold:
        return None
    return Lengths(float(np.median(gold)), float(np.percentile(gold, 90)), max(gold))
