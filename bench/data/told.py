"""An inspection in words."""

from __future__ import annotations

from collections.abc import Iterator

from bench.data.coverage import coverage_warning
from bench.data.inspect import Inspection

REASONS = 5
"""Reasons for leaving questions out that are told one by one."""
SINGLE = 0.9
"""Share of documents of one chunk above which segments cannot show anything."""


def told(found: Inspection) -> Iterator[str]:
    """Yield the lines of a report."""
    yield f"{found.name} ({found.revision})"
    yield (
        f"  documents            {found.documents:,}: {found.characters:,} characters, "
        f"the longest {found.longest_document:,}"
    )
    yield f"  empty documents      {found.empty_documents:,}"
    yield f"  duplicate documents  {found.duplicate_documents:,}"
    yield (
        f"  single-chunk         {found.single_chunk_documents:,} documents give one chunk of up "
        f"to 800 characters"
    )
    yield (
        f"  questions            {found.questions:,}: {found.with_gold:,} with gold, "
        f"{found.without_gold:,} without"
    )
    yield from _excluded(found)
    yield from _gold(found)
    yield (
        f"  unknown to MiniLM    {_percent(found.unknown.documents)} of the documents' tokens, "
        f"{_percent(found.unknown.questions)} of the questions'"
    )
    for note in found.notes:
        yield f"  note                 {note}"


def _excluded(found: Inspection) -> Iterator[str]:
    """Yield the commonest reasons for which questions are left out, and how many others."""
    reasons = list(found.excluded.items())
    for reason, count in reasons[:REASONS]:
        yield f"  left out             {count:,}: {reason}"
    if further := reasons[REASONS:]:
        total = sum(count for _, count in further)
        yield f"  left out             {total:,}: for {len(further)} further reasons of this kind"


def _gold(found: Inspection) -> Iterator[str]:
    yield (
        f"  gold                 {found.located:,} located, {found.repaired:,} repaired, "
        f"{found.ambiguous:,} ambiguous, {found.unmatched:,} unmatched"
    )
    yield (
        f"  passages             {found.passages:,}: {found.several_passages:,} questions have "
        f"several, {found.several_places:,} passages have alternatives"
    )
    if found.gold:
        yield (
            f"  gold of a question   median {found.gold.median:,.0f} characters, 90th percentile "
            f"{found.gold.p90:,.0f}, most {found.gold.longest:,}"
        )


def warnings(found: Inspection) -> Iterator[str]:
    """Yield what should make a reader of results careful."""
    if said := coverage_warning(found.unknown.worst):
        yield said
    filled = found.documents - found.empty_documents
    if filled and found.single_chunk_documents > SINGLE * filled:
        yield "nearly all documents give a single chunk: segments cannot differ from chunks"
    if found.ambiguous or found.unmatched:
        yield f"{found.ambiguous + found.unmatched:,} pieces of gold have no certain place"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
