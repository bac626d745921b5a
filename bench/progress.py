"""Progress bars on the error stream, and none where nobody watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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


class Speed(ProgressColumn):
    """Things done a second, lately; what was done before the bar began does not count."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if speed is None:
            return Text("")
        return Text(f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.1f}/s")


class Progress:
    """Bars for long work; silent when the error stream is no terminal."""

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
        hidden = not self._console.is_terminal
        with RichProgress(*columns, console=self._console, disable=hidden, transient=True) as bars:
            task = bars.add_task(title, total=None)
            yield lambda done, total: bars.update(task, completed=done, total=total)

    def track(self, items: Sequence[T], title: str) -> Iterator[T]:
        """Go through items under a bar."""
        with self.bar(title) as report:
            for number, item in enumerate(items):
                report(number, len(items))
                yield item
