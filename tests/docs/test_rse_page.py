"""Every number of the page's worked example is recomputed; its tables are those of the files."""

from __future__ import annotations

import csv
import doctest
import re
from functools import partial
from math import exp, floor, log
from pathlib import Path

import numpy as np
import pytest

from bench.figures.example import HITS, LAYOUT, SHARES
from bench.figures.lengths import DOCUMENTED, Length
from bench.figures.pages import choice_table, length_table
from bench.figures.question import Choice
from bench.figures.strip import chunk_worth
from rse import PRESETS, RSE, Optimal, Priced, Simple
from rse.parameters import Parameters

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "rse.md").read_text(encoding="utf-8")
PRICE, OPENING = 0.0004, 80
PURE = partial(Optimal, segment_cost=0)


def section(title):
    """The text under a heading, code blocks left out."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    return re.sub(r"```.*?```", "", found.group(1), flags=re.DOTALL)


def cells(title, header):
    """The rows of the table of a section whose header begins like this."""
    lines = section(title).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(header))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip().strip("`") for cell in line.strip("|").split("|")])
    return rows


def decimals(text):
    """All numbers with a decimal point in a text, but those of versions."""
    return set(re.findall(r"(?<![\d.])-?\d+\.\d+(?!\d|\.\d)", text))


def said(*values, digits=3):
    return {f"{value:.{digits}f}" for value in values}


def chosen(strategy, hits=HITS):
    return {(one.first, one.last): one.score for one in strategy.select([hits], LAYOUT)}


def test_the_code_gives_what_stands_below_it():
    blocks = re.findall(r"```pycon\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 7
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "rse.md", None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    assert runner.run(test).failed == 0


def test_the_example_on_the_page_is_the_one_in_the_figure():
    names = {}
    block = re.search(r"```pycon\n(.*?)```", PAGE, re.DOTALL).group(1)
    exec("\n".join(line[4:] for line in block.splitlines() if line[:3] in {">>>", "..."}), names)
    np.testing.assert_array_equal(names["layout"].start, LAYOUT.start)
    np.testing.assert_array_equal(names["layout"].length, LAYOUT.length)
    np.testing.assert_array_equal(names["layout"].tokens, LAYOUT.tokens)
    np.testing.assert_array_equal(names["hits"].chunk, HITS.chunk)
    np.testing.assert_array_equal(names["hits"].score, HITS.score)


def test_the_table_of_values_is_what_the_library_computes():
    value, hit = chunk_worth(RSE(), HITS, LAYOUT)
    rows = cells("A worked example", "| chunk | rank")
    for rank, row in enumerate(rows):
        chunk, score = int(HITS.chunk[rank]), HITS.score[rank]
        fade, scale = exp(-rank / 30), max(LAYOUT.length[chunk], 700) / 700
        numbers = f"{fade:.3f}", f"{fade * score:.3f}", f"{fade * score - 0.18:.3f}", f"{scale:.1f}"
        assert row == [str(chunk), str(rank), f"{score:.2f}", *numbers, f"{value[chunk]:.3f}"]
    assert len(rows) == len(HITS) == hit.sum()
    assert set(value[~hit]) == {-0.18}


def test_every_number_of_the_worked_example_follows_from_it():
    value, _ = chunk_worth(RSE(), HITS, LAYOUT)
    table = {cell for row in cells("A worked example", "| chunk | rank") for cell in row}
    greedy = chosen(RSE())
    allowed = table | {"0.18", *said(*value, 0.18), *said(*greedy.values(), sum(greedy.values()))}
    allowed |= said(value[1:5].sum())
    found = decimals(section("A worked example"))
    assert found <= allowed, found - allowed
    assert "1.905" in found
    assert "2.422" in found


def test_every_number_about_the_optimum_follows_from_the_example():
    value, _ = chunk_worth(RSE(), HITS, LAYOUT)
    tight_greedy, tight = chosen(RSE(overall_max_length=4)), chosen(PURE(overall_max_length=4))
    free, whole = chosen(PURE()), chosen(RSE())
    total, bridged = sum(free.values()), sum(whole.values())
    assert len(free) == 3
    assert len(whole) == 2
    allowed = said(sum(tight_greedy.values()), sum(tight.values()), total, bridged, value[6], 0.18)
    allowed |= said(bridged - 2 * 0.3, total - 3 * 0.3) | {"0.3", "0.18", "0.6"}
    found = decimals(section("The exact optimum"))
    assert found <= allowed, found - allowed
    assert {"2.524", "1.827", "2.602", "1.822", "1.702"} <= found
    assert chosen(Optimal(segment_cost=0.17)).keys() == free.keys()
    assert chosen(Optimal(segment_cost=0.19)).keys() == whole.keys()
    assert chosen(Optimal(segment_cost=0.6)).keys() == {(1, 7)}
    assert Optimal().segment_cost == 0.3
    assert "the default is 0.3" in section("The exact optimum")


def test_the_steps_of_the_price_follow_from_the_example():
    share = dict(zip(SHARES.chunk.tolist(), SHARES.score.tolist(), strict=True))
    tokens = LAYOUT.tokens.tolist()
    steps = [
        (share[1] + share[2], tokens[1] + tokens[2], OPENING),
        (share[4], tokens[3], tokens[4]),
        (share[4], tokens[4], OPENING),
        (share[10], tokens[10], OPENING),
        (share[6], tokens[5], tokens[6]),
    ]
    expected = [
        [f"{p:.3f}", f"{a} + {b}", f"{PRICE * (a + b):.3f}", f"{p - PRICE * (a + b):.3f}"]
        for p, a, b in steps
    ]
    assert [row[1:] for row in cells("A price per token", "| step")] == expected


def test_every_number_about_the_price_follows_from_the_example():
    table = {cell for row in cells("A price per token", "| step") for cell in row}
    allowed = table | said(*SHARES.score, digits=2) | {str(PRICE)} | said(PRICE * OPENING)
    found = decimals(section("A price per token"))
    assert found <= allowed, found - allowed
    priced = Priced(token_price=PRICE)
    assert chosen(priced, SHARES) == pytest.approx({(1, 5): 0.356 + 0.076, (10, 11): 0.008})
    assert priced.segment_tokens == OPENING


def test_presets_and_the_tutorial_form_have_the_parameters_the_page_says():
    rows = cells("What a chunk is worth", "| parameter")
    shown = {name: values for name, *values, _ in rows}
    assert list(PRESETS) == ["balanced", "precision", "find_all"]
    for name in Parameters.__dataclass_fields__:
        values = [getattr(preset, name) for preset in PRESETS.values()]
        words = [{True: "yes", False: "no"}[v] if isinstance(v, bool) else f"{v:g}" for v in values]
        assert shown.pop(name) == words
    assert not shown
    form, text = Simple(), section("The tutorial form")
    assert f"similarity - {form.irrelevant_chunk_penalty} for" in text
    assert f"at most {form.max_length}\nchunks worth more than {form.minimum_value}." in text
    assert f"total of {form.overall_max_length} chunks" in text
    assert f"up to {form.overall_max_length - 1 + form.max_length} may" in text


def test_numbers_about_scores_are_those_of_balanced():
    text, penalty, decay = section("Scores come first"), 0.18, PRESETS["balanced"].decay_rate
    assert PRESETS["balanced"].irrelevant_chunk_penalty == penalty
    for similarity in (0.7, 0.6):
        assert f"{similarity - penalty:.2f}" in text
    assert 0.6 - penalty < PRESETS["balanced"].minimum_value < 0.7 - penalty
    assert f"rank {floor(decay * log(1 / penalty))} at similarity 1" in text
    assert f"rank {floor(decay * log(0.7 / penalty))} at 0.7" in text


def test_the_point_where_a_document_is_one_segment_is_computed_right():
    text = section("How long are segments?")
    assert "With 20, 1 and 300 that turns positive\nbelow 0.067" in text
    assert f"{20 * 1 / 300:.3f}" == "0.067"


def read(name, row):
    """Rows of a CSV file in their own types."""
    with (DOCS / "figures" / name).open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    kinds = {"bool": lambda text: text == "True"} | {k.__name__: k for k in (int, float, str)}
    types = {key: kinds[kind.__forward_arg__] for key, kind in row.__annotations__.items()}
    return [row(**{key: types[key](text) for key, text in line.items()}) for line in lines]


def between(name):
    return re.search(
        rf"<!-- table: {name} -->\n(.*?)\n<!-- end of table -->", PAGE, re.DOTALL
    ).group(1)


def test_the_table_of_lengths_is_the_one_in_the_file():
    rows = read("segment_length.csv", Length)
    assert between("segment length") == length_table(rows)
    (questions,) = {row.questions for row in rows if row.group == "real"}
    assert f"({questions} real ones)" in section("How long are segments?")
    assert {(row.penalty, row.documented_low, row.documented_high) for row in rows} == {
        (penalty, *ends) for penalty, ends in DOCUMENTED.items()
    }


def test_the_table_of_the_question_is_the_one_in_the_file():
    assert between("relevance strip") == choice_table(read("relevance_strip.csv", Choice))


def test_every_file_it_points_to_is_there():
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", PAGE)
    assert len(targets) >= 4
    for target in targets:
        assert (DOCS / target).exists(), target
