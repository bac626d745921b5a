"""The rows of the table: every case, all contenders side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from bench.perf.contenders import check, contenders, mean_tokens, parameters, price_of
from bench.perf.inputs import Case, questions
from bench.perf.timing import Times, take_turns
from rse import Priced

CASES = tuple(
    Case(*one) for one in product(("balanced", "find_all"), (1_000, 20_000), (10, 50, 200), (1, 4))
)
QUESTIONS = 6
SECONDS = 0.8
"""For a row; slow ones take longer, see `take_turns`."""

RATIOS = {
    "dsrag/greedy": ("dsrag", "greedy"),
    "dsrag/batch": ("dsrag", "batch"),
    "optimal/greedy": ("optimal", "greedy"),
    "priced/greedy": ("priced", "greedy"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured for one case."""

    case: Case
    times: dict[str, Times]
    """By contender; `dsrag` is missing where dsRAG is."""
    token_price: float
    """Of `Priced`, so that it selects about as much as greedy."""
    tokens: dict[str, float]
    """Mean tokens selected by greedy and priced."""

    def ratio(self, name: str) -> float | None:
        """Return a ratio of medians, see `RATIOS`; None where one side is missing."""
        above, below = RATIOS[name]
        if above not in self.times:
            return None
        return self.times[above].median / self.times[below].median


def measure(case: Case, *, count: int = QUESTIONS, seconds: float = SECONDS) -> Row:
    """Measure one case, after checking that the contenders agree."""
    given = questions(case, count)
    check(case, given)
    wanted = mean_tokens(parameters(case), given)
    price = price_of(wanted, given)
    tokens = {"greedy": wanted, "priced": mean_tokens(Priced(token_price=price), given)}
    times = take_turns(contenders(case, given, price), seconds=seconds)
    return Row(case, times, price, tokens)


def rows() -> Iterator[Row]:
    """Measure all cases, one after the other."""
    yield from map(measure, CASES)
