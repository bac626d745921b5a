"""Windows, sections, merged sections and whole documents."""

from __future__ import annotations

from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baselines import Documents, Merge, Parent, TopK, Window
from bench.contract import check_segments
from rse import Hits, Layout

#   document 0: chunks 0-3, sections 0 0 0 1; document 1: none; document 2: chunks 4-9
LAYOUT = Layout([0, 4, 4, 10], [100] * 10, parent=[0, 0, 0, 1, 2, 2, 3, 3, 3, 3])
PLAIN = Layout([0, 4, 4, 10], [100] * 10)


def runs(segments):
    return [(s.first, s.last, s.score) for s in segments]


def hits(**scores):
    return Hits([int(name[1:]) for name in scores], list(scores.values()))


def test_a_window_ends_with_its_document():
    found = Window(k=2, size=1).select([hits(c3=0.9, c4=0.5)], PLAIN)
    assert runs(found) == [(2, 4, 0.9), (4, 6, 0.5)]  # they touch, in two documents
    assert runs(Window(size=99).select([hits(c5=0.9)], PLAIN)) == [(4, 10, 0.9)]
    assert runs(Window(size=2**70).select([hits(c0=0.9)], PLAIN)) == [(0, 4, 0.9)]


def test_windows_that_overlap_or_touch_are_one_transitively():
    long = Layout([0, 40], [1] * 40)
    # 9-11 and 15-17 meet through 12-14 only, which comes last.
    found = Window(k=4).select([hits(c16=0.9, c30=0.8, c10=0.7, c13=0.1)], long)
    assert runs(found) == [(9, 18, 0.9), (29, 32, 0.8)]
    found = Window(k=3).select([hits(c16=0.9, c30=0.8, c10=0.7, c13=0.1)], long)
    assert runs(found) == [(15, 18, 0.9), (29, 32, 0.8), (9, 12, 0.7)]
    assert runs(Window(size=0).select([hits(c2=0.2, c1=0.1, c4=0.1)], long)) == [
        (1, 3, 0.2),
        (4, 5, 0.1),
    ]


def test_a_wide_window_swallows_a_later_hit_inside_it():
    found = Window(k=2, size=3).select([hits(c8=0.6, c6=0.5)], PLAIN)
    assert runs(found) == [(4, 10, 0.6)]


def test_sections_come_whole_in_the_order_of_their_best_hits():
    found = Parent(k=2).select([hits(c7=0.9, c6=0.8, c1=0.7, c3=0.6)], LAYOUT)
    assert runs(found) == [(6, 10, 0.9), (0, 3, 0.7)]
    assert runs(Parent().select([hits(c3=0.4)], LAYOUT)) == [(3, 4, 0.4)]


def test_a_section_never_leaves_its_document():
    layout = Layout([0, 2, 4], [1] * 4, parent=[5, 5, 5, 5])
    assert runs(Parent().select([hits(c2=0.5, c1=0.5)], layout)) == [(2, 4, 0.5), (0, 2, 0.5)]


def test_more_than_the_share_gives_way_to_the_section():
    given = hits(c6=0.9, c8=0.5, c4=0.4, c0=0.3, c2=0.2)
    # Section 3 has 2 of 4 hits, section 2 1 of 2: not more than half. Section 0 has 2 of 3.
    assert runs(Merge(share=0.5).select([given], LAYOUT)) == [
        (6, 7, 0.9),
        (8, 9, 0.5),
        (4, 5, 0.4),
        (0, 3, 0.25),
    ]
    # The mean of 0.9 and 0.5 is below 0.9, but no single chunk has more here.
    assert [s[:2] for s in runs(Merge(share=0.49).select([given], LAYOUT))] == [
        (6, 10),
        (4, 6),
        (0, 3),
    ]
    # Among the first 4 only one chunk of section 0 is left.
    assert runs(Merge(k=4).select([given], LAYOUT))[-1] == (0, 1, 0.3)


def test_a_merged_section_ranks_by_its_mean():
    found = Merge(k=3).select([hits(c4=0.9, c3=0.6, c5=0.1)], LAYOUT)
    assert runs(found) == [(3, 4, 0.6), (4, 6, 0.5)]


def test_share_at_its_ends():
    given = [hits(c0=0.9, c1=0.8, c2=0.7, c6=0.1)]
    assert runs(Merge(share=1).select(given, LAYOUT)) == runs(TopK().select(given, LAYOUT))
    assert [s[:2] for s in Merge(share=0).select(given, LAYOUT)] == [(0, 3), (6, 10)]


def test_whole_documents_by_their_best_hit():
    given = hits(c5=0.9, c6=0.8, c1=0.7)
    assert runs(Documents().select([given], PLAIN)) == [(4, 10, 0.9), (0, 4, 0.7)]
    assert runs(Documents(k=1).select([given], PLAIN)) == [(4, 10, 0.9)]


MADE = [Window(k=3), Parent(k=3), Merge(k=3), Documents()]


@pytest.mark.parametrize("made", MADE)
def test_several_queries_take_turns(made):
    # Interleaved: 1, 8, 5, 2; the two of three documents' best hits are 1 (0.2) and 8 (0.9).
    two = [hits(c1=0.2, c5=0.1), hits(c8=0.9, c1=0.8, c2=0.7)]
    found = made.select(two, LAYOUT)
    assert [s.score for s in found] == sorted((s.score for s in found), reverse=True)
    alone = made.select([Hits([1, 8, 5, 2], [0.2, 0.9, 0.1, 0.7])], LAYOUT)
    assert sorted(found) == sorted(alone)


@pytest.mark.parametrize("made", MADE)
def test_no_hits(made):
    assert made.select([], LAYOUT) == []
    assert made.select([Hits([], []), Hits([], [])], LAYOUT) == []
    assert made.select([Hits([], [])], Layout([0], [], parent=[])) == []


