"""The tables and the numbers that docs/rse.md reads in them are those of the committed results."""

from __future__ import annotations

import csv
import re
from functools import cache
from math import isnan
from pathlib import Path

import pytest

from bench.engine.earlier import table as earlier
from bench.engine.page import AIM, aim, table
from bench.engine.rows import EVEN
from bench.figures.table import margin_text

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results/reference/engine"
PAGE = (ROOT / "docs/rse.md").read_text(encoding="utf-8")
SHORT, LONG, DOCS = "chunking_evaluation", "qmsum", "pydata-docs"
POOLS = [(name, size) for name in (SHORT, LONG, DOCS) for size in (800, 400)]
TEXTS = {
    "pool",
    "family",
    "best_rse",
    "preset",
    "choice",
    "chosen_on",
    "nearest",
    "form",
    "feature",
}


@cache
def rows(name, folder=RESULTS):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
        return [
            {k: v if k in TEXTS else float(v or "nan") for k, v in row.items()}
            for row in csv.DictReader(lines)
        ]


def tables(folder):
    names = ("families", "presets", "costs", "weights")
    return {name: rows(name, folder) for name in names if (folder / f"{name}.csv").exists()}


def between(path, name):
    place = rf"<!-- table: {name} -->\n(.*?)\n?<!-- end of table -->"
    return re.search(place, path.read_text(encoding="utf-8"), re.DOTALL)[1]


def find(name, dataset, size, **named):
    pool = f"{dataset} / recursive[size={size}]"
    named |= {"pool": pool}
    found = [one for one in rows(name) if all(one[key] == value for key, value in named.items())]
    assert found, named
    return found


def one(name, dataset, size, **named):
    (row,) = find(name, dataset, size, **named)
    return row


def points(value):
    return f"{100 * value:.1f}"


def lost(row):
    return row["high_margin"] < 0


def read():
    """What the page reads in the tables, its words parted by one blank."""
    text = PAGE.partition("What we read in it:")[2].partition("All families, intervals")[0]
    return " ".join(text.split())


def test_the_tables_are_those_of_the_committed_results():
    page = ROOT / "docs/rse.md"
    assert between(page, "engine") == table(rows("families"))
    assert between(page, "price and RSE") == aim(rows("families"))


def test_the_comparison_with_earlier_figures_is_that_of_the_committed_results():
    expected = earlier(tables(RESULTS), tables(RESULTS / "without_repeats"))
    assert between(RESULTS / "README.md", "earlier figures") == expected


@pytest.mark.parametrize(
    "family", ["rse balanced / minmax", "rse retuned / minmax", "rse retuned / max"]
)
def test_on_a_scale_rse_with_its_penalty_traced_loses_nowhere_for_sure(family):
    assert not [
        row for pool in POOLS for row in find("families", *pool, family=family) if lost(row)
    ]
    assert "On min-max scores `balanced` with its penalty traced loses nowhere for sure" in read()
    assert "nor does RSE with `minimum_value` 0.1 and no caps on min-max or max scores" in read()


def test_raw_cosines():
    raw = [
        one("families", SHORT, s, family="rse balanced / none", mean_tokens=500) for s in (800, 400)
    ]
    first, second = (points(-row["margin"]) for row in raw)
    assert (
        f"by {first} points at 500 tokens under 800-character chunks, {second} under 400" in read()
    )
    for size in (800, 400):
        assert find("families", LONG, size, family="rse balanced / none")[0]["low_margin"] > 0
    rows = find("families", SHORT, 800, family="rse retuned / none")
    losses = {int(row["mean_tokens"]): points(-row["margin"]) for row in rows if lost(row)}
    assert list(losses) == [500, 1000]
    assert f"{losses[500]} points at 500 tokens and {losses[1000]} at 1,000" in read()


def gains_of_cost(dataset):
    rows = [row for size in (800, 400) for row in find("costs", dataset, size, segment_cost=0.3)]
    return [row for row in rows if not isnan(row["margin_free"])]


def test_a_cost_of_segments_gains_where_evidence_is_long_and_loses_nothing_for_sure():
    for dataset in (SHORT, LONG, DOCS):
        assert not [row for row in gains_of_cost(dataset) if row["high_free"] < 0]
    ends = {}
    for dataset in (SHORT, LONG, DOCS):
        values = [row["margin_free"] for row in gains_of_cost(dataset)]
        ends[dataset] = f"{100 * min(values):.1f}", f"{100 * max(values):.1f}"
    assert "{} to {} points on meetings".format(*ends[LONG]) in read()
    assert "{} to {} on `pydata-docs`".format(*ends[DOCS]) in read()
    assert "between {} and +{} on `chunking_evaluation`".format(*ends[SHORT]) in read()
    dear = one("costs", SHORT, 800, segment_cost=0.6, mean_tokens=500)
    assert f"With 0.6 the optimum loses {points(-dear['margin'])} points to top-k" in read()


