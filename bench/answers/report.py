"""answers.csv, answers.md and the table on a terminal: what the answers are worth, and cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan

from bench.answers.prefer import Preferred
from bench.answers.settings import LEAST, MOST, Answers, Judge
from bench.endpoints.together import AT_ONCE
from bench.report.cells import Columns, escape, table
from bench.stats.paired import verdict
from bench.summary.row import Row


def preference_rows(found: Sequence[Preferred]) -> list[Row]:
    """Return one row for each dataset: wins and losses are those of the left arm."""
    return [
        {
            "dataset": one.dataset,
            "left": one.left,
            "right": one.right,
            "questions": len(one.pairs),
            "asked": one.asked,
            "failed": len(one.pairs) - one.comparison.n,
            "wins": one.comparison.wins,
            "ties": one.comparison.ties,
            "losses": one.comparison.losses,
            "difference": one.comparison.difference.value,
            "low_difference": one.comparison.difference.low,
            "high_difference": one.comparison.difference.high,
            "p": one.comparison.p,
            "verdict": verdict(one.comparison.n, one.comparison.difference.value, one.comparison.p),
            "place_share": one.place_share,
            "first_share": one.first_share,
        }
        for one in found
    ]


def pair_rows(found: Sequence[Preferred]) -> list[Row]:
    """Return one row for each question and pair of arms."""
    return [
        {
            "dataset": one.dataset,
            "question": pair.left.asked.question.id,
            "left": one.left,
            "right": one.right,
            "value": pair.value,
            "left_first": pair.orders[0].value if pair.orders else None,
            "left_last": pair.orders[1].value if pair.orders else None,
            "why": pair.failures,
        }
        for one in found
        for pair in one.pairs
    ]


def markdown(
    name: str, settings: Answers, rows: Sequence[Row], preferences: Sequence[Preferred]
) -> str:
    """Return the page.

    Args:
        name: Of the run.
        settings: How the answers were made.
        rows: One for each dataset and arm.
        preferences: What came of comparing two arms.
    """
    parts = [f"# {escape(name)}: answers\n", *_made(settings)]
    for dataset in dict.fromkeys(row["dataset"] for row in rows):
        own = [row for row in rows if row["dataset"] == dataset]
        parts += [
            f"## {escape(dataset)}\n",
            _counted(own[0]),
            table({**_QUALITY, **_some(own)}, own),
        ]
        if settings.judge is not None:
            parts += ["What the judge did, time after time:\n", table(_JUDGE, own)]
        parts += [_COSTING, table(_COST, own)]
        compared = preference_rows([one for one in preferences if one.dataset == dataset])
        if compared:
            parts += [_compared_by(settings.judging), table(_PREFERENCE, compared)]
    return "\n".join(parts).rstrip() + "\n"


def _made(settings: Answers) -> list[str]:
    lines = [
        f"Answers by {escape(settings.model)} at {escape(settings.url)}, temperature "
        f"{settings.temperature}, at most {settings.max_tokens or 'any number of'} tokens. "
        "Brackets hold 95 % bootstrap intervals. EM: exact match; F1: of words; both against the "
        "nearest reference answer, normalised as for SQuAD, CJK by characters.\n",
    ]
    if settings.judge is not None:
        lines.append(_judged_by(settings.judging))
    return [*lines, "The prompt:\n", _block(settings.prompt)]


def _judged_by(judge: Judge) -> str:
    return (
        f"Judged by {escape(judge.model or '')} at {escape(judge.url or '')}, temperature "
        f"{judge.temperature}, {judge.repeats} times each, from {LEAST} (0 %) to {MOST} (100 %). "
        "A model's judgement is no measurement: it changes from run to run and likes some answers "
        f"for their form. The rubric:\n\n{_block(judge.rubric)}"
    )


def _compared_by(judge: Judge) -> str:
    return (
        f"Which answer is better, says {escape(judge.model or '')} at {escape(judge.url or '')}, "
        "shown both in both orders; what these do not agree on is a tie. The difference is wins "
        "less losses over questions. `place decided`: share of the pairs shown where the same "
        "place was preferred both times, whichever answer stood there.\n"
    )


def _block(text: str) -> str:
    """Show a text as it is: indented, so that no mark in it can end the block."""
    return "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines())


def _counted(row: Row) -> str:
    without = f", {row['undefined']} of them without a reference answer" if row["undefined"] else ""
    drawn = "clusters of questions" if row["resampled_by"] == "cluster" else "questions"
    return f"{row['questions']} questions{without}; resampled by {drawn}.\n"


def _some(rows: Sequence[Row]) -> Columns:
    """Return the columns that not every table has."""
    judged: dict[str, Callable[[Row], str]] = {}
    if "mean_judge" in rows[0]:
        judged = {
            "judge %": lambda row: _interval(row, "judge"),
            "judged": lambda row: str(row["judged"]),
        }
    counted = {
        name: lambda row, name=name: str(row[name])
        for name in ("failed", "cut")
        if any(row[name] for row in rows)
    }
    return judged | counted


def _interval(row: Row, name: str) -> str:
    mean, low, high = (_percent(row[f"{bound}_{name}"]) for bound in ("mean", "low", "high"))
    return mean if "-" in (low, high) else f"{mean} ({low}-{high})"


def _percent(value: float) -> str:
    return "-" if isnan(value) else f"{100 * value:.1f}"


def _number(value: float, form: str) -> str:
    return "-" if isnan(value) else format(value, form)


_QUALITY: Columns = {
    "arm": lambda row: row["arm"],
    "EM %": lambda row: _interval(row, "em"),
    "F1 %": lambda row: _interval(row, "f1"),
}
_JUDGE: Columns = {
    "arm": lambda row: row["arm"],
    "spread, points": lambda row: _percent(row["judge_spread"]),
    "largest": lambda row: _percent(row["max_judge_spread"]),
    "not the same each time, %": lambda row: _percent(row["judge_disagrees"]),
    "unread answers": lambda row: str(row["judge_unread"]),
    "unread verdicts": lambda row: str(row["judge_failed"]),
    "prompt tokens": lambda row: _number(row["judge_prompt_tokens"], ",.0f"),
    "completion tokens": lambda row: _number(row["judge_completion_tokens"], ",.0f"),
    "dollars": lambda row: _number(row["judge_dollars"], ".4f"),
}
_COSTING = (
    "What the answers cost. Seconds are those of requests that were first answered, "
    f"{AT_ONCE} under way at a time:\n"
)
_COST: Columns = {
    "arm": lambda row: row["arm"],
    "prompt tokens": lambda row: _number(row["prompt_tokens"], ",.0f"),
    "completion tokens": lambda row: _number(row["completion_tokens"], ",.0f"),
    "dollars": lambda row: _number(row["dollars"], ".4f"),
    "median s": lambda row: _number(row["p50_seconds"], ".2f"),
    "p95 s": lambda row: _number(row["p95_seconds"], ".2f"),
}
_PREFERENCE: Columns = {
    "arm": lambda row: row["left"],
    "against": lambda row: row["right"],
    "wins": lambda row: str(row["wins"]),
    "ties": lambda row: str(row["ties"]),
    "losses": lambda row: str(row["losses"]),
    "difference, points": lambda row: (
        f"{_percent(row['difference'])} "
        f"({_percent(row['low_difference'])} to {_percent(row['high_difference'])})"
    ),
    "p": lambda row: _number(row["p"], ".3g"),
    "shown": lambda row: row["verdict"],
    "place decided, %": lambda row: _percent(row["place_share"]),
    "of these the first, %": lambda row: _percent(row["first_share"]),
    "failed": lambda row: str(row["failed"]),
}
