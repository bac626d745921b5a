"""The report of a build as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bench.data.own.report import LeftOut, Place, Report

MOST = 10
"""Files, ids and places shown of a kind; `--json` has all."""


def told(report: Report) -> str:
    """Return the report for a person: what is in, what is not, and how to put it right."""
    return "\n".join([*_documents(report), *_questions(report), *_left_out(report.left_out)])


def _documents(report: Report) -> Iterator[str]:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in report.kinds.items())
    yield f"documents: {report.documents:,} ({kinds}), {report.characters:,} characters"
    if report.pictures:
        yield f"  pages whose picture says what their text does not: {report.pictures:,}"
    yield from _ids("  blank", report.blank)
    yield from _ids("  same text as an earlier one", report.copies)
    yield from _files("  skipped", report.skipped)
    yield from _files("  PROBLEMS, files that could not be read", report.problems)


def _questions(report: Report) -> Iterator[str]:
    yield (
        f"questions: {report.questions:,} written, {report.with_gold:,} with gold "
        f"({_number(report.passages, 'passage')}), {report.without_gold:,} without, "
        f"{len(report.left_out):,} left out"
    )
    yield from _ids("  quotes that differ from the text in signs or case, look at", report.loose)
    yield from _ids("  quotes that begin or end inside a word, look at", report.cut)
    yield from _ids("  asked in the same words as an earlier one", report.repeated)


def _left_out(questions: Sequence[LeftOut]) -> Iterator[str]:
    if questions:
        yield "LEFT OUT, until the gold has one certain place:"
    for question in questions:
        yield f"  {_shown(question.id)} ({question.line}): {_shown(question.question)}"
        for reason in question.reasons:
            yield f"    {reason.why}" + (":" if reason.places else "")
            yield from (f"      {_place(place)}" for place in reason.places[:MOST])
            if reason.count > MOST:
                yield f"      and {reason.count - MOST:,} more"


def _place(place: Place) -> str:
    page = "" if place.page is None else f", page {place.page}"
    words = _shown(f"{place.before}[{place.quote}]{place.after}")
    return f"{_shown(place.doc)}{page}, start {place.start}: {words.strip()}"


def _ids(title: str, ids: Sequence[str]) -> Iterator[str]:
    if ids:
        more = f", and {len(ids) - MOST:,} more" if len(ids) > MOST else ""
        yield f"{title}: {', '.join(map(_shown, ids[:MOST]))}{more}"


def _files(title: str, files: Mapping[str, str]) -> Iterator[str]:
    if files:
        yield f"{title}: {len(files):,}"
        yield from (f"    {_shown(id_)}: {why}" for id_, why in _first(files.items()))
        if len(files) > MOST:
            yield f"    and {len(files) - MOST:,} more"


def _first(items: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return list(items)[:MOST]


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def _shown(text: str) -> str:
    """Escape what would move a terminal's cursor or break the line."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in text)
