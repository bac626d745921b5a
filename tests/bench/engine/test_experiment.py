"""The experiment on made-up documents, with a retriever that guesses."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from bench.chunking import Fixed
from bench.corpus import cut
from bench.engine import pool as pool_module
from bench.engine.crossfit import FORMS, CrossFit
from bench.engine.experiment import run
from bench.engine.pool import assign, pool
from bench.engine.report import TABLES, write
from bench.family import Family
from bench.progress import Progress
from bench.retrieval.retriever import Found
from bench.tokens import tokenizer
from bench.types import Dataset, Document, Question, Span
from rse import Hits
from rse.calibration import Share

WORDS = ["boats", "harbour", "quay", "noon", "tide", "rope", "crane", "cargo", "pilot", "signal"]


def made(rng, documents=6, questions=12):
    """Documents of random words, questions whose gold is a stretch of one document."""
    texts = {f"d{i}": " ".join(rng.choice(WORDS, 600)) for i in range(documents)}
    asked = []
    for i in range(questions):
        doc = f"d{i % documents}"
        start = int(rng.integers(0, 700))
        gold = ((Span(doc, start, start + int(rng.integers(60, 400))),),)
        asked.append(Question(f"q{i}", "Where is the boat?", gold, scope=(doc,)))
    asked.append(Question("none", "Nothing?", (), scope=("d0",)))
    held = {name: Document(name, text) for name, text in texts.items()}
    return Dataset("made", "1", held, tuple(asked))


class Guess:
    """Scores chunks at random, higher where they hold gold."""

    def __init__(self, corpus, dataset):
        self.corpus = corpus
        self.gold = iter([q for q in dataset.questions if q.gold])
        self.rng = np.random.default_rng(7)

    def find(self, queries, depth, documents, neighbours=0):
        (span,) = next(self.gold).gold[0]
        start, end = (
            self.corpus.layout.start[documents[0]],
            self.corpus.layout.start[documents[0] + 1],
        )
        chunks = np.arange(start, end)
        spans = [self.corpus.chunk_span(c) for c in chunks.tolist()]
        held = np.array([max(0, min(s.end, span.end) - max(s.start, span.start)) for s in spans])
        score = np.clip(0.3 * (held > 0) + 0.5 * self.rng.random(len(chunks)), 0, 1)
        near = np.full((len(chunks), 2 * neighbours), np.nan)
        for column, offset in enumerate([-2, -1, 1, 2]):
            inside = (np.arange(len(chunks)) + offset >= 0) & (
                np.arange(len(chunks)) + offset < len(chunks)
            )
            near[inside, column] = score[np.flatnonzero(inside) + offset]
        order = np.argsort(-score, kind="stable")
        hits = Hits(chunks[order], score[order], {"neighbours": near[order]})
        return Found((hits,), 0.0, 0.0, 0)


@pytest.fixture
def held(monkeypatch):
    dataset = made(np.random.default_rng(3))

    def prepare(dataset, name, threads, progress):
        corpus = cut(dataset, Fixed(size=60, unit="characters"), tokenizer("o200k_base"))
        return Family(name, dataset, corpus, Guess(corpus, dataset))

    monkeypatch.setattr(pool_module, "prepare", prepare)
    return pool(dataset, "fixed[size=60,unit=characters]", 3, 0, Progress())


def test_folds_split_by_document_and_are_the_same_each_time():
    questions = [q for q in made(np.random.default_rng(3)).questions if q.gold]
    folds = assign(questions, 3, 0)
    assert folds == assign(questions, 3, 0)
    assert sorted(set(folds)) == [0, 1, 2]
    of = {}
    for question, fold in zip(questions, folds, strict=True):
        assert of.setdefault(question.scope, fold) == fold
    assert len(set(assign(questions, 99, 0))) == 6  # no more folds than documents


@pytest.mark.outside
def test_no_question_is_judged_by_a_fit_on_its_own_documents(held, monkeypatch):
    fitted = []

    def fit(self, examples):
        fitted.append(examples)
        return Share(weights=(1.0,) * 3)

    monkeypatch.setattr(Share, "fit", fit)
    cross = CrossFit(held)
    cross.run(FORMS[:1])
    assert len(fitted) == 3
    for fold, examples in enumerate(fitted):
        seen = {
            document
            for one in examples
            for document in held.corpus.layout.document(one.hits.chunk).tolist()
        }
        judged = {d for asked in held.asked if asked.fold == fold for d in asked.documents}
        assert seen
        assert not seen & judged


def test_questions_without_gold_take_no_part_and_are_counted(held):
    assert len(held.asked) == 12
    assert held.excluded == 1


@pytest.mark.outside
def test_everything_is_written_and_the_same_when_run_again(held, tmp_path):
    result = run(held)
    assert {row["family"] for row in result.families} >= {
        "topk",
        "rse balanced / none",
        "rse balanced / minmax",
        "rse retuned / max",
        "optimal retuned[segment_cost=0] / minmax",
        "optimal retuned[segment_cost=0.3] / minmax",
        "priced, cross-fitted / cosine",
        "oracle",
    }
    write(tmp_path / "a", [result], {"seed": 0})
    write(tmp_path / "b", [run(held)], {"seed": 0})
    names = [f"{table}.csv" for table in TABLES] + ["engine.md", "figures/pool0.svg"]
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    with (tmp_path / "a" / "families.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    top = [row for row in rows if row["family"] == "topk" and row["margin"]]
    assert top
    assert all(float(row["margin"]) == 0 for row in top)
    assert "nan" not in (tmp_path / "a" / "engine.md").read_text(encoding="utf-8")
