"""Progress on the error stream: bars on a terminal, a line now and then in a log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as RichProgress
from rich.text import Text

T = TypeVar("T")

FIRST, NEXT = 10.0, 60.0


class Speed(ProgressColumn):
    """Things done a second, lately; what was done before the bar began does not count."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if speed is None:
            return Text("")
        return Text(f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.1f}/s")


class Lines:
    """Says how far work is when it takes long: after `FIRST` seconds, then every `NEXT`."""

    def __init__(self, title: str, console: Console) -> None:
        self._title, self._console = title, console
        self._began = monotonic()
        self._due = self._began + FIRST
        self._before: int | None = None

    def __call__(self, done: int, total: int) -> None:
        now = monotonic()
        if self._before is None:
            self._before = done
        if now < self._due or done >= total:
            return
        self._due = now + NEXT
        speed = (done - self._before) / (now - self._began)
        left = f", {(total - done) / speed:,.0f} s left" if speed > 0 else ""
        said = f"{self._title}: {done:,} of {total:,}{left}"
        self._console.print(said, markup=False, highlight=False, soft_wrap=True)


class Progress:
    """Shows how far long work is: by bars; where the error stream is no terminal, by lines."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)

    @contextmanager
    def bar(self, title: str) -> Iterator[Callable[[int, int], None]]:
        """Show a bar while the caller reports (done, total)."""
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            Speed(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        if not self._console.is_terminal:
            yield Lines(title, self._console)
            return
        with RichProgress(*columns, console=self._console, transient=True) as bars:
            task = bars.add_task(title, total=None)
            yield lambda done, total: bars.update(task, completed=done, total=total)

    def track(self, items: Sequence[T], title: str) -> Iterator[T]:
        """Go through items under a bar."""
        with self.bar(title) as report:
            for number, item in enumerate(items):
                report(number, len(items))
                yield item