@pytest.mark.parametrize("made", MADE)
def test_equal_scores_keep_their_rank(made):
    found = made.select([Hits([8, 0], [0.8, 0.8])], LAYOUT)
    assert [s.first >= 4 for s in found] == [True, False]


@pytest.mark.parametrize("made", MADE)
def test_refuses_chunks_that_do_not_exist(made):
    with pytest.raises(ValueError, match="a hit names chunk 10"):
        made.select([Hits([10], [1.0])], LAYOUT)


@pytest.mark.parametrize("made", [Parent(), Merge()])
@pytest.mark.parametrize("given", [[], [hits(c1=0.5)]])
def test_no_sections_is_an_error_that_names_the_chunkers(made, given):
    with pytest.raises(ValueError, match=r"no sections.*markdown, page and parent_child"):
        made.select(given, PLAIN)


@pytest.mark.parametrize("made", [Parent(), Merge()])
def test_numbers_that_fall_are_refused(made):
    layout = Layout([0, 3, 6], [1] * 6, parent=[0, 1, 2, 0, 1, 2])
    with pytest.raises(ValueError, match=r"Layout\.parent must never fall"):
        made.select([hits(c1=0.9, c3=0.8, c4=0.7)], layout)


@pytest.mark.parametrize(
    ("kind", "parameters", "message"),
    [
        (Window, {"k": 0}, "k must be a whole number of 1 or more"),
        (Window, {"size": -1}, "size must be a whole number of 0 or more"),
        (Window, {"width": 1}, "no parameter 'width'; there are: k, size"),
        (Parent, {"k": 1.5}, "k must be"),
        (Merge, {"k": True}, "k must be"),
        (Merge, {"share": 1.01}, r"share must be a number in \[0, 1\], got 1.01"),
        (Documents, {"k": 0}, "k must be"),
    ],
)
def test_refuses_what_cannot_be(kind, parameters, message):
    with pytest.raises(ValueError, match=message):
        kind(**parameters)


@st.composite
def cases(draw):
    """Make a layout with sections, and hits of one to three queries."""
    sizes = draw(st.lists(st.integers(0, 9), min_size=1, max_size=5))
    start = np.cumsum([0, *sizes])
    total = int(start[-1])
    steps = [draw(st.integers(0, 1)) for _ in range(total)]
    for first in start[:-1]:
        if first < total:
            steps[first] = 1
    layout = Layout(start, [1] * total, parent=np.cumsum(steps).astype(int))
    rankings = []
    for _ in range(draw(st.integers(1, 3))):
        chunks = draw(st.lists(st.integers(0, max(total - 1, 0)), unique=True, max_size=total))
        levels = draw(st.lists(st.integers(0, 8), min_size=len(chunks), max_size=len(chunks)))
        scores = sorted((level / 8 for level in levels), reverse=True)
        rankings.append(Hits(chunks if total else [], scores if total else []))
    return layout, rankings


def interleaved(rankings):
    """Take turns by hand."""
    seen = {}
    for rank in range(max(map(len, rankings))):
        for one in rankings:
            if rank < len(one):
                seen.setdefault(int(one.chunk[rank]), float(one.score[rank]))
    return list(seen.items())


def by_hand(groups, best):
    """List the runs of chunks of equal name, with the scores of the first hit in each."""
    found = {}
    for chunk, score in best:
        for members in groups:
            if chunk in members:
                found.setdefault((members[0], members[-1] + 1), score)
    return found


def grouped(layout, key):
    groups = {}
    for chunk in range(len(layout)):
        groups.setdefault((int(layout.document(chunk)), key(chunk)), []).append(chunk)
    return list(groups.values())


@given(cases(), st.integers(1, 6), st.integers(0, 3), st.sampled_from([0, 0.25, 0.5, 0.75, 1]))
def test_legal_and_what_the_definition_says(case, k, size, share):
    layout, rankings = case
    ranking = interleaved(rankings)
    window = Window(k=k, size=size).select(rankings, layout)
    parent = Parent(k=k).select(rankings, layout)
    merge = Merge(k=k, share=share).select(rankings, layout)
    document = Documents(k=k).select(rankings, layout)
    for found in (window, parent, merge, document):
        check_segments(found, layout)
        scores = [s.score for s in found]
        assert scores == sorted(scores, reverse=True)
    sections = grouped(layout, lambda chunk: int(layout.parent[chunk]))
    whole = by_hand(sections, ranking)
    assert {s[:2]: s.score for s in parent} == dict(list(whole.items())[:k])
    whole = by_hand(grouped(layout, lambda _: 0), ranking)
    assert {s[:2]: s.score for s in document} == dict(list(whole.items())[:k])
    covered = {
        chunk
        for hit, _ in ranking[:k]
        for chunk in range(hit - size, hit + size + 1)
        if 0 <= chunk < len(layout) and layout.document(chunk) == layout.document(hit)
    }
    joined = grouped(layout, lambda c: sum(i not in covered for i in range(c)))
    islands = [[c for c in group if c in covered] for group in joined]
    expected = by_hand([island for island in islands if island], ranking[:k])
    assert {s[:2]: s.score for s in window} == expected
    assert {s[:2]: s.score for s in merge} == merged(sections, ranking[:k], share)


def merged(sections, ranking, share):
    found = {}
    for members in sections:
        inside = [(chunk, score) for chunk, score in ranking if chunk in members]
        if len(inside) / len(members) > share:
            mean = fsum(score for _, score in inside) / len(inside)
            found[members[0], members[-1] + 1] = mean
        else:
            found |= {(chunk, chunk + 1): score for chunk, score in inside}
    return found
