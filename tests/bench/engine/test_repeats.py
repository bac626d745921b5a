"""A set without the repeated lines of one document."""

from __future__ import annotations

from bench.engine.repeats import REPEATING, without_repeats
from bench.types import Dataset, Document, Question, Span

TEXT = "Revenue rose.\n\nCosts fell.\nRevenue rose.\n\nCash was flat.\n"
OTHER = "Revenue rose.\nRevenue rose.\n"


def passage(text, doc=REPEATING, source=TEXT):
    starts = [at for at in range(len(source)) if source.startswith(text, at)]
    return tuple(Span(doc, at, at + len(text)) for at in starts)


def made(*gold):
    documents = {REPEATING: Document(REPEATING, TEXT), "other": Document("other", OTHER)}
    return Dataset("set", "1", documents, (Question("q", "What?", gold),))


def shown(data):
    return [
        [data.documents[span.doc].text[span.start : span.end] for span in passage]
        for passage in data.questions[0].gold
    ]


def test_first_lines_and_blank_ones_stay():
    found = without_repeats(made())
    assert found.name == "set without repeats"
    assert found.documents[REPEATING].text == "Revenue rose.\n\nCosts fell.\n\nCash was flat.\n"
    assert found.documents["other"].text == OTHER


def test_gold_follows_its_text():
    found = without_repeats(
        made(passage("rose"), passage("flat."), passage("rose", "other", OTHER))
    )
    assert shown(found) == [["rose"], ["flat."], ["rose", "rose"]]


def test_gold_over_a_line_that_goes_keeps_the_rest():
    across = passage("fell.\nRevenue rose.\n\nCash")
    assert shown(without_repeats(made(across))) == [["fell.\n\nCash"]]


def test_a_passage_of_which_nothing_is_left_is_left_out():
    second = passage("Revenue rose.")[1:]
    assert shown(without_repeats(made(second, passage("Costs")))) == [["Costs"]]
