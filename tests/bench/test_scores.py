"""Scores in arms' names: chains, and fitted ones that name the exact file they come from."""

from __future__ import annotations

import hashlib
import json

import pytest

from bench.answer import Answering, RunError, Settings
from bench.arms import Arm
from bench.catalog import calibration
from bench.chunking import Fixed
from bench.corpus import cut
from bench.family import Family
from bench.retrieval.retriever import Found
from bench.scores import neighbours_needed
from bench.spec import SpecError, check
from bench.tokens import tokenizer
from bench.types import Dataset, Document, Question
from rse import Hits
from rse.calibration import Chain, Isotonic, Max, MinMax, Rank, Sigmoid, Smooth, to_json
from rse.checks import ParameterError

FITTED = Isotonic(knots=((0.1, 0.0), (0.9, 0.75)), fitted_on=("a",))
SIGMOID = Sigmoid(slope=9, center=0.4)
SMOOTHED = Chain((Smooth(own=0.3), MinMax()))
STEEP = Chain((Max(), Sigmoid(slope=1e9)))


@pytest.mark.parametrize(
    ("given", "name", "made"),
    [
        ("sigmoid", "sigmoid", Sigmoid()),
        ("sigmoid[center=0.4, slope=9]", "sigmoid[slope=9,center=0.4]", SIGMOID),
        ("rank[constant=0.8]", "rank", Rank()),
        ("smooth[window=2,own=0.3]+minmax", "smooth[own=0.3] + minmax", SMOOTHED),
        ("max + sigmoid[slope=1e+09]", "max + sigmoid[slope=1e+09]", STEEP),
    ],
)
def test_canonical_name_and_round_trip(given, name, made):
    assert calibration(given) == (name, made)
    assert calibration(name) == (name, made)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("minmax + ", "cannot read 'minmax . '; write it like smooth"),
        ("+", "cannot read"),
        ("", "cannot read ''"),
        ("minmax + nope", "no scores 'nope'; there are: none, .*smooth, share, fitted"),
        ("minmax + smooth", "smooth must be the first step"),
        ("sigmoid[centre=1]", "sigmoid: Sigmoid has no parameter 'centre'; there are: slope, cent"),
        ("fitted", "fitted: Fitted needs the parameter 'file'"),
        ("fitted[file=7]", "file must be a path, got 7"),
        ("fitted[file=no.json]", "cannot read no.json: No such file"),
        ("fitted[file=.]", "cannot read .: "),
        ("fitted[path=x]", "no parameter 'path'; there are: file, digest, allow_fitted"),
    ],
)
def test_says_what_would_work(given, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ParameterError, match=message) as error:
        calibration(given)
    assert "\n" not in str(error.value)


def written(path, content=FITTED):
    text = content if isinstance(content, str) else json.dumps(to_json(content))
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:12]}"


@pytest.mark.parametrize(
    "file", ["weights.json", "my weights.json", "权重/第 1.json", "a+b[1].json"]
)
def test_the_name_of_a_fitted_one_holds_its_digest(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    digest = written(tmp_path / file)
    name, made = calibration(f"fitted[file={file}]")
    assert name == f"fitted[file={file},digest={digest}]"
    assert made == FITTED
    assert calibration(name) == (name, made)
    assert calibration(f"smooth + {name}")[1] == Chain((Smooth(), FITTED))


def test_another_content_is_another_name_and_the_old_name_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    old = written(tmp_path / "w.json")
    name, _ = calibration("fitted[file=w.json]")
    new = written(tmp_path / "w.json", MinMax())
    assert calibration("fitted[file=w.json]")[0] != name
    with pytest.raises(ParameterError, match=f"w.json has the digest {new}, not {old}"):
        calibration(name)


def test_permission_is_part_of_the_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "w.json", Chain((Smooth(), FITTED)))
    name, made = calibration("fitted[file=w.json,allow_fitted=true]")
    assert name.endswith(",allow_fitted=true]")
    assert made.steps[1].allow_fitted
    assert not calibration("fitted[file=w.json]")[1].steps[1].allow_fitted
    with pytest.raises(ParameterError, match="allow_fitted must be true or false, got 'perhaps'"):
        calibration("fitted[file=w.json,allow_fitted=perhaps]")


def test_a_smoothing_file_must_come_first_as_well(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "w.json", Smooth())
    with pytest.raises(ParameterError, match="smooth must be the first step"):
        calibration("minmax + fitted[file=w.json]")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "w.json is not JSON"),
        ("\N{LATIN SMALL LETTER E WITH ACUTE}", "w.json is not JSON"),
        ("[" * 100_000, "w.json is not JSON"),
        ("{}", "w.json: the key 'calibration' is missing"),
        ('{"calibration": "beta", "version": 1, "a": NaN}', "w.json: beta: a must hold finite"),
    ],
)
def test_files_that_hold_no_calibration(content, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "w.json", content)
    with pytest.raises(ParameterError, match=message):
        calibration("fitted[file=w.json]")


def test_bytes_that_are_no_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.json").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(ParameterError, match=r"w\.json is not JSON"):
        calibration("fitted[file=w.json]")


@pytest.mark.parametrize(
    "file", ["a,b=1.json", "1", "a / b.json", "a: b", "a #1.json", "a]+[.json"]
)
def test_paths_that_a_name_cannot_hold(file):
    from bench.scores import Fitted

    with pytest.raises(ParameterError, match="an arm's name cannot hold the path"):
        Fitted(file=file)


def test_specs_name_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    digest = written(tmp_path / "w.json")
    grid = {"strategy": "topk", "scores": ["fitted[file=w.json]"]}
    content = {"name": "x", "datasets": ["d"], "chunkers": ["fixed[size=9]"], "grids": [grid]}
    arm = check(content, "here").arms("c", "r")[0]
    assert arm.scores == f"fitted[file=w.json,digest={digest}]"
    (tmp_path / "w.json").unlink()
    with pytest.raises(SpecError, match=r"here: fitted: cannot read w\.json"):
        check(content, "here")


class TwoHits:
    """A retriever that always finds the first two chunks."""

    def find(self, queries, depth, documents, neighbours=0, *, vectors=False):
        return Found((Hits([0, 1], [0.9, 0.1]),), 0.0, 0.0, 0)


def test_a_run_over_documents_the_scores_were_fitted_on_stops(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    question = Question("q", "text", ())
    dataset = Dataset("tiny", "0", {"d": Document("d", "One. Two.")}, (question,))
    corpus = cut(dataset, Fixed(size=5), tokenizer("o200k_base"))
    family = Family("c / r", dataset, corpus, TwoHits())
    written(tmp_path / "w.json", Isotonic(knots=FITTED.knots, fitted_on=corpus.layout.identity))

    def rows(scores):
        arm = Arm("topk", calibration(scores)[0], "c", "r")
        return Answering(family, [arm], Settings(2)).answer(question)[1]

    with pytest.raises(RunError, match=r"failed on question q: FittedOnError: .* document 0"):
        rows("fitted[file=w.json]")
    spans = rows("fitted[file=w.json,allow_fitted=true]")[0]["spans"]
    assert [span["score"] for span in spans] == [0.75, 0.0]


@pytest.mark.parametrize(
    ("text", "needed"), [("none", 0), ("smooth[window=3] + minmax", 3), ("smooth", 2)]
)
def test_neighbours_are_searched_where_somebody_looks_at_them(text, needed):
    assert neighbours_needed(calibration(text)[1]) == needed
