"""Sections at headings: which lines are headings, and how sections are cut."""

from __future__ import annotations

import pytest

from bench.chunking import Markdown
from bench.chunking.headings import headings
from bench.types import Document


def sections(text, size=1000, unit="characters"):
    """Return the chunks of each section."""
    pieces = Markdown(size=size, unit=unit).cut(Document("d", text))
    found = [[] for _ in range(max(pieces.section, default=-1) + 1)]
    for (start, end), number in zip(pieces.spans, pieces.section, strict=True):
        found[number].append(text[start:end])
    return found


def titles(text):
    return [text[start:end].strip() for start, end in headings(text)]


def test_sections_begin_at_headings():
    text = "Before.\n\n# One\n\nText.\n## Two\nMore.\n"
    assert sections(text) == [["Before."], ["# One\n\nText."], ["## Two\nMore."]]


def test_exact_offsets_and_section_numbers():
    pieces = Markdown(size=12).cut(Document("d", "# A\n\nab cd. ef gh.\n\nTitle\n---\nx"))
    assert pieces.spans == [(0, 11), (12, 18), (20, 31)]
    assert pieces.section == [0, 0, 1]


@pytest.mark.parametrize("text", ["", " \n\n ", "\n"])
def test_blank_texts(text):
    assert Markdown(size=10).cut(Document("d", text)) == ([], [])


def test_a_text_without_headings_is_one_section():
    assert sections("One. Two.\n\nThree.", 9) == [["One. Two.", "Three."]]


@pytest.mark.parametrize(
    "line", ["# A", "###### A", "   ## A", "#\tA", "# A #", "#", "## ", "#  A"]
)
def test_atx_headings(line):
    assert titles(f"x\n{line}\ny") == [line.strip()]


@pytest.mark.parametrize(
    "line", ["#A", "####### A", "    # A", "\t# A", "\\# A", "a # A", "#5 bolt"]
)
def test_no_atx_headings(line):
    assert titles(f"x\n\n{line}\ny") == []


@pytest.mark.parametrize("line", ["===", "=", "---", "-", "   ===", "---  ", "-----------"])
def test_setext_headings(line):
    assert titles(f"x\n\nTitle\n{line}\ny") == [f"Title\n{line}".strip()]


@pytest.mark.parametrize(
    "text",
    [
        "---\ny",
        "x\n\n---\ny",
        "x\n\n===\ny",
        "Title\n    ---",
        "Title\n= =",
        "Title\n--- -",
        "Title\n-=-",
        "- item\n---",
        "* item\n---",
        "1. item\n---",
        "> quote\n---",
        "> quote\nlazy\n===",
        "    code\n---",
        "a | b\n--- | ---",
        "***\n---\n___\n---",
    ],
)
def test_no_setext_headings(text):
    assert titles(text) == []


def test_an_underlined_heading_has_all_lines_of_its_paragraph():
    assert titles("x\n\nOne\ntwo\n    three\n===\ny") == ["One\ntwo\n    three\n==="]
    assert titles("# A\nOne\n---") == ["# A", "One\n---"]
    assert titles("```\nx\n```\nOne\n---") == ["One\n---"]
    assert titles("    code\nOne\n---") == ["One\n---"]


@pytest.mark.parametrize(
    "text",
    [
        "```\n# A\n```",
        "~~~\n# A\n~~~",
        "```python\n# A\n```",
        "````\n# A\n```\n# B\n````",
        "```\n# A\n~~~\n# B\n```",
        "   ```\n# A\n   ```",
        "```\n# A\n    ```\n# B",  # four blanks close nothing
        "```\n# A\n``` x\n# B",  # neither does a fence with words behind it
        "```\n# A",  # never closed
        "~~~ a`b\n# A\n~~~",
        "```\nTitle\n---\n```",
        "x\n```\n# A\n```\n",
    ],
)
def test_fences_hold_no_headings(text):
    assert titles(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "```\nx\n```\n# A",
        "```\nx\n`````  \n# A",
        "``\n# A",  # two are no fence
        "``` a`b\n# A",  # code within a line
        "    ```\n# A",  # indented code
        "````\n```\n````\n# A",
        "```\n```\n# A",
    ],
)
def test_behind_a_fence_there_are_headings_again(text):
    assert titles(text) == ["# A"]


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends_change_nothing(end):
    text = "Before\n\n# One\n```\n# x\n```\nTitle\n===\ny"
    assert len(titles(text)) == 2
    for heading, other in zip(headings(text), headings(text.replace("\n", end)), strict=True):
        shift = text[: heading.start].count("\n") * (len(end) - 1)
        assert other.start == heading.start + shift


def test_a_heading_stays_with_its_text():
    text = "# Head\n\nOne two three four five.\n\nSix."
    assert sections(text, 20) == [["# Head\n\nOne two", "three four five.", "Six."]]
    assert sections("# Head\n\n\n" + "a" * 30, 20) == [["# Head\n\n\n" + "a" * 11, "a" * 19]]
    assert sections("# 标题\n\n今天下雨。我带了伞！你呢？", 12) == [
        ["# 标题\n\n今天下雨。", "我带了伞！你呢？"]
    ]


def test_a_heading_of_more_than_half_a_chunk_is_cut_like_text():
    assert sections("# A long head\n\nOne two three.", 20) == [["# A long head", "One two three."]]
    assert sections("# A long heading\n\nOne", 8) == [["# A long", "heading", "One"]]


def test_a_heading_without_text_is_a_section():
    assert sections("# A\n\n\n## B\n\nText.\n# C") == [["# A"], ["## B\n\nText."], ["# C"]]


def test_a_size_in_tokens():
    text = "# one\n\ntwo three four.\n\n# five\n\nsix."
    assert sections(text, 6, "o200k_base") == [["# one\n\ntwo three", "four."], ["# five\n\nsix."]]
