"""What `rse-bench answer` leaves in a run's folder."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bench.answers import judge, prefer, prompt
from bench.answers.prefer import Preferred
from bench.answers.report import markdown, pair_rows, preference_rows
from bench.answers.settings import Answers
from bench.answers.table import Scored, answer_row
from bench.costs.prices import Price
from bench.export.stored import Stored
from bench.export.text import write_json_lines
from bench.report.cells import csv_of
from bench.store.atomic import write_text
from bench.store.folder import writing
from bench.store.plain import dumps
from bench.store.records import RECORDS
from bench.summary.row import Row

ANSWERS, TABLE, PAGE, FACTS = "answers.jsonl", "answers.csv", "answers.md", "answers.json"
PAIRS, PREFERENCES = "preferences.jsonl", "preferences.csv"
FORMAT = 1
"""Of answers.json; raised when its keys change."""
WORDS = {
    "answer": prompt.ROLE,
    "judge": judge.ROLE,
    "judge_task": judge.TASK,
    "prefer": prefer.ROLE,
    "prefer_task": prefer.TASK,
}
"""What models are told beside what the settings say; kept with the answers."""


class Results(NamedTuple):
    """What the files say."""

    answers: Sequence[Scored]
    table: Sequence[Row]
    preferences: Sequence[Preferred]
    prices: Mapping[str, Price]
    """Of the models that were asked, as far as they are known."""


def write(run: Stored, settings: Answers, limit: int | None, found: Results) -> None:
    """Write all files, each whole; those of an earlier comparison go if there is none now.

    Args:
        run: The run, in whose folder they are written.
        settings: How answers were made and judged.
        limit: How many questions of each dataset were asked; None: all.
        found: What came of it.

    Raises:
        ResultsError: The folder cannot be written, or somebody else writes to it.
    """
    folder = run.folder
    facts = {
        "format": FORMAT,
        "settings": settings.model_dump(mode="json"),
        "judging": settings.judging.model_dump(mode="json"),
        "limit": limit,
        "words": WORDS,
        "prices": {name: price.model_dump(mode="json") for name, price in found.prices.items()},
        "records_sha256": hashlib.sha256((folder / RECORDS).read_bytes()).hexdigest(),
    }
    page = markdown(run.manifest["spec"]["name"], settings, found.table, found.preferences)
    with writing(folder):
        write_json_lines(folder / ANSWERS, map(answer_row, found.answers))
        write_text(folder / TABLE, csv_of(found.table))
        if found.preferences:
            write_json_lines(folder / PAIRS, pair_rows(found.preferences))
            write_text(folder / PREFERENCES, csv_of(preference_rows(found.preferences)))
        else:
            (folder / PAIRS).unlink(missing_ok=True)
            (folder / PREFERENCES).unlink(missing_ok=True)
        write_text(folder / PAGE, page)
        write_text(folder / FACTS, dumps(facts, indent=2) + "\n")
