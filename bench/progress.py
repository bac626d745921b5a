"""Progress bars on the error stream, and none where nobody watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as RichProgress

T = TypeVar("T")


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
