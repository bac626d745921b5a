"""A run judged: values against the definitions, files, costs, and nothing asked twice."""

from __future__ import annotations

import csv
import json
import os
import socket
from math import isnan, nan
from statistics import fmean, stdev

import pytest

from baselines import TopK
from bench.adapters.ragas_judge import Judging
from bench.adapters.ragas_library import UNTRACKED
from bench.adapters.ragas_run import Options, plan, score, score_run
from bench.adapters.ragas_samples import Sample, read_answers
from bench.adapters.ragas_scores import Score
from bench.adapters.ragas_summary import Judged, summarise
from bench.answers.part import Part
from bench.costs.prices import Price
from bench.costs.prices import table as table_of_prices
from bench.endpoints.chat import Answer
from bench.errors import UserError
from bench.export.command import export
from bench.progress import Progress
from bench.stats import bootstrap
from bench.store.folder import ResultsError
from tests.bench.adapters.conftest import with_answers
from tests.bench.adapters.ragas_stub import ANSWERS, REFERENCES, judged, sentences
from tests.bench.conftest import ASKED
from tests.bench.endpoints.stub import KEY, KEY_ENV, said

PRICE = Price(input=1.0, output=10.0)
ARMS = [f"topk[k={k}] / none / fixed[size=36] / minilm" for k in (1, 3)]


def judging(stub, **more):
    return Judging(model="m", url=stub.url, key_env=KEY_ENV, **{"repeats": 2, **more})


def run(folder, who=None, metrics=(), **part):
    return score_run(folder, who, Options(part=Part(**part), metrics=metrics), Progress())


def lines(folder):
    text = (folder / "ragas.jsonl").read_text(encoding="utf-8")
    return [json.loads(line, parse_constant=pytest.fail) for line in text.splitlines()]


