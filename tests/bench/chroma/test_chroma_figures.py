"""What is written, and what is said when it does not agree, from small figures of our own."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from typer.testing import CliRunner

from bench.chroma import __main__ as command
from bench.chroma import measure
from bench.chroma.configurations import MAIN, MORE, Configuration
from bench.chroma.figures import Figures, Row, as_csv, as_markdown, own_markdown, read
from bench.errors import UserError
from bench.retrieval.embedders.cache import VectorCache
from bench.types import Dataset, Document, Question, Span
from tests.bench.retrieval.fakes import Fake

TEXT = "Boats leave at noon. Dogs travel free. Boats leave at noon. Bring a coat."
METRICS = {"recall": 50.0, "precision": 10.0, "iou": 9.0, "precision_omega": 20.0}


def figures(tmp_path, recall=50.0, chunks=7):
    path = tmp_path / "figures.json"
    best = {name: [METRICS[name], 1.0] for name in ("precision", "iou")} | {"recall": [recall, 1]}
    known = {"n_chunks": chunks, "exact_search": {"n5": best, "precision_omega": [20.0, 1.0]}}
    text = json.dumps({"what": "ours", "configs": {"fixed_400_0": known}})
    path.write_text(text, encoding="utf-8")
    return path


def row(tmp_path, **changes):
    known = read(figures(tmp_path, **changes)).configs["fixed_400_0"]
    return Row("fixed_400_0", "Fixed 400/0", 7, METRICS, METRICS | {"recall": 60.0}, known)


def test_agreement_has_a_tolerance_and_wants_the_same_chunks(tmp_path):
    assert row(tmp_path).agrees
    assert row(tmp_path, recall=50.04).agrees
    assert not row(tmp_path, recall=50.06).agrees
    assert row(tmp_path, recall=49.9).furthest == pytest.approx(0.1)
    assert not row(tmp_path, chunks=8).agrees


def test_tables(tmp_path):
    good, bad = row(tmp_path), row(tmp_path, recall=50.5)
    line = "| Fixed 400/0 | 7 (7) | 50.00 (50.00) | 10.00 (10.00) | 9.00 (9.00) | 20.00 (20.00) |"
    assert f"{line} 0.000 |\n" in as_markdown([good])
    assert "50.00 (50.50)" in as_markdown([bad])
    assert as_markdown([bad]).endswith("| **0.500** |\n")
    assert own_markdown([good]).endswith("| Fixed 400/0 | 60.00 | 10.00 | 9.00 | 20.00 |\n")
    (found,) = csv.DictReader(as_csv([bad]).splitlines())
    assert found["configuration"] == "fixed_400_0"
    assert found["recall"] == "50.0000"
    assert found["report_recall"] == "50.5000"
    assert found["difference_recall"] == "-0.5000"
    assert found["own_recall"] == "60.0000"


def test_what_is_no_file_of_figures_is_named(tmp_path):
    with pytest.raises(UserError, match=r"no figures of the report at .*missing\.json"):
        read(tmp_path / "missing.json")
    path = tmp_path / "other.json"
    path.write_text('{"configs": {"fixed_400_0": {"n_chunks": 3}}}', encoding="utf-8")
    with pytest.raises(UserError, match=r"configs\.fixed_400_0\.exact_search: Field required"):
        read(path)


def test_names_say_what_is_counted():
    assert str(MAIN["recursive_800_400"]) == "Recursive 800/400"
    assert str(MORE["lcrec_1000c_200"]) == "Recursive 1000/200 characters"
    assert len({str(one) for one in [*MAIN.values(), *MORE.values()]}) == len(MAIN) + len(MORE)


def no_vectors(texts):
    raise AssertionError(f"asked for the vectors of {texts}")


def made():
    """A document that repeats a sentence; the gold is the second copy, found first in the first."""
    gold = ((Span("d", 39, 59), Span("d", 0, 20)), (Span("d", 60, 73),))
    asked = Question("q", "When?", gold=gold)
    return Dataset("made", "0", {"d": Document("d", TEXT)}, (asked,))


def test_both_ways_of_counting(tmp_path):
    data = made()
    chunked = measure.chunk(data, Configuration("Recursive", 22, 0, "characters"), no_vectors)
    spans = [chunked.corpus.text(n) for n in range(len(chunked.found))]
    assert spans == [
        "Boats leave at noon",
        ". Dogs travel free",
        ". Boats leave at noon",
        ". Bring a coat.",
    ]
    # Chunks of the same words stand apart, but for a final full stop.
    assert [span.start for span in chunked.found] == [0, 19, 37, 58]
    assert chunked.found[-1] == Span("d", 58, 72)
    ranked = [[2, 3]]
    report = measure.as_report(chunked, data.questions, ranked)
    # 19 of 20 and 12 of 13 characters, and the stop that the last chunk begins with.
    assert report.recall[0] == pytest.approx((19 + 1 + 12) / 33)
    assert report.precision[0] == pytest.approx(32 / 35)
    ours = measure.as_ours(chunked, data.questions, ranked)
    assert ours.recall[0] == 1
    assert ours.percent()["recall"] == 100
    assert report.percent()["precision_omega"] == pytest.approx(100 * 32 / 36)


def test_search_is_exact_and_goes_on_from_the_cache(tmp_path):
    data, encoder = made(), Fake()
    chunked = measure.chunk(data, Configuration("Fixed", 20, 0, "characters"), no_vectors)
    texts = [chunked.corpus.text(n) for n in range(len(chunked.found))]
    assert list(chunked.texts) == texts
    with VectorCache(tmp_path, encoder.identity, encoder.dimension) as cache:
        vectors = measure.vectors_of(encoder, cache)
        first = measure.search(chunked, data.questions, vectors)
        assert len(cache.get(texts)) == len(texts)
        assert measure.search(chunked, data.questions, vectors) == first
    vectors, query = encoder.encode(texts), encoder.encode(["When?"])[0]
    assert first == [np.argsort(-(vectors @ query), kind="stable")[:5].tolist()]


def run(path, *options):
    app = command.typer.Typer()
    app.command()(command.main)
    return CliRunner().invoke(app, [str(path), *options])


def test_an_unknown_configuration_lists_those_there_are(tmp_path):
    result = run(figures(tmp_path), "--only", "fixed_9_9")
    assert isinstance(result.exception, UserError)
    assert str(result.exception) == "no configuration 'fixed_9_9'; there are: fixed_400_0"


def test_without_a_choice_it_is_the_main_eight_or_all(tmp_path):
    known = read(figures(tmp_path)).configs["fixed_400_0"]
    full = Figures(configs=dict.fromkeys([*MAIN, *MORE], known))
    assert list(command._chosen(None, False, full)) == list(MAIN)
    assert list(command._chosen([], True, full)) == [*MAIN, *MORE]
    assert len(MAIN) == 8
    assert len(MORE) == 10


@pytest.mark.parametrize(("recall", "code"), [(100 * 32 / 33, 0), (96.0, 1)])
def test_the_command_tells_by_its_status_whether_all_agrees(tmp_path, monkeypatch, recall, code):
    """One chunk is the whole document, but for the full stop that the report drops."""
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("bench.data.load.load", lambda *_: made())
    monkeypatch.setattr("bench.retrieval.embedders.encoder.minilm", lambda **_: Fake())
    path = figures(tmp_path, recall=recall, chunks=1)
    known = json.loads(path.read_text(encoding="utf-8"))
    exact = known["configs"]["fixed_400_0"]["exact_search"]
    exact["n5"] |= {"precision": [100 * 32 / 72, 0], "iou": [100 * 32 / 73, 0]}
    exact["precision_omega"] = [100 * 32 / 73, 0]
    path.write_text(json.dumps(known), encoding="utf-8")
    result = run(path, "--only", "fixed_400_0", "--out", str(tmp_path / "out"))
    assert (tmp_path / "out" / "chroma.csv").exists()
    assert result.exit_code == code, result.output
