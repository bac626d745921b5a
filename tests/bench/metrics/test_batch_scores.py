"""Compiled scoring of many answers against the metrics one by one, in both forms of the kernels."""

from __future__ import annotations

from contextlib import nullcontext
from math import isnan
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.chunking import Fixed
from bench.corpus import Corpus, cut
from bench.errors import UserError
from bench.metrics import tokens
from bench.metrics.batch import score_records, token_maps
from bench.metrics.intervals import union
from bench.metrics.spans import NAMES, score
from bench.tokens import TokenMap, tokenizer
from bench.types import Context, Dataset, Document, Question, Record, Span
from rse import Layout
from rse.compiled import uncompiled

SPAN = st.builds(
    lambda doc, start, length: Span(doc, start, start + length),
    st.sampled_from("ab"),
    st.integers(0, 20),
    st.integers(-2, 9),  # some are empty, some end before they start
)
WANTED = SPAN.filter(lambda span: span.end > span.start)
SPANS = st.lists(SPAN, max_size=6)
GOLD = st.lists(st.lists(WANTED, min_size=1, max_size=3).map(tuple), max_size=4).map(tuple)
STARTS = st.lists(st.integers(0, 25), max_size=20).map(sorted)
ASKED = st.lists(st.tuples(GOLD, st.lists(SPANS, max_size=3)), min_size=1, max_size=3)
BUDGETS = (0, 1, 2, 3, 5, 8, 99)


@pytest.fixture(params=["compiled", "python"])
def form(request):
    return uncompiled if request.param == "python" else nullcontext


def record(question, spans):
    return Record("made", "arm", question, Context(tuple(spans), 0), (), 0, {}, {})


def without_chunks(starts):
    """Make a corpus that knows nothing but where tokens begin."""
    nothing = np.empty(0, np.int64)
    layout = Layout(np.zeros(len(starts) + 1, np.int64), nothing)
    number = {doc: place for place, doc in enumerate(starts)}
    maps = tuple(TokenMap(np.array(one, np.int64)) for one in starts.values())
    return Corpus((), number, maps, *[nothing] * 4, layout, overlapping=False)


def one_by_one(corpus, spans, gold, budgets=BUDGETS):
    at_budgets = {
        f"recall_at_{budget}": tokens.recall(union(tokens.cut(corpus, spans, budget)), gold)
        for budget in budgets
    }
    return score(spans, gold) | {"tokens": corpus.tokens(spans)} | at_budgets


@settings(max_examples=150)
@given(ASKED, STARTS, STARTS)
def check_same(asked, a, b):
    corpus = without_chunks({"a": a, "b": b, "unused": []})
    maps = dict(zip(corpus.number, corpus.maps, strict=True))
    questions = [Question(f"q{n}", "?", gold=gold) for n, (gold, _) in enumerate(asked)]
    answers = [(n, spans) for n, (_, several) in enumerate(asked) for spans in several][::-1]
    records = [record(f"q{n}", spans) for n, spans in answers]
    found = score_records(maps, records, questions, BUDGETS)
    assert list(found) == [*NAMES, "tokens", *(f"recall_at_{budget}" for budget in BUDGETS)]
    for place, (n, spans) in enumerate(answers):
        row = {name: values[place] for name, values in found.items()}
        expected = one_by_one(corpus, spans, questions[n].gold)
        assert row == pytest.approx(expected, abs=1e-12, rel=0, nan_ok=True)
        assert (row["recall"] == 1) == (expected["recall"] == 1)  # exactly, whatever rounding says
        assert row["hit"] == expected["hit"] or isnan(expected["hit"])


def test_same_numbers_as_one_by_one(form):
    with form():
        check_same()


