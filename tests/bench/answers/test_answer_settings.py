"""What may be said of answers, what is filled in, and what no error repeats."""

from __future__ import annotations

import pytest

from bench.answers.settings import Answers, AnswersError, Judge, read_answers
from bench.endpoints.address import OPENAI, OPENAI_KEY

LOCAL = {"url": "http://localhost:1/v1/", "key_env": ""}
SECRET = "sk-very-secret-0123456789"


def read(**content):
    return read_answers({"model": "m", **content}, "spec.yaml")


def test_defaults():
    made = read()
    assert (made.url, made.key_env, made.temperature, made.judge) == (OPENAI, OPENAI_KEY, 0, None)
    judge = made.judging
    assert (judge.model, judge.url, judge.key_env) == ("m", OPENAI, OPENAI_KEY)
    assert (judge.repeats, judge.temperature) == (3, 0)
    assert Answers.model_validate(made.model_dump(mode="json")) == made


def test_a_judge_is_as_the_answering_model_but_for_what_it_says():
    made = read(**LOCAL, judge={"model": "j", "repeats": 5})
    assert made.url == "http://localhost:1/v1"
    judge = made.judging
    assert (judge.model, judge.url, judge.key_env, judge.repeats) == ("j", made.url, "", 5)
    other = read(judge={"url": "https://other/v1", "key_env": "OTHER_KEY"}).judging
    assert (other.model, other.url, other.key_env) == ("m", "https://other/v1", "OTHER_KEY")
    assert read(judge={}).judge == Judge()
    assert read(temperature="none", judge={"temperature": 1}).judging.temperature == 1


@pytest.mark.parametrize(
    "content",
    [{"url": "https://other/v1"}, {"judge": {"url": "https://other/v1"}}],
)
def test_no_key_goes_to_another_host(content):
    with pytest.raises(AnswersError, match=r"key_env is needed with another url than https://api"):
        read(**content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"modle": "m"}, r"spec.yaml: unknown key 'modle'; there are: model, url, key_env"),
        ({"judge": {"repeat": 3}}, r"unknown key 'judge.repeat'; there are: model, url, .*rubric"),
        ({"judge": {"repeats": 2}}, r"judge.repeats: .* greater than or equal to 3, got 2"),
        ({"judge": True}, r"judge: "),
        ({"temperature": 3}, r"temperature: .* less than or equal to 2, got 3"),
        ({"temperature": float("nan")}, r"temperature: "),
        ({"temperature": "hot"}, r"temperature: "),
        ({"max_tokens": -1}, r"max_tokens: "),
        ({"model": " "}, r"model: model must be a name in one line"),
        ({"judge": {"model": ""}}, r"judge.model: model must be a name"),
        ({"prefer": ["a"]}, r"prefer: "),
        ({"prefer": ["a", "a"]}, r"prefer: two different arms are needed"),
        ({"prompt": "{context}"}, r"prompt: the prompt must have .* it has {context}$"),
        ({"prompt": "{context} {question} {question}"}, r"each once"),
        ({"prompt": "{context} {question} {answer}"}, r"no other name in braces"),
        ({"judge": {"rubric": ""}}, r"judge.rubric: "),
        ({"url": 5}, r"url must be like"),
        ({"url": "ftp://x"}, r"is no URL of an endpoint"),
    ],
)
def test_what_is_wrong_is_told(content, message):
    with pytest.raises(AnswersError, match=message):
        read(**content)


@pytest.mark.parametrize(
    "content",
    [
        {"key_env": SECRET},
        {"url": f"https://user:{SECRET}@host/v1", "key_env": ""},
        {"url": f"https://host/v1?key={SECRET}", "key_env": ""},
        {"judge": {"key_env": SECRET}},
        {"judge": {"url": f"https://user:{SECRET}@host/v1", "key_env": ""}},
        {"api_key": SECRET},
        {"judge": {"api_key": SECRET}},
        {"key_env": SECRET, "typo": 1},
    ],
)
def test_no_error_repeats_a_key(content):
    with pytest.raises(AnswersError) as error:
        read(**content)
    assert SECRET not in str(error.value)
    assert error.value.__suppress_context__


def test_no_model():
    with pytest.raises(AnswersError, match="the key 'model' is missing"):
        read_answers({}, "x")
    with pytest.raises(AnswersError, match=r"model: .*valid string, got 5"):
        read_answers({"model": 5}, "x")


def test_other_braces_of_a_template_are_its_own():
    assert read(prompt='{context} {question} as {"answer": "..."}').prompt.endswith('"..."}')
