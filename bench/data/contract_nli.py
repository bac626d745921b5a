"""ContractNLI: what 61 non-disclosure agreements say of 17 statements; the development file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from bench.data.assemble import assemble
from bench.data.cards import card, raw_folder
from bench.data.errors import DatasetError
from bench.data.normal import OffsetMap, normalise
from bench.data.rows import check_files, read
from bench.types import Dataset, Document, Evidence, Passage, Question, Span

NAME = "contract_nli"
FILE = "dev.json"


class Annotation(BaseModel):
    """What a contract says of a statement; `spans` are numbers of the contract's spans."""

    choice: Literal["Entailment", "Contradiction", "NotMentioned"]
    spans: list[int]


class Annotations(BaseModel):
    """The annotations of a contract by the statement's label."""

    annotations: dict[str, Annotation]


class Contract(BaseModel):
    """A contract, and the characters of its sentences and list items: start, end (exclusive)."""

    id: str | int
    file_name: str
    text: str
    spans: list[tuple[int, int]]
    annotation_sets: list[Annotations] = Field(min_length=1)


class Label(BaseModel):
    """A statement about contracts."""

    hypothesis: str


class Release(BaseModel):
    """The whole file."""

    documents: list[Contract]
    labels: dict[str, Label]


def load(raw: Path | None) -> Dataset:
    """Load 61 contracts and 1,037 pairs of contract and statement, 614 of them with gold.

    The statement is the query, asked of its own contract; spans that follow one another in the
    contract are one passage. Statements that a contract does not mention are asked without gold.

    Raises:
        DatasetError: No raw files, or other bytes than those of the pinned revision.
    """
    folder = raw_folder(raw, NAME, FILE)
    check_files(folder, {FILE: card(NAME)["sha256"][FILE]})
    release = read(folder / FILE, Release)
    documents = [
        Document(str(contract.id), normalise(contract.text), contract.file_name)
        for contract in release.documents
    ]
    asked = [
        question
        for contract in release.documents
        for question in _questions(contract, release.labels)
    ]
    marked = [
        set(annotation.spans)
        for contract in release.documents
        for annotation in contract.annotation_sets[0].annotations.values()
    ]
    blank = sum(len(list(_runs(numbers))) for numbers in marked) - sum(len(q.gold) for q in asked)
    notes = (f"Gold passages left out because they hold nothing but blanks: {blank}.",)
    evidence = Evidence(located=sum(map(len, marked)))
    return assemble(NAME, documents, asked, evidence=evidence, notes=notes if blank else ())


def _questions(contract: Contract, labels: dict[str, Label]) -> Iterator[Question]:
    for key, annotation in contract.annotation_sets[0].annotations.items():
        place = f"{NAME}: contract {contract.id}, {key}"
        if key not in labels:
            raise DatasetError(f"{place}: no such label; there are: {', '.join(labels)}")
        gold = tuple(_gold(contract, annotation.spans, place))
        if bool(gold) == (annotation.choice == "NotMentioned"):
            raise DatasetError(f"{place}: {annotation.choice} with {len(gold)} pieces of evidence")
        yield Question(
            f"{contract.id}-{key}",
            labels[key].hypothesis,
            gold,
            scope=(str(contract.id),),
            tags={"language": "en", "kind": "contract", "choice": annotation.choice},
        )


def _gold(contract: Contract, numbers: Iterable[int], place: str) -> Iterator[Passage]:
    """Yield a passage for each run of spans that follow one another and are not all blank."""
    offset = OffsetMap(contract.text)
    for first, last in _runs(numbers):
        if not 0 <= first <= last < len(contract.spans):
            raise DatasetError(f"{place}: spans {first}-{last} of {len(contract.spans)}")
        start, end = contract.spans[first][0], contract.spans[last][1]
        if not 0 <= start <= end <= len(contract.text):
            raise DatasetError(f"{place}: no characters [{start}, {end})")
        text = contract.text[start:end]
        if text.strip():
            start, end = end - len(text.lstrip()), start + len(text.rstrip())
            yield (Span(str(contract.id), offset(start), offset(end)),)


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last of each run of consecutive numbers."""
    run: list[int] = []
    for number in sorted(set(numbers)):
        if run and number > run[-1] + 1:
            yield run[0], run[-1]
            run = []
        run.append(number)
    if run:
        yield run[0], run[-1]
