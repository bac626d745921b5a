"""What a reader sees of an HTML page, as text; nothing is run and nothing fetched."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bench.data.errors import DatasetError
from bench.data.own.lines import Lines

if TYPE_CHECKING:
    from bs4 import BeautifulSoup
    from bs4.element import PageElement, Tag


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


UNSEEN = _names(
    "head title script style template noscript svg math iframe object canvas audio video"
)
"""Elements without text to read."""
HEADINGS = _names("h1 h2 h3 h4 h5 h6")
LISTS = _names("ul ol dl menu")
APART = (
    HEADINGS
    | LISTS
    | _names(
        "p table pre blockquote section article aside header footer main nav figure form fieldset "
        "details address hr"
    )
)
"""Elements with a blank line before and behind."""
LINES = _names("div li dt dd tr td th br caption figcaption summary legend option center body")
"""Elements that begin and end a line."""


def read_html(text: str) -> tuple[str, str]:
    """Return the text of a page, and what its `title` element says.

    Headings are Markdown's (`## Title`), preformatted text stands between code fences, a table is
    a line a row with ` | ` between cells. A table that holds headings, tables or preformatted text
    is there for the layout: its cells are blocks.

    Raises:
        DatasetError: The parser gives up on it; the message begins where a file's name may stand.
    """
    from bs4.element import NavigableString, Tag

    soup = _parsed(text)
    page = _Page(_layouts(soup))
    for element, opens in _walk(soup):
        if not isinstance(element, Tag):
            if type(element) is NavigableString:  # comments and the like are classes under it
                page.text(element)
        elif opens:
            page.open(element)
        else:
            page.close(element.name)
    title = soup.title.get_text() if soup.title else ""
    return page.lines.finished(), " ".join(title.split())


def _walk(soup: BeautifulSoup) -> Iterator[tuple[PageElement, bool]]:
    """Yield what a page consists of, in order; tags twice, as they open and as they close."""
    from bs4.element import Tag

    todo: list[tuple[PageElement, bool]] = [(soup, True)]  # no recursion: pages nest deeply
    while todo:
        element, opens = todo.pop()
        if not isinstance(element, Tag) or not opens:
            yield element, opens
        elif element.name not in UNSEEN:
            yield element, True
            todo.append((element, False))
            todo.extend((child, True) for child in reversed(element.contents))


def _layouts(soup: BeautifulSoup) -> set[int]:
    """Return the tables, by `id`, that are there for the layout."""
    from bs4.element import Tag

    around: list[int] = []
    found: set[int] = set()
    for element, opens in _walk(soup):
        if not isinstance(element, Tag) or element.name not in {"table", "pre", *HEADINGS}:
            continue
        if opens:
            found.update(around[-1:])
        if element.name == "table":
            if opens:
                around.append(id(element))
            else:
                around.pop()
    return found


def _parsed(text: str) -> BeautifulSoup:
    from bs4 import BeautifulSoup
    from bs4.builder import ParserRejectedMarkup

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it looks like XML, or like the name of a file
        try:
            return BeautifulSoup(text, "html.parser")
        except ParserRejectedMarkup as error:
            why = str(error).splitlines()[-1].strip()
            raise DatasetError(f"is no HTML that can be read ({why})") from None


class _Page:
    """Follows a page element by element and writes its lines."""

    def __init__(self, layouts: set[int]) -> None:
        self._layouts = layouts
        self.lines = Lines()
        self._lists = 0
        self._pre = 0
        self._grid = False
        """Whether this is inside a table of data, where cells follow one another on a line."""
        self._cells = 0

    def text(self, text: str) -> None:
        if self._pre:
            self.lines.code(text)
        else:
            self.lines.text(text)

    def open(self, tag: Tag) -> None:
        name = tag.name
        self._pre += name == "pre"
        self._lists += name in LISTS
        if self._pre > (name == "pre"):
            self.lines.code("\n" if name == "br" else "")
            return
        self._break(name)
        if name in HEADINGS:
            self.lines.heading = int(name[1])
        elif name == "table":
            self._grid = id(tag) not in self._layouts

    def close(self, name: str) -> None:
        self._pre -= name == "pre"
        if self._pre:
            pass
        elif name == "pre":
            self.lines.end_code()
        else:
            self._break(name, closes=True)
        self._lists -= name in LISTS
        if name in HEADINGS:
            self.lines.heading = 0
        elif name == "table":
            self._grid = False

    def _break(self, name: str, *, closes: bool = False) -> None:
        """End the line where an element does that; in a table of data only its rows do."""
        if self._grid and name not in {"table", "tr", "caption"}:
            cell = name in {"td", "th"} and not closes
            self.lines.text(" | " if cell and self._cells else " " * (name in APART | LINES))
            self._cells += cell
        elif name in APART and (name not in LISTS or self._lists == 1):
            self.lines.end(gap=True)
        elif name in APART | LINES:
            if not self.lines.heading:
                self.lines.end()
            self.lines.text(" ")
            self._cells = 0