def test_real_tokens_and_the_budgets_of_reports(form):
    texts = {"a": "Boats leave at noon from the quay. " * 300, "b": "船は正午に出ます。🙂" * 300}
    documents = {name: Document(name, text) for name, text in texts.items()}
    made = Dataset("made", "0", documents, ())
    corpus = cut(made, Fixed(size=50), tokenizer("o200k_base"))
    rng = np.random.default_rng(0)

    def span(longest):
        doc = str(rng.choice(["a", "b"]))
        start = int(rng.integers(0, len(texts[doc]) - 1))
        return Span(doc, start, min(len(texts[doc]), start + int(rng.integers(1, longest))))

    gold = tuple((span(900), span(900)) for _ in range(5))
    answers = [[span(1500) for _ in range(rng.integers(0, 12))] for _ in range(40)]
    records = [record("q", spans) for spans in answers]
    with form():
        found = score_records(token_maps(corpus), records, [Question("q", "?", gold=gold)])
    for place, spans in enumerate(answers):
        expected = score(spans, gold) | tokens.recall_at_budgets(corpus, spans, gold)
        expected["tokens"] = corpus.tokens(spans)
        row = {name: values[place] for name, values in found.items()}
        assert row == pytest.approx(expected, abs=1e-12, rel=0)
    assert (found["recall_at_500"] < found["recall_at_1000"]).sum() > 10  # cuts fall inside


def test_documents_do_not_run_together():
    maps = {"a": TokenMap(np.array([0, 5])), "b": TokenMap(np.array([0, 5]))}
    asked = [Question("q", "?", gold=((Span("b", 0, 3),),))]
    # Longer than its document: what lies behind its last token is no part of the next one.
    found = score_records(maps, [record("q", [Span("a", 0, 90)])], asked, [1])
    assert found["recall"] == 0
    assert found["tokens"] == 2


def test_no_records_and_no_gold():
    assert all(len(values) == 0 for values in score_records({}, [], []).values())
    maps = {"a": TokenMap(np.array([0, 5]))}
    found = score_records(maps, [record("q", [Span("a", 0, 9)])], [Question("q", "?")], [1])
    assert found.pop("tokens") == 2
    assert all(isnan(values[0]) for values in found.values())


@pytest.mark.parametrize(
    ("question", "span", "message"),
    [
        ("q9", Span("a", 0, 1), "'q9'"),
        ("q", Span("z", 0, 1), "no document 'z' .*such as 'a'"),
        ("q", Span("a", -1, 1), "a: a span starts at -1"),
    ],
)
def test_what_is_not_there_is_named(question, span, message):
    maps = {"a": TokenMap(np.array([0, 5]))}
    with pytest.raises(UserError, match=message):
        score_records(maps, [record(question, [span])], [Question("q", "?")])


def many(questions, arms):
    """Make answers of some ten segments each, over documents of 12,000 tokens."""
    rng = np.random.default_rng(0)
    maps = {f"d{n}": TokenMap(np.sort(rng.integers(0, 50_000, 12_000))) for n in range(100)}

    def span(longest):
        start, length = int(rng.integers(0, 45_000)), int(rng.integers(1, longest))
        return Span(f"d{rng.integers(100)}", start, start + length)

    gold = [tuple((span(300), span(300)) for _ in range(3)) for _ in range(questions)]
    asked = [Question(f"q{n}", "?", gold=one) for n, one in enumerate(gold)]
    pool = [span(4000) for _ in range(5000)]
    begins = rng.integers(0, 4900, (arms, questions)).tolist()
    counts = rng.integers(0, 20, (arms, questions)).tolist()
    records = [
        record(f"q{n}", [gold[n][0][0], *pool[begins[a][n] :][: counts[a][n]]])
        for a in range(arms)
        for n in range(questions)
    ]
    return maps, records, asked


@pytest.mark.outside
def test_a_hundred_thousand_answers_in_five_seconds():
    maps, records, asked = many(500, 200)
    assert len(records) == 100_000
    score_records(maps, records[:1], asked)  # compiles, or reads what was compiled
    began = perf_counter()
    found = score_records(maps, records, asked)
    seconds = perf_counter() - began
    assert seconds < 5
    assert found["recall"].mean() > 0.2
    assert not np.isnan(found["iou"]).any()
    for place in range(0, 100_000, 9973):
        spans, question = records[place].context.spans, asked[place % 500]
        expected = score(spans, question.gold)
        assert {name: found[name][place] for name in NAMES} == pytest.approx(expected, abs=1e-12)
