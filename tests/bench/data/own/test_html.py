"""What a reader sees of a page, line by line."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.chunking.headings import headings
from bench.data.errors import DatasetError
from bench.data.own.html import read_html


def text(page):
    return read_html(page)[0]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("", ""),
        ("plain &amp; simple", "plain & simple"),
        ("<p>one\n  <b>t</b>wo<i> three</i>&nbsp;four", "one two three four"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("<div>one<div>two</div>three</div>four", "one\ntwo\nthree\nfour"),
        ("one<br>two<br/><br>three", "one\ntwo\nthree"),
        ("a<hr>b", "a\n\nb"),
        ("&lt;p&gt; &#x6c34; &eacute; Donau&shy;dampf", "<p> 水 é Donaudampf"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>d", "a\nb\nc\n\nd"),
        ("<dl><dt>term<dd>meaning</dl>", "term\nmeaning"),
        ("<ruby>字<rt>zi</rt></ruby>", "字"),
        ("<h1>One</h1>a<h3>Two <em>words</em></h3>b", "# One\n\na\n\n### Two words\n\nb"),
        ("<h2>Over<br>two lines</h2>", "## Over two lines"),
        ("<h2><p>Inside</p></h2>x", "## Inside\n\nx"),
        ("<h2>Open<p>text<p>more", "## Open\n\ntext\n\nmore"),
        ('<h2>Linked<a href="#l">¶</a></h2>', "## Linked"),
        ("<h2></h2><h3> ¶</h3>x", "x"),
        ("<pre>\n# no heading\n  if x:<br>y\n</pre>", "```\n# no heading\n  if x:\ny\n```"),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
        ("<pre> \n </pre>x", "x"),
        ("<p># not mine<p>---<p>``` x", "\\# not mine\n\n\\---\n\n\\``` x"),
        ("<p>#hashtag - and -- more", "#hashtag - and -- more"),
    ],
)
def test_blocks(page, expected):
    assert text(page) == expected


@pytest.mark.parametrize(
    "unseen",
    [
        "<script>document.write('x')</script>",
        "<style>p { color: red }</style>",
        "<template><p>later</p></template>",
        "<noscript>Turn it on</noscript>",
        "<!-- remark -->",
        "<!doctype html>",
        '<?xml version="1.0"?>',
        "<head><title>T</title><script>x</script></head>",
        "<svg><title>t</title><text>t</text></svg>",
        '<iframe src="http://example.org">no frames</iframe>',
        '<img src="http://example.org/x.png" onerror="x()">',
    ],
)
def test_what_is_not_text_is_not_seen(unseen):
    assert text(f"{unseen}<p>before{unseen}after") == "beforeafter"


def test_tables_are_written_row_by_row():
    page = """<p>x<table><caption>Fees</caption><thead><tr><th># <th>Who</thead>
      <tr><td>1</td><td><p>a<br>child</p></td></tr> <tr><td></td><td></td></tr>
      <tr><td>2<td><td>late</table>y"""
    assert text(page) == "x\n\nFees\n\\# | Who\n1 | a child\n2 | | late\n\ny"


@pytest.mark.parametrize("inside", ["<h2>In</h2>", "<pre>In</pre>", "<table><tr><td>In</table>"])
def test_tables_for_the_layout_are_blocks(inside):
    found = text(f"<table><tr><td>left<td>{inside}<p>right</table>").split("\n")
    assert found[0] == "left"
    assert found[-1] == "right"
    assert any(line.endswith("In") for line in found[1:-1])
    assert not any("|" in line for line in found)


def test_title():
    assert read_html("<title> A\n page </title><h1>B")[1] == "A page"
    assert read_html("<h1>B")[1] == ""


def test_headings_are_sections():
    found = text("<h1>One</h1><p># two</p><pre># three</pre><h2>Four</h2>x<p>y<p>===")
    assert [found[h.start : h.end].strip() for h in headings(found)] == ["# One", "## Four"]


def test_what_the_parser_refuses():
    with pytest.raises(DatasetError, match=r"^is no HTML that can be read \(.*name token"):
        read_html("<p>x</p><![ x[")


TAGS = re.findall(r"\w+", "p div h1 h2 table tr td th ul li pre br b script span dl section")
PIECES = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
    st.sampled_from(["word", " ", "# x", "\n", "字", "&amp;", "|", "---"]),
)


@given(st.lists(PIECES, max_size=25).map("".join))
def test_any_soup_keeps_its_words_and_lines(page):
    found = text(page)
    assert found == found.strip()
    assert "\n\n\n" not in found
    seen = page.partition("<script>")
    if not seen[1]:
        assert found.count("word") == page.count("word")
        assert found.count("字") == page.count("字")


def test_deep_and_broken_pages_take_time_by_their_size():
    began = time.perf_counter()
    assert text("<div>" * 3000 + "x" + "</div>" * 3000) == "x"
    assert text("<table><tr><td>x" * 1000).count("x") == 1000
    assert time.perf_counter() - began < 20
