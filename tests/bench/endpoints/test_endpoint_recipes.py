"""Remote models as specs name them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bench.arms import build, label, parse
from bench.endpoints.recipes import Cohere, Jina, Listwise, Queries, Titles, Voyage
from bench.retrieval.embedders.recipes import OpenAI
from bench.scores import pieces
from rse.checks import ParameterError

PARTS = {
    "cohere": Cohere,
    "jina": Jina,
    "voyage": Voyage,
    "listwise": Listwise,
    "queries": Queries,
    "titles": Titles,
    "openai": OpenAI,
}


def made(text):
    name, parameters = parse(text)
    return name, build("stage of a retriever", PARTS, name, parameters)


@pytest.mark.parametrize("name", [name for name in PARTS if name != "openai"])  # needs a model
@pytest.mark.parametrize(
    "given",
    [
        "",
        "[url=http://127.0.0.1:8000/v1]",
        "[url=https://host/a+b/v1,key_env=MY_KEY]",
        "[model=meta-llama/Llama-3:8b]",
        "[url=http://[::1]:8000/v1]",
        "[url=http://host/a/,key_env='']",
        "[model='12']",
    ],
)
def test_names_are_read_back_in_an_arm(name, given):
    shown = label(*made(name + given))
    arm = f"minilm+{shown}+header"
    assert pieces(arm) == ["minilm", shown, "header"]
    assert len(f"topk / none / fixed / {arm}".split(" / ")) == 4
    assert made(shown) == made(name + given)
    assert label(*made(shown)) == shown


def test_any_model_has_a_name_that_is_read_back():
    one = Cohere(model="a, b / c + [d]=#'\"")
    shown = label("cohere", one)
    assert pieces(f"minilm+{shown}") == ["minilm", shown]
    assert " / " not in shown
    assert made(shown) == ("cohere", one)


def test_as_the_readme_writes_them():
    assert label(*made("cohere[model=rerank-v3.5,depth=50]")) == "cohere"
    assert label(*made("cohere[depth=9,scores=sigmoid]")) == "cohere[depth=9,scores=sigmoid]"
    assert label(*made("queries[n=5,model=m]")) == "queries[n=5,model=m]"
    assert label(*made("jina[url=http://127.0.0.1:8000/v1]")) == (
        "jina[url=http://127.0.0.1:8000/v1]"
    )


def test_one_endpoint_has_one_name():
    assert Jina(url="http://host/v1/") == Jina(url="http://host/v1")
    assert OpenAI(model="m", url="http://host/v1/") == OpenAI(model="m", url="http://host/v1")


def test_one_temperature_has_one_name():
    assert label(*made("titles[temperature=1]")) == label(*made("titles[temperature=1.0]"))
    assert label(*made("titles[temperature=0]")) == "titles"
    assert label(*made("titles[temperature=none]")) == "titles[temperature=none]"
    assert made("titles[temperature=none]")[1].temperature == "none"


def test_defaults_are_public_endpoints_and_the_usual_variables():
    assert (Cohere().url, Cohere().key_env) == ("https://api.cohere.com/v2", "COHERE_API_KEY")
    assert (Jina().url, Jina().key_env) == ("https://api.jina.ai/v1", "JINA_API_KEY")
    assert (Voyage().url, Voyage().key_env) == ("https://api.voyageai.com/v1", "VOYAGE_API_KEY")
    for one in (Listwise(), Queries(), Titles()):
        assert (one.url, one.key_env) == ("https://api.openai.com/v1", "OPENAI_API_KEY")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("cohere[top_n=3]", "no parameter 'top_n'; there are: model, depth, url, key_env, scores"),
        ("cohere[depth=0]", "depth must be a whole number of 1 or more, got 0"),
        ("jina[scores=logit]", "scores must be one of given, sigmoid, got 'logit'"),
        ("voyage[model=2.5]", "model must be a name in one line, got 2.5; a number is a word in"),
        ("voyage[model='']", "model must be a name in one line, got ''"),
        ("jina[url=localhost:8000]", "url: .*write it like https://host/v1"),
        ("jina[url=7]", "url must be like https://api.openai.com/v1, got 7"),
        ("jina[url=http://host/v1?api-version=1]", "url must end before its question mark"),
        ("listwise[window=1]", "window must be a whole number of 2 or more"),
        ("listwise[window=10]", "step must be less than window, got step=10, window=10"),
        ("listwise[step=0]", "step must be a whole number of 1 or more"),
        ("queries[n=0]", "n must be a whole number of 1 or more, got 0"),
        (
            "titles[n=1]",
            "no parameter 'n'; there are: model, url, key_env, max_tokens, temperature",
        ),
        ("queries[max_tokens=-1]", "max_tokens must be a whole number of 0 or more, got -1"),
        ("titles[temperature=hot]", "temperature must be a number from 0 to 2, or none, got 'hot'"),
        ("listwise[temperature=2.5]", "temperature must be a number from 0 to 2, or none, got 2.5"),
        ("listwise[temperature=true]", "temperature must be a number from 0 to 2, or none"),
    ],
)
def test_says_what_would_work(given, message):
    with pytest.raises(ParameterError, match=message) as error:
        made(given)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "given",
    [
        "cohere[key_env=sk-S3cretS3cret]",
        "cohere[key_env=S3cretS3cretlower]",
        "cohere[key_env=33333]",
        "cohere[url=https://me:S3cretS3cret@host/v1]",
        "cohere[url=https://S3cretS3cret@host/v1]",
        "cohere[url=https://host/v1?key=S3cretS3cret]",
        "openai[model=m,key_env=S3cretS3cretlower]",
        "openai[model=m,url=https://host/v1?key=S3cretS3cret]",
    ],
)
def test_a_key_in_the_wrong_place_is_refused_and_not_repeated(given):
    with pytest.raises(ParameterError) as error:
        made(given)
    assert "S3cret" not in str(error.value)
    assert "33333" not in str(error.value)


def test_naming_costs_no_heavy_import():
    code = (
        "import sys, bench.endpoints.recipes as r; r.Cohere(); "
        "print([m for m in ('requests', 'scipy', 'torch', 'sqlite3') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