def test_the_price_is_ahead_of_topk():
    cells = [
        row
        for dataset in (SHORT, LONG)
        for size in (800, 400)
        for row in find("families", dataset, size, family="priced, cross-fitted / cosine")
    ]
    assert len(cells) == 16
    (unsure,) = (row for row in cells if row["low_margin"] <= 0)
    assert unsure["margin"] > 0
    assert (unsure["pool"], unsure["mean_tokens"]) == (f"{SHORT} / recursive[size=800]", 4000)
    unsure = [
        (size, row["mean_tokens"])
        for size in (800, 400)
        for row in find("families", DOCS, size, family="priced, cross-fitted / cosine")
        if row["low_margin"] <= 0
    ]
    assert unsure == [(400, 500)]
    assert "ahead for sure but for 500 tokens under 400-character chunks." in read()


def test_the_aim_against_rse():
    cells = {
        (dataset, size, family, row["mean_tokens"]): row
        for dataset, size in POOLS
        for family in AIM
        for row in find("families", dataset, size, family=family)
    }
    assert not [row for row in cells.values() if row["high_rse"] < 0]
    aimed = {key: row for key, row in cells.items() if key[0] != DOCS}
    met = [key for key, row in aimed.items() if row["low_rse"] > 0]
    below = [key for key, row in aimed.items() if row["margin_rse"] < 0]
    long = [key for key in met if key[0] == LONG]
    assert f"in {len(met)} of {len(aimed)} cells, {len(long)} of them on meetings" in read()
    assert f"{len(aimed) - len(met)} are undecided, {len(below)} of these below 0" in read()
    assert {key[0] for key in below} == {SHORT}
    assert not [key for key in below if "bm25" in key[2]]
    assert {key[3] for key in long} == {500, 1000}
    assert len({row["best_rse"] for row in cells.values() if "bm25" not in row["best_rse"]}) > 3


def test_a_choice_without_labels_fails():
    near = [row for row in rows("transfer") if row["nearest"] == "True"]
    cosine = [row for row in near if row["choice"] == "cosine"]
    behind = [row for row in cosine if row["high_own"] < 0]
    worst = points(-min(row["margin_own"] for row in cosine))
    assert f"for sure in {len(behind)} of {len(cosine)} cells, by up to {worst} points" in read()
    both = [row for row in near if row["choice"] == "cosine and bm25"]
    assert (
        f"matters little: {points(-min(row['margin_own'] for row in both))} points at most"
        in read()
    )
    pairs = [
        (row["margin"], other["margin"])
        for row in cosine
        for other in rows("transfer")
        if other["nearest"] == "False" and LONG in row["pool"]
        and all(row[key] == other[key] for key in ("pool", "choice", "mean_tokens"))
    ]  # fmt: skip
    better = sum(unlike > like for like, unlike in pairs)
    assert f"has the better knobs in {better} of {len(pairs)} cells" in read()


def test_what_the_oracle_reaches():
    for family, words in (
        ("oracle", "reaches {} to {} % with 1,000"),
        (EVEN, "and {} to {} % with the same"),
    ):
        found = [
            one("families", *pool, family=family, mean_tokens=1000)["recall"] for pool in POOLS
        ]
        assert words.format(*(f"{100 * value:.0f}" for value in (min(found), max(found)))) in read()


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (
            800,
            "is under 800-character chunks {} beside {} for the hit's own score on meetings, "
            "{} beside {} on short evidence",
        ),
        (400, "under 400 {} beside {} and {} beside {}"),
    ],
)
def test_weights_of_neighbours_and_of_the_score(size, words):
    values = [
        one("weights", dataset, size, form="share[score, neighbours]", feature=feature)["mean"]
        for dataset in (LONG, SHORT)
        for feature in ("neighbours", "score")
    ]
    assert words.format(*(f"{value:.1f}" for value in values)) in read()


def gains(dataset, size, of, over):
    pairs = zip(
        find("families", dataset, size, family=of),
        find("families", dataset, size, family=over),
        strict=True,
    )
    return [100 * (a["recall"] - b["recall"]) for a, b in pairs]


def test_what_bm25_adds():
    both = "priced, cross-fitted / cosine and bm25", "priced, cross-fitted / cosine"
    first, second = (gains(SHORT, size, *both)[0] for size in (800, 400))
    assert (
        f"{first:.1f} points at 500 tokens under 800-character chunks, {second:.1f} under 400"
        in read()
    )
    long = [value for size in (800, 400) for value in gains(LONG, size, *both)]
    assert f"on meetings between {min(long):.1f} and +{max(long):.1f}" in read()


def smoothed(dataset, form):
    return [
        value
        for size in (800, 400)
        for opening, own in ((160, 0.6), (320, 0.3))
        for value in gains(
            dataset,
            size,
            f"priced[segment_tokens={opening}] / {form.format(own)}",
            f"priced[segment_tokens={opening}] / share[score]",
        )
    ]


