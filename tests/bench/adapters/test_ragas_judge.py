"""The language model as ragas asks it; none of this needs ragas."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from bench.adapters.ragas_judge import STRIDE, Chats, Judge, JudgeError, Judging
from bench.endpoints.client import EndpointError
from rse.checks import ParameterError
from tests.bench.endpoints.stub import HTML, KEY, KEY_ENV, said, written


class Form(BaseModel):
    verdict: int


@pytest.fixture
def judge(stub, tmp_path):
    stub.answer = lambda _: said('{"verdict": 1}')

    def make(seed=0, **settings):
        judging = Judging(model="m", url=stub.url, key_env=KEY_ENV, **settings)
        return Judge(Chats(judging, tmp_path), seed)

    return make


def seeds(stub):
    return [payload["seed"] for _, payload in stub.asked]


def test_what_is_sent(judge, stub):
    made = judge(7, max_tokens=50)
    assert made.generate("Is it?", Form) == Form(verdict=1)
    ((path, payload),) = stub.asked
    assert path == "/v1/chat/completions"
    assert payload == {
        "model": "m",
        "temperature": 0.0,
        "max_tokens": 50,
        "seed": 7,
        "messages": [{"role": "user", "content": "Is it?"}],
    }
    assert [(one.prompt_tokens, one.completion_tokens) for one in made.answers] == [(7, 3)]


def test_what_models_refuse_is_not_sent(judge, stub):
    judge(temperature=None, max_tokens=0).generate("Is it?", Form)
    assert stub.asked[0][1].keys() == {"model", "seed", "messages"}


def test_the_same_prompt_again_is_another_request(judge, stub):
    made = judge(1)
    for prompt in ("a", "a", "b", "a"):
        made.generate(prompt, Form)
    assert seeds(stub) == [1, 1 + STRIDE, 1, 1 + 2 * STRIDE]


def test_who_judges_again_pays_nothing(judge, stub):
    for _ in range(2):
        made = judge()
        for prompt in ("a", "a", "b"):
            made.generate(prompt, Form)
    assert len(stub.asked) == 3
    assert [one.cached for one in made.answers] == [True] * 3
    judge(1).generate("a", Form)
    assert len(stub.asked) == 4


def test_what_cannot_be_read_is_asked_once_more(judge, stub):
    stub.first(said("hm"))
    made = judge()
    assert made.generate("a", Form).verdict == 1
    assert seeds(stub) == [0, STRIDE]
    assert len(made.answers) == 2
    again = judge()
    assert again.generate("a", Form).verdict == 1
    assert len(stub.asked) == 2  # the one that could not be read is kept, too


def test_what_can_never_be_read(judge, stub):
    stub.answer = lambda _: said('{"verdict": 1', "length")
    for _ in range(2):
        made = judge()
        with pytest.raises(JudgeError, match=r"no JSON object, cut at max_tokens; it is '\{.*2 ti"):
            made.generate("a", Form)
        assert len(made.answers) == 2
    assert len(stub.asked) == 2


@pytest.mark.parametrize("trouble", [(429, {}), (500, {"error": "down"}), (503, HTML)])
def test_servers_in_trouble_are_asked_again(judge, stub, trouble):
    stub.first(trouble, trouble)
    assert judge().generate("a", Form).verdict == 1
    assert len(stub.asked) == 3


def test_no_answer_and_no_key_in_any_file(judge, stub, tmp_path):
    stub.first((401, {"error": f"bad key {KEY}"}))
    with pytest.raises(EndpointError, match="status 401") as told:
        judge().generate("a", Form)
    assert KEY not in str(told.value)
    stub.first(said(f'{{"verdict": 1}} {KEY}'))
    judge().generate("a", Form)
    assert b"verdict" in written(tmp_path)
    assert KEY.encode() not in written(tmp_path)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"model": " "}, "model must be a name"),
        ({"url": "ftp://x"}, "url: "),
        ({"url": "https://me:secret@x/v1"}, "user name or a password"),
        ({"key_env": "sk-123"}, "key_env must be the name"),
        ({"repeats": 0}, "repeats must be a whole number of 1"),
        ({"repeats": STRIDE + 1}, "repeats must be at most 100"),
        ({"temperature": 3.0}, "temperature must be a number from 0 to 2, or none"),
        ({"max_tokens": -1}, "max_tokens must be"),
    ],
)
def test_settings_that_cannot_be(wrong, told):
    with pytest.raises(ParameterError, match=told) as error:
        Judging(**{"model": "m", **wrong})
    assert "secret" not in str(error.value)
