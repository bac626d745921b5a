"""PolicyQA: questions about the privacy policies of web sites; the development file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from bench.data.assemble import assemble
from bench.data.repair import How, tally
from bench.data.squad_layout import Answer, Article, Asked, Joined, read_release
from bench.types import Dataset, Document, Question, Span

NAME = "policyqa"
NOTE = "Upstream does not mark every section that answers a question: precision is pessimistic."

LOST = "an answer has no certain place in the text"


def load(raw: Path | None) -> Dataset:
    """Load 20 policies and 2,420 pairs of policy and question.

    Upstream asks the same question of several sections; here it is asked once of the whole policy,
    and each answer that upstream marks in it is a passage of its own.

    Raises:
        DatasetError: No raw files, or other bytes than those of the pinned revision.
    """
    documents: list[Document] = []
    questions: list[Question] = []
    excluded: dict[str, str] = {}
    hows: list[How] = []
    for article in read_release(raw, NAME, "dev.json").data:
        article.paragraphs.sort(key=lambda paragraph: paragraph.index)
        joined = Joined(article.title, [paragraph.context for paragraph in article.paragraphs])
        documents.append(Document(article.title, joined.text, article.title))
        for question, found in _questions(article, joined):
            hows.extend(found)
            if {"ambiguous", "unmatched"} & set(found):
                excluded[question.id] = LOST
            else:
                questions.append(question)
    evidence = tally(hows)
    return assemble(NAME, documents, questions, evidence=evidence, excluded=excluded, notes=(NOTE,))


def _questions(policy: Article, joined: Joined) -> Iterator[tuple[Question, list[How]]]:
    """Yield each question of a policy once, and how its answers were found."""
    rows: dict[str, list[tuple[int, Asked]]] = defaultdict(list)
    for number, paragraph in enumerate(policy.paragraphs):
        for asked in paragraph.qas:
            rows[asked.question].append((number, asked))
    for count, (text, alike) in enumerate(rows.items()):
        placed = _placed(alike)
        found = [joined.find(number, answer) for number, answer in placed]
        spans: dict[Span, None] = dict.fromkeys(span for _, span in found if span)
        practices = dict.fromkeys(asked.type.split("|||")[0] for _, asked in alike)
        question = Question(
            f"{policy.title}-{count:03}",
            text,
            tuple((span,) for span in spans),
            answers=tuple(dict.fromkeys(answer.text.strip() for _, answer in placed)),
            scope=(policy.title,),
            tags={"language": "en", "kind": "policy", "practice": " + ".join(practices)},
        )
        yield question, [how for how, _ in found]


def _placed(rows: list[tuple[int, Asked]]) -> list[tuple[int, Answer]]:
    """Return the answers of all sections, each once: a section may stand in several rows."""
    answers = [(number, answer) for number, asked in rows for answer in asked.distinct]
    return list(
        {(n, answer.text, answer.answer_start): (n, answer) for n, answer in answers}.values()
    )