def table(folder):
    with (folder / "ragas.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def exported(folder, out):
    """Return what ragas would be given, by arm and question, from the files for it."""
    export(folder, "ragas", out, None)
    index = [json.loads(x) for x in (out / "index.jsonl").read_text(encoding="utf-8").splitlines()]
    return {
        (one["arm"], question): json.loads(line)
        for one in index
        for question, line in zip(
            one["questions"],
            (out / one["file"]).read_text(encoding="utf-8").splitlines(),
            strict=True,
        )
    }


def test_by_ids_without_a_model(ragas, ran, tmp_path):
    done = run(ran)
    given = exported(ran, tmp_path / "out")
    rows = lines(ran)
    assert len(rows) == len(given) == 8
    for row in rows:
        sample = given[row["arm"], row["question"]]
        found, gold = (set(sample[f"{of}_context_ids"]) for of in ("retrieved", "reference"))
        assert row["ragas_id_precision"] == len(found & gold) / len(found)
        assert row["ragas_id_recall"] == len(found & gold) / len(gold)
        assert row["requests"] == 0
    for row, summary in zip(table(ran), done.rows, strict=True):
        of_arm = [one["ragas_id_recall"] for one in rows if one["arm"] == row["arm"]]
        assert summary["mean_ragas_id_recall"] == pytest.approx(fmean(of_arm))
        assert float(row["mean_ragas_id_recall"]) == pytest.approx(fmean(of_arm), abs=1e-6)
        assert row["questions"] == "4"
        assert row["spread_ragas_id_recall"] == row["dollars"] == ""
        assert not any("faithfulness" in name for name in row)
    assert not done.failures
    assert not done.notes


def test_everything_against_the_definitions(ragas, answered, stub, tmp_path):
    done = run(answered, judging(stub))
    given = exported(answered, tmp_path / "out")
    assert not done.failures
    for row in lines(answered):
        contexts = given[row["arm"], row["question"]]["retrieved_contexts"]
        reference, answer = REFERENCES.get(row["question"]), ANSWERS[row["question"]]
        true, told = sentences(reference or ""), sentences(answer or "")
        useful = [any(one in text for one in true) for text in contexts]
        precision = [sum(useful[: k + 1]) / (k + 1) for k, hit in enumerate(useful) if hit]
        assert same(
            row["ragas_context_precision"],
            (fmean(precision) if precision else 0.0) if reference else None,
        )
        read = "\n".join(contexts)
        supported = [one.strip() in read for one in true]
        assert same(row["ragas_context_recall"], fmean(supported) if reference else None)
        held = [one.strip() in read for one in told]
        assert same(row["ragas_faithfulness"], fmean(held) if answer else None)
        assert (row["ragas_answer_relevancy_undefined"] is None) == bool(answer)
        assert (row["ragas_answer_correctness"] is None) == (not answer or not reference)


def same(found, value):
    return found is value is None or found == pytest.approx(value, abs=1e-6)


def nothing(*_):
    return []


def broken(*_):
    raise RuntimeError("broken")


@pytest.mark.parametrize("select", [nothing, broken])
def test_an_empty_or_failed_answer_is_a_0_of_precision_and_recall(
    ragas, make_run, stub, monkeypatch, select
):
    real = TopK.select
    monkeypatch.setattr(
        TopK, "select", lambda self, *more: (select if self.k == 1 else real.__get__(self))(*more)
    )
    folder = with_answers(make_run(keep_going=True))
    made = plan(folder, judging(stub), Options(part=Part(arms=[ARMS[0]])))
    done = score(made, Progress())
    (row,) = done.rows
    for name in ("id_precision", "id_recall", "context_precision", "context_recall"):
        value, low, high = (row[f"{of}_ragas_{name}"] for of in ("mean", "low", "high"))
        assert (value, low, high) == (0, 0, 0)
        assert isnan(row[f"spread_ragas_{name}"])  # no judge was asked, so none agreed with itself
        referenced = 3 if name.startswith("context") else 4
        assert row[f"undefined_ragas_{name}"] == 4 - referenced
        assert (
            f"ragas_{name} is 0 for {referenced} answers: there is gold, and nothing was returned"
        ) in done.notes
    assert isnan(row["mean_ragas_faithfulness"])
    assert row["undefined_ragas_faithfulness"] == 4
    assert row["undefined_ragas_answer_relevancy"] == 1  # q3 has no answer
    assert not isnan(row["mean_ragas_answer_correctness"])
    # Two judgements of relevancy and correctness each: of nothing else is a model asked.
    texts = {json.dumps(payload, sort_keys=True) for _, payload in stub.asked}
    assert len(texts) == made.requests
    assert not any(form in text for text in texts for form in ("ContextPrec", "ContextRec", "NLI"))
    first = lines(folder)[0]
    assert first["ragas_context_recall_repeats"] == [0, 0]
    assert first["ragas_context_recall_undefined"] is None
    report = (folder / "ragas.md").read_text(encoding="utf-8")
    assert "precision and recall are 0" in report


def test_zeros_of_ours_do_not_calm_the_judge():
    """Twice 0 without asking says nothing of how much a judge varies."""
    said = Answer("", 1.0, cached=False, prompt_tokens=1, completion_tokens=1, cut=False)
    scores = [[Score(0.0), Score(0.0)], [Score(1.0, answers=(said,)), Score(0.5, answers=(said,))]]
    name = "ragas_context_recall"
    judged = [
        Judged(Sample("d", "a", str(n), {"reference_contexts": ["x"]}), {name: some})
        for n, some in enumerate(scores)
    ]
    manifest = {
        "datasets": [{"name": "d", "clusters": {"0": 0, "1": 1}}],
        "spec": {"seed": 0},
    }
    (row,) = summarise(judged, [name], manifest, None)
    assert row[f"mean_{name}"] == 0.75 / 2
    assert row[f"spread_{name}"] == stdev([1, 0.5])


def test_clusters_without_gold_do_not_count(ragas, make_run, monkeypatch):
    """Three questions share documents, the fourth has its own, and no gold the second time."""
    monkeypatch.setattr(bootstrap, "ENOUGH", 2)
    (row, _) = run(make_run()).rows
    assert row["resampled_by"] == "cluster"
    (row, _) = run(make_run({"place": "other", "asked": {**ASKED, "q4": []}})).rows
    assert row["resampled_by"] == "question"


def test_what_is_undefined_is_counted_and_said(ragas, answered, stub):
    done = run(answered, judging(stub))
    for row in done.rows:
        assert row["questions"] == 4
        assert row["undefined_ragas_context_recall"] == 1  # q2 has no reference
        assert row["undefined_ragas_faithfulness"] == 1  # q3 has no answer
        assert row["undefined_ragas_answer_correctness"] == 2
        assert row["undefined_ragas_id_recall"] == row["failed"] == 0
    assert "ragas_faithfulness is undefined for 2 answers: no answer to judge" in done.notes
    report = (answered / "ragas.md").read_text(encoding="utf-8")
    assert "no answer to judge" in report
    assert "| 0 / 2 |" in report


def test_only_this_machine_is_asked(ragas, answered, stub, monkeypatch):
    """No telemetry: all connections go to the endpoint that was named."""
    real, places = socket.socket.connect, set()

    def connect(self, address):
        places.add(address[0])
        return real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    assert not run(answered, judging(stub)).failures
    assert places == {"127.0.0.1"}
    assert os.environ[UNTRACKED] == "true"


def test_what_is_exported_is_a_dataset_of_ragas(ragas, answered, tmp_path):
    from ragas.dataset_schema import EvaluationDataset

    given = exported(answered, tmp_path / "out")
    found = EvaluationDataset.from_list(list(given.values()))
    assert len(found.samples) == 8
    assert all(
        sample.retrieved_context_ids == row["retrieved_context_ids"]
        for sample, row in zip(found.samples, given.values(), strict=True)
    )


def test_without_answers_it_says_what_makes_them(ragas, ran, stub):
    done = run(ran, judging(stub), metrics=["faithfulness", "context_recall"])
    said_so = [note for note in done.notes if "rse-bench answer" in note]
    assert len(said_so) == 1
    assert isnan(done.rows[0]["mean_ragas_faithfulness"])
    assert done.rows[0]["undefined_ragas_faithfulness"] == 4
    assert not isnan(done.rows[0]["mean_ragas_context_recall"])


def test_nothing_is_asked_twice(ragas, answered, stub):
    who = judging(stub)
    made = plan(answered, who, Options())
    assert not stub.asked
    first = score(made, Progress())
    assert first.sent >= len(stub.asked)  # two arms may ask the same at the same time
    kept = {path.name: path.read_bytes() for path in first.files}
    sent = len(stub.asked)
    second = run(answered, who)
    assert len(stub.asked) == sent
    assert second.sent == 0
    assert {path.name: path.read_bytes() for path in second.files} == kept
    run(answered, judging(stub, seed=50))
    assert len(stub.asked) > sent


def test_the_requests_foretold_are_made(ragas, answered, stub):
    made = plan(answered, judging(stub), Options())
    score(made, Progress())
    texts = {json.dumps(payload, sort_keys=True) for _, payload in stub.asked}
    assert len(texts) == made.requests


def test_costs(ragas, answered, stub):
    done = run(answered, judging(stub, price=PRICE), metrics=["context_recall"])
    for row, written in zip(done.rows, table(answered), strict=True):
        assert row["requests"] == 3 * 2  # questions with a reference, repeats
        assert (row["prompt_tokens"], row["completion_tokens"]) == (6 * 7, 6 * 3)
        assert row["dollars"] == pytest.approx((42 * 1.0 + 18 * 10.0) / 1e6)
        assert float(written["dollars"]) == pytest.approx(row["dollars"])


OWN = {"models": {"m": {"input": 3.0, "output": 4.0}}}


@pytest.mark.parametrize(
    ("spec", "given", "price"),
    [
        (OWN, None, (3.0, 4.0)),
        (OWN, PRICE, (1.0, 10.0)),
        ({}, None, None),
        ({"models": {"m": {"input": 3.0}}}, None, None),
    ],
)
def test_prices_are_those_given_or_of_the_spec(ragas, make_run, stub, spec, given, price):
    folder = make_run(prices=spec)
    done = run(folder, judging(stub, price=given), metrics=["context_recall"])
    for row in done.rows:
        into, out = price or (nan, nan)
        dollars = (row["prompt_tokens"] * into + row["completion_tokens"] * out) / 1e6
        assert row["dollars"] == pytest.approx(dollars, nan_ok=True)
    told = "{} in, {} out\n".format(*price) if price else "unknown\n"
    assert f"- dollars per million tokens: {told}" in (folder / "ragas.md").read_text("utf-8")


def test_other_prices_are_those_of_the_table(ragas, answered, stub):
    known = table_of_prices()["gpt-4o"]
    who = Judging(model="gpt-4o", url=stub.url, key_env=KEY_ENV, repeats=1)
    row = run(answered, who, metrics=["context_recall"]).rows[0]
    dollars = row["prompt_tokens"] * known.input + row["completion_tokens"] * known.output
    assert row["dollars"] == pytest.approx(dollars / 1e6)
    report = (answered / "ragas.md").read_text(encoding="utf-8")
    assert f"{known.input} in, {known.output} out ({known.source}, {known.as_of})" in report


def test_tokens_that_nobody_counted(ragas, answered, stub):
    def silent(payload):
        answer = judged(payload)
        del answer["usage"]
        return answer

    stub.answer = silent
    who = judging(stub, price=PRICE)
    row = run(answered, who, metrics=["context_recall"]).rows[0]
    assert row["requests"] == 6
    assert all(isnan(row[name]) for name in ("prompt_tokens", "completion_tokens", "dollars"))
    assert lines(answered)[0]["prompt_tokens"] is None


def test_judges_vary(ragas, answered, stub):
    """The second repeat finds nothing supported: half the value, and the spread says so."""

    def moody(payload):
        if payload["seed"] == 1:
            none = {"classifications": [{"statement": "", "reason": "", "attributed": 0}]}
            return judged(payload, ContextRecallOutput=lambda _: none)
        return judged(payload)

    stub.answer = moody
    done = run(answered, judging(stub), metrics=["context_recall"])
    rows = [row for row in lines(answered) if row["ragas_context_recall"] is not None]
    for row in rows:
        first, second = row["ragas_context_recall_repeats"]
        assert second == 0
        assert row["ragas_context_recall"] == first / 2
    for row in done.rows:
        spreads = [stdev(x["ragas_context_recall_repeats"]) for x in rows if x["arm"] == row["arm"]]
        assert row["spread_ragas_context_recall"] == pytest.approx(fmean(spreads))


def test_failures_are_counted_and_lose_nothing(ragas, answered, stub):
    def broken(payload):
        if REFERENCES["q4"] in json.dumps(payload) and payload["seed"] != 0:
            return said("I would rather not.")
        return judged(payload)

    stub.answer = broken
    done = run(answered, judging(stub), metrics=["id_recall", "context_recall"])
    for row in done.rows:
        assert row["failed_ragas_context_recall"] == row["failed"] == 1
        assert row["questions"] == 4
        assert row["undefined_ragas_context_recall"] == 1
    (row,) = [x for x in lines(answered) if x["question"] == "q4" and x["arm"] == ARMS[0]]
    first, second = row["ragas_context_recall_repeats"]
    assert row["ragas_context_recall"] == first
    assert second is None
    assert row["ragas_context_recall_failed"][0] is None
    assert "I would rather not." in row["ragas_context_recall_failed"][1]
    assert len(done.failures) == 2
    report = (answered / "ragas.md").read_text(encoding="utf-8")
    assert "| 1 / 1 |" in report
    assert "- failed, 2 times: the model's answer has no JSON object; it is 'I would" in report


def test_a_value_out_of_range_is_a_failure(ragas, answered, stub, monkeypatch):
    name = "ragas_faithfulness"
    monkeypatch.setattr(ragas.classes[name], "_compute_score", lambda *_: 1.7)
    done = run(answered, judging(stub), metrics=[name])
    assert done.failures == ["ragas gives 1.7, which is not from 0 to 1"] * 3 * 2 * 2
    assert isnan(done.rows[0][f"mean_{name}"])
    assert done.rows[0][f"failed_{name}"] == 6


def test_arms_and_limits(ragas, ran):
    done = run(ran, arms=["topk[k=3]"], limit=2)
    assert [row["arm"] for row in done.rows] == [ARMS[1]]
    assert [row["question"] for row in lines(ran)] == ["q1", "q2"]
    with pytest.raises(UserError, match=r"no arm 'topk'; it has: topk\[k=1\] / none"):
        run(ran, arms=["topk"])


def test_everything_that_changes_a_number_is_written_down(ragas, answered, stub):
    run(answered, judging(stub, seed=3))
    report = (answered / "ragas.md").read_text(encoding="utf-8")
    for part in ("ragas: 0.", "model: m", f"url: {stub.url}", "repeats: 2", "seed: 3", "minilm"):
        assert part in report
    assert KEY not in report


def test_a_folder_without_results(tmp_path):
    with pytest.raises(ResultsError, match="holds no results"):
        run(tmp_path)


def test_names_are_no_markup(ragas, made, bench):
    folder = bench(
        made("one", name="<b>|x|</b>"), grids=({"strategy": "topk", "params": {"k": [1]}},)
    ).folder
    run(folder)
    report = (folder / "ragas.md").read_text(encoding="utf-8")
    assert "<b>" not in report
    assert "&#60;b&#62;&#124;x" in report


@pytest.mark.parametrize("line", ["{", "[]", "3", '{"dataset": "d", "arm": "a", "question": "q"}'])
def test_answers_that_are_none(tmp_path, line):
    path = tmp_path / "answers.jsonl"
    good = {"dataset": "d", "arm": "a", "question": "q", "answer": "雨"}
    path.write_text(f"{json.dumps(good)}\n", encoding="utf-8")
    assert read_answers(path) == {("d", "a"): {"q": "雨"}}
    path.write_text(f"{json.dumps(good)}\n{line}\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"answers.jsonl:2 is no object with dataset, arm, quest"):
        read_answers(path)


@pytest.mark.outside
def test_the_real_embedding_model(ragas, answered, stub, monkeypatch):
    """Questions made of the answer resemble the question more or less, from 0 to 1."""
    from bench.adapters import ragas_run, ragas_vectors

    monkeypatch.setattr(ragas_run, "local_encoder", ragas_vectors.local_encoder)
    done = run(answered, judging(stub, repeats=1), metrics=["answer_relevancy"], limit=1)
    assert not done.failures
    assert 0 <= done.rows[0]["mean_ragas_answer_relevancy"] <= 1
