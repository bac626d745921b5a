"""DRAGONBall: invented companies and patients, questions answered by quotes; two languages."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

from bench.data.assemble import assemble
from bench.data.cards import card, raw_folder
from bench.data.dragonball.reading import Query, Shelf, Source, read_files
from bench.data.normal import normalise
from bench.data.rows import check_files
from bench.types import Dataset, Evidence, Passage, Question, Span

NAME = "dragonball"


def load(raw: Path | None, language: str) -> Dataset:
    """Load one language, `en` or `zh`: every question is asked of all documents of it.

    Every quote is a passage of its own, and all its places are alternatives: the words are the
    same. A question of which any quote is nowhere is excluded; one that upstream marks as
    unanswerable is kept without gold.

    Raises:
        DatasetError: No raw files, or other bytes than those of the pinned revision.
    """
    folder = raw_folder(raw, NAME, f"finance/{language}/config")
    digests = card(NAME)["sha256"]
    wanted = {name: digest for name, digest in digests.items() if f"/{language}/" in name}
    check_files(folder, wanted)
    shelf = read_files(folder, wanted)
    tally: Counter[str] = Counter()
    excluded: dict[str, str] = {}
    questions: list[Question] = []
    for query in shelf.queries:
        gold, reason = _gold(query, tally)
        if reason:
            excluded[query.id] = reason
        else:
            questions.append(_question(query, language, gold))
    return assemble(
        f"{NAME}-{language}",
        [source.document for source in shelf.sources],
        questions,
        evidence=Evidence(tally["located"], tally["repaired"], unmatched=tally["unmatched"]),
        excluded=excluded,
        notes=_notes(tally, shelf),
    )


load_en = partial(load, language="en")
"""Load the English documents and questions."""

load_zh = partial(load, language="zh")
"""Load the Chinese documents and questions."""


def _question(query: Query, language: str, gold: tuple[Passage, ...]) -> Question:
    tags = {
        "language": language,
        "domain": query.domain,
        "kind": query.kind if query.asked.answerable else "irrelevant",
        "subject": "named" if query.named else "unnamed",
    }
    return Question(query.id, query.asked.text, gold, answers=(query.asked.answer,), tags=tags)


def _gold(query: Query, tally: Counter[str]) -> tuple[tuple[Passage, ...], str]:
    """Find a question's quotes and count them.

    Returns:
        The passages, and why the question cannot be asked; empty: it can.
    """
    if not query.asked.answerable:
        tally["half"] += bool(query.quotes)
        return (), ""
    if not query.quotes:
        return (), "upstream gives an answer and no quote"
    gold, lost = [], 0
    for quote, sources in query.quotes:
        passage = _passage(normalise(quote), sources, tally)
        gold.append(passage)
        lost += not passage
    reason = f"{lost} of {len(gold)} quotes stand nowhere in the documents" if lost else ""
    return tuple(gold), reason


def _passage(quote: str, sources: tuple[Source, ...], tally: Counter[str]) -> Passage:
    found: list[Span] = []
    if quote.strip():
        found = [span for source in sources for span in source.verbatim(quote)]
        tally["located"] += bool(found)
        tally["several"] += len(found) > 1
    if quote.strip() and not found:
        found = [span for source in sources for span in source.alike(quote)]
        tally["repaired"] += bool(found)
    tally["unmatched"] += not found
    return tuple(found)


def _notes(tally: Counter[str], shelf: Shelf) -> list[str]:
    counts = {
        "Quotes that stand in several places of their documents, any of which counts": tally[
            "several"
        ],
        "Unanswerable questions whose quotes, half an answer, do not count as gold": tally["half"],
        "Questions that do not name the company or patient they ask about": sum(
            not query.named for query in shelf.queries
        ),
    }
    return [f"{what}: {count:,}." for what, count in counts.items() if count]
