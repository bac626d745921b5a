"""Rerankers behind HTTP, in the forms of three services, with answers right and wrong."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bench.endpoints.client import EndpointError
from bench.endpoints.recipes import Cohere, Jina, Voyage
from bench.errors import UserError
from bench.retrieval.rerank.remote import COHERE, JINA, VOYAGE, RemoteReranker, remote
from tests.bench.endpoints.stub import CLOSE, HANG, HTML, KEY, KEY_ENV, endpoint, serving, written

TEXTS = ["ferry", "kiln", "a very long passage", "x"]
FORMS = {"Cohere": COHERE, "Jina": JINA, "Voyage": VOYAGE}


def right(payload):
    """Score a passage by its length, as a service does: best first."""
    scores = [min(len(text) / 100, 1) for text in payload["documents"]]
    return answer([(i, scores[i]) for i in np.argsort(scores)[::-1].tolist()])


def answer(pairs):
    """Both forms of an answer at once: each reader takes its own."""
    items = [{"index": index, "relevance_score": score} for index, score in pairs]
    return {"results": items, "data": items, "id": "1", "meta": {"secret": KEY}}


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv(KEY_ENV, KEY)
    with serving() as made:
        made.answer = right
        yield made


def reranker(stub, folder, form=JINA, model="stub-1", timeout=60.0, **settings):
    return RemoteReranker(endpoint(stub, folder, timeout=timeout), form, model, **settings)


@pytest.mark.parametrize(
    ("form", "also"),
    [
        ("Cohere", {"top_n": 4, "max_tokens_per_doc": 4096}),
        ("Jina", {"top_n": 4, "return_documents": False}),
        ("Voyage", {"top_k": 4, "truncation": False}),
    ],
)
def test_each_service_is_asked_its_way(stub, tmp_path, form, also):
    made = reranker(stub, tmp_path, FORMS[form])
    assert made.score("boats?", TEXTS).tolist() == [0.05, 0.04, 0.19, 0.01]
    assert made.score("boats?", TEXTS).tolist() == [0.05, 0.04, 0.19, 0.01]
    asked = {"model": "stub-1", "query": "boats?", "documents": TEXTS, **also}
    assert stub.asked == [("/v1/rerank", asked)]
    assert made.name == f"{form} stub-1"
    assert not made.listwise
    assert KEY.encode() not in written(tmp_path)


@pytest.mark.parametrize("form", FORMS.values())
def test_nothing_to_score_asks_nothing(stub, tmp_path, form):
    assert reranker(stub, tmp_path, form).score("q", []).shape == (0,)
    assert stub.asked == []


@pytest.mark.parametrize("batch", [1, 3, 4, 5])
def test_batches_change_no_score(stub, tmp_path, batch):
    made = reranker(stub, tmp_path, batch=batch)
    assert made.score("q", TEXTS).tolist() == [0.05, 0.04, 0.19, 0.01]
    assert [len(payload["documents"]) for _, payload in stub.asked] == {
        1: [1, 1, 1, 1], 3: [3, 1], 4: [4], 5: [4]
    }[batch]  # fmt: skip
    again, seconds = made.timed("q", TEXTS)
    assert again.tolist() == [0.05, 0.04, 0.19, 0.01]
    assert 0 < seconds < 5


def test_a_model_that_compares_gets_all_at_once_or_an_error(stub, tmp_path):
    made = reranker(stub, tmp_path, model="jina-reranker-v3", batch=3)
    assert made.listwise
    assert len(made.score("q", TEXTS[:3])) == 3
    with pytest.raises(UserError, match=r"takes 3 passages at a time.* got 4; use a depth of 3"):
        made.score("q", TEXTS)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([(0, 0.5), (1, 0.4), (2, 0.3)], "scores 3 of 4 passages"),
        ([(0, 0.5), (1, 0.4), (2, 0.3), (2, 0.3)], "scores passage 2 twice"),
        ([(0, 0.5), (1, 0.4), (2, 0.3), (3, 0.2), (3, 0.2)], "scores passage 3 twice"),
        ([(1, 0.5), (2, 0.4), (3, 0.3), (4, 0.2)], "scores passage 4, there are 0 to 3"),
        ([(-1, 0.5), (0, 0.4), (1, 0.3), (2, 0.2)], "scores passage -1, there are 0 to 3"),
        ([(True, 0.5)], "has a result without an index"),
        ([("0", 0.5)], "has a result without an index"),
        ([(0, math.nan)], "has the relevance_score nan for passage 0"),
        ([(0, math.inf)], "has the relevance_score inf for passage 0"),
        ([(0, 10**400)], "has the relevance_score inf for passage 0"),
        ([(0, "0.5")], "has no relevance_score for passage 0"),
        ([(0, None)], "has no relevance_score for passage 0"),
        ([(0, True)], "has no relevance_score for passage 0"),
    ],
)
def test_a_wrong_answer_is_no_score(stub, tmp_path, pairs, message):
    for form in FORMS.values():
        stub.first(answer(pairs))
        made = reranker(stub, tmp_path, form)
        with pytest.raises(EndpointError, match=message) as error:
            made.score("q", TEXTS)
        assert stub.url in str(error.value)
        assert "relevance_score" in str(error.value)
        # Nothing wrong was kept.
        assert made.score("q", TEXTS).tolist() == [0.05, 0.04, 0.19, 0.01]


@pytest.mark.parametrize("wrong", [{}, {"results": {"0": 1}, "data": None}, {"message": "busy"}])
@pytest.mark.parametrize("form", ["Cohere", "Voyage"])
def test_an_answer_without_scores(stub, tmp_path, form, wrong):
    stub.answer = lambda _: wrong
    with pytest.raises(EndpointError, match=f"has no list '{FORMS[form].results}'"):
        reranker(stub, tmp_path, FORMS[form]).score("q", TEXTS)


@pytest.mark.parametrize("items", [[1], [None], ["0"], [[0, 0.5]]])
def test_results_that_are_no_objects(stub, tmp_path, items):
    stub.answer = lambda _: {"results": items}
    with pytest.raises(EndpointError, match="has a result without an index"):
        reranker(stub, tmp_path).score("q", ["one"])


@pytest.mark.parametrize("score", [1.5, -0.25, -7.0])
def test_scores_outside_name_the_scorer(stub, tmp_path, score):
    stub.answer = lambda _: answer([(0, score)])
    with pytest.raises(EndpointError) as error:
        reranker(stub, tmp_path).score("q", ["one"])
    assert str(error.value) == (
        f"Jina stub-1 at {stub.url} gave the score {score:g}, which is not in [0, 1]; if its "
        "scores are logits, say scores=sigmoid"
    )
    logits = reranker(stub, tmp_path, logits=True).score("q", ["one"])
    assert logits[0] == pytest.approx(1 / (1 + math.exp(-score)))
    assert len(stub.asked) == 1  # the answer itself was fine, and is not paid for twice


def test_rounding_is_not_outside(stub, tmp_path):
    stub.answer = lambda _: answer([(0, 1.0000001), (1, -1e-8)])
    assert reranker(stub, tmp_path).score("q", ["one", "two"]).tolist() == [1.0, 0.0]


def test_logits_of_any_size(stub, tmp_path):
    logits = [-1e6, -800.0, -40.0, 0, 40, 800]
    stub.answer = lambda _: answer(list(enumerate(logits)))
    scores = reranker(stub, tmp_path, logits=True).score("q", list("abcdef"))
    assert ((scores >= 0) & (scores <= 1)).all()
    assert scores.tolist() == sorted(scores)
    assert scores[2] == pytest.approx(math.exp(-40), rel=1e-12)
    assert scores[3] == 0.5


@pytest.mark.parametrize("wrong", [(429, {"message": "slow down"}), (500, HTML), CLOSE, HANG])
def test_passing_trouble(stub, tmp_path, wrong):
    stub.first(wrong)
    made = reranker(stub, tmp_path, timeout=0.3)
    assert made.score("q", TEXTS).tolist() == [0.05, 0.04, 0.19, 0.01]
    assert len(stub.asked) == 2


def test_lasting_trouble(stub, tmp_path):
    for wrong in (HTML, (401, {"message": f"{KEY} is no key"}), (429, HTML)):
        stub.answer = lambda _, wrong=wrong: wrong
        with pytest.raises(EndpointError) as error:
            reranker(stub, tmp_path).score("q", TEXTS)
        assert KEY not in str(error.value)
    assert KEY.encode() not in written(tmp_path)


def test_cohere_would_cut_long_passages(stub, tmp_path):
    fits, long = "word " * 4000, "word " * 5000
    assert len(reranker(stub, tmp_path, COHERE).score("q", [fits])) == 1
    with pytest.raises(UserError, match=r"Cohere stub-1: .* about 500\d tokens.* reads 4096"):
        reranker(stub, tmp_path, COHERE).score("q", ["short", long])
    assert len(reranker(stub, tmp_path, VOYAGE).score("q", [long])) == 1  # it refuses by itself


def test_identity_is_all_that_can_change_a_score(stub, tmp_path):
    made = [
        reranker(stub, tmp_path),
        reranker(stub, tmp_path, COHERE),
        reranker(stub, tmp_path, VOYAGE),
        reranker(stub, tmp_path, model="stub-2"),
        reranker(stub, tmp_path, logits=True),
    ]
    with serving() as other:
        made.append(reranker(other, tmp_path))
    found = [one.identity for one in made]
    assert len(set(found)) == len(found)
    assert all(len(one) == 64 and int(one, 16) for one in found)
    assert reranker(stub, tmp_path, batch=2).identity == found[0]
    assert {made[0].score_range, made[4].score_range} == {
        "relevance as the service gives it, [0, 1]",
        "sigmoid of the service's logit, [0, 1]",
    }


@pytest.mark.parametrize("settings", [Cohere, Jina, Voyage])
def test_made_from_settings(stub, tmp_path, settings):
    made = remote(settings(url=stub.url, key_env=KEY_ENV, scores="sigmoid"), tmp_path)
    assert made.name == f"{settings.__name__} {settings().model}"
    assert made.score("q", ["four"]).tolist() == pytest.approx([1 / (1 + math.exp(-0.04))])
    assert stub.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert made.score_range.startswith("sigmoid")
