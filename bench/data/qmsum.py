"""QMSum: questions about meetings, whose evidence is whole stretches of talk; upstream's files."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import accumulate
from pathlib import Path

from pydantic import BaseModel

from bench.data.assemble import assemble
from bench.data.cards import card, raw_folder
from bench.data.errors import DatasetError
from bench.data.rows import check_files, read
from bench.types import Dataset, Document, Passage, Question, Span

NAME = "qmsum"


class Turn(BaseModel):
    """What one speaker says at a time."""

    speaker: str
    content: str


class Query(BaseModel):
    """A question with the turns that answer it: pairs of first and last, both inclusive."""

    query: str
    answer: str
    relevant_text_span: list[tuple[int, int]]


class Meeting(BaseModel):
    """One of upstream's files; its topics and general queries, which have no spans, are unused."""

    meeting_transcripts: list[Turn]
    specific_query_list: list[Query]


def load(raw: Path | None, split: str = "val") -> Dataset:
    """Load a split: `val` has 35 meetings and 237 questions, `test` 35 and 244.

    A meeting is one document, a line `speaker: content` a turn. A question is asked of its own
    meeting: it makes little sense without.

    Raises:
        DatasetError: No raw files, or other bytes than those of the pinned revision.
    """
    folder = raw_folder(raw, NAME, f"data/ALL/{split}")
    wanted = {
        name: digest
        for name, digest in card(NAME)["sha256"].items()
        if name.startswith(f"data/ALL/{split}/")
    }
    check_files(folder, wanted)
    documents: dict[str, Document] = {}
    questions: list[Question] = []
    for name in sorted(wanted):
        meeting, place = read(folder / name, Meeting), Path(name).stem
        lines = [f"{turn.speaker}: {turn.content}\n" for turn in meeting.meeting_transcripts]
        documents[place] = Document(place, "".join(lines))
        questions.extend(_questions(place, lines, meeting))
    return assemble(NAME if split == "val" else f"{NAME}-{split}", documents.values(), questions)


load_test = partial(load, split="test")
"""Load the split that nothing may be tuned on."""


def _questions(place: str, lines: list[str], meeting: Meeting) -> Iterator[Question]:
    begin = list(accumulate(map(len, lines), initial=0))
    for number, asked in enumerate(meeting.specific_query_list):
        gold: list[Passage] = []
        for first, last in asked.relevant_text_span:
            if not 0 <= first <= last < len(lines):
                raise DatasetError(f"{NAME}: {place}, question {number}: no turns {first}-{last}")
            gold.append((Span(place, begin[first], begin[last + 1] - 1),))  # no last line end
        yield Question(
            f"{place}-{number:02}",
            asked.query,
            tuple(gold),
            answers=(asked.answer,),
            scope=(place,),
            tags={"language": "en", "kind": "meeting"},
        )