def test_smoothing_by_hand_and_neighbours_among_the_features():
    blurred, around = "share[score], smooth[own={}]", "share[score, neighbours]"
    assert f"adds up to {max(smoothed(LONG, blurred)):.1f} points" in read()
    assert f"takes up to {-min(smoothed(SHORT, blurred)):.1f} from short answers" in read()
    assert f"add as much, up to {max(smoothed(LONG, around)):.1f}," in read()
    assert f"take {-min(smoothed(SHORT, around)):.1f} at most" in read()


def test_shares_do_not_travel():
    losses = {
        opening: find(
            "families", SHORT, 800,
            family=f"priced[segment_tokens={opening}] / share[score, neighbours] of other datasets",
        )[0]
        for opening in (80, 320)
    }  # fmt: skip
    assert lost(losses[320])
    assert not lost(losses[80])
    unsure, sure = (points(-row["margin"]) for row in losses.values())
    assert f"lose {sure} points to top-k for sure at 500 tokens on `chunking_evaluation`" in read()
    assert f"`segment_tokens` 320, and {unsure}, which is not sure, with 80" in read()
    card = " ".join((ROOT / "rse/calibration/share.md").read_text(encoding="utf-8").split())
    assert f"*loses* {sure} points to top-k at 500 tokens" in card
    assert f"and {unsure}, which is not sure, with 80" in card


def signal(name):
    report = (RESULTS / "engine.md").read_text(encoding="utf-8")
    parts = (part.split("\n", 1) for part in report.split("\n## ")[1:])
    return {pool: float(re.search(rf"^- {name}: (\S+)", part, re.M)[1]) for pool, part in parts}


def test_how_many_questions_and_how_long_their_evidence():
    words = " ".join(PAGE.split())
    for dataset, between in ((SHORT, "the longest passage of evidence "), (DOCS, ""), (LONG, "")):
        pool = f"{dataset} / recursive[size=800]"
        questions = signal("questions")[pool]
        characters = signal("median_characters_of_longest_passage")[pool]
        about = "about meetings, " if dataset == LONG else ""
        gap = ", " if dataset != LONG else " "
        said = f"`{dataset}`, {questions:.0f} questions{gap}{about}{between}"
        assert f"{said}{characters:,.0f} characters" in words


def test_how_scores_hang_together():
    found = signal("correlation_with_neighbours")
    shown = [
        [f"{found[f'{dataset} / recursive[size={size}]']:.2f}" for dataset in (SHORT, DOCS, LONG)]
        for size in (800, 400)
    ]
    assert "{}, {} and {} under 800-character chunks".format(*shown[0]) in read()
    assert "{}, {} and {} under 400".format(*shown[1]) in read()


def test_the_card_of_the_shipped_shares_quotes_the_committed_results():
    card = (ROOT / "rse/calibration/share.md").read_text(encoding="utf-8")
    said = " ".join(card.split())
    for size in (800, 400):
        rows = find("families", DOCS, size, family="priced[segment_tokens=80] / default share")
        cells = [
            margin_text(row["margin"], row["low_margin"], row["high_margin"], bare=True)
            for row in rows
        ]
        assert f"| {size} characters | {' | '.join(cells)} |" in card
        behind = [points(-row["margin_rse"]) for row in rows if row["high_rse"] < 0]
        assert not [row for row in rows if row["low_rse"] > 0]
        if size == 800:
            assert "but for {} points behind at 4,000 tokens".format(*behind) in said
        else:
            assert "behind by {}, {} and {} points from 1,000 on".format(*behind) in said


def test_where_the_causes_named_beside_earlier_figures_are_removed_the_figures_agree():
    """Top-k without the repeats, the oracle with the same tokens for all, smoothing with itself."""
    plain = rows("families", RESULTS / "without_repeats")

    def recall(found, pool, family, key="recall"):
        return [100 * row[key] for row in found if (row["pool"], row["family"]) == (pool, family)]

    for size, earlier_top in ((800, (70.7, 82.1, 89.7)), (400, (75.8, 84.4, 91.5))):
        top = recall(plain, f"{SHORT} without repeats / recursive[size={size}]", "topk")
        assert top[:3] == pytest.approx(earlier_top, abs=1)
    even = recall(rows("families"), f"{LONG} / recursive[size=800]", EVEN)
    assert even == pytest.approx((64.6, 83.1, 93.1, 98.7), abs=1.2)
    pool, was = f"{SHORT} without repeats / recursive[size=800]", (-5.2, -1.3, 0.4, -0.3)
    far = [
        sum(abs(a - b) for a, b in zip(recall(plain, pool, family, "margin"), was, strict=True))
        for own in (0.3, 0.44)
        for family in [f"priced[segment_tokens=320] / share[score], smooth[own={own}]"]
    ]
    assert far[1] < far[0] / 4
