"""What the key `answers` of a spec may say: who answers, who judges, in which words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from bench.answers.prompt import PROMPT, check_template
from bench.endpoints.address import OPENAI, OPENAI_KEY, check_address, check_model
from bench.endpoints.recipes import HOTTEST, MAX_TOKENS
from bench.errors import UserError, cut
from rse.checks import ParameterError

LEAST, MOST = 1, 5
"""The scale that judges use; scores are kept as shares of it, 0 for the least."""
REPEATS = 3
"""Times that a judge is asked of the same answer, at least: it does not always say the same."""
RUBRIC = (
    "5: says all that the reference says, and nothing that contradicts it.\n"
    "4: right, with a minor part missing or added.\n"
    "3: partly right: an essential part is missing or wrong.\n"
    "2: mostly wrong, with something of the reference in it.\n"
    "1: wrong, or no answer, where the reference has one.\n"
    "Judge what is said, not how: length, style and language do not count."
)
Temperature = Annotated[float, Field(ge=0, le=HOTTEST)] | Literal["none"]
"""0 for the likeliest answer; `none`: not sent, for models that refuse it."""
_KEY_NEEDED = (
    "{name} is needed with another url than {url}, for a key is not sent to a host it was not "
    'meant for; name the variable that holds the key, or write "" for none'
)
_STRICT = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)


class AnswersError(UserError):
    """Answers that cannot be made as it was asked; the message says what would work."""


class Judge(BaseModel):
    """Who says how good an answer is; what is not given is as for the answers."""

    model_config = _STRICT

    model: str | None = None
    url: str | None = None
    key_env: str | None = Field(default=None, description="Needed with a URL of the judge's own.")
    rubric: str = Field(default=RUBRIC, min_length=1, description=f"What {LEAST} to {MOST} mean.")
    repeats: int = Field(default=REPEATS, ge=REPEATS, le=100)
    temperature: Temperature = 0.0
    max_tokens: int = Field(default=MAX_TOKENS, ge=0, description="0: not sent.")

    @field_validator("model")
    @classmethod
    def _model(cls, value: str | None) -> str | None:
        if value is not None:
            check_model(value)
        return value


class Answers(BaseModel):
    """How answers are made of what the arms have chosen, and judged."""

    model_config = _STRICT

    model: str
    url: str = OPENAI
    key_env: str = Field(
        default=OPENAI_KEY, description="Environment variable with the key; '': none."
    )
    temperature: Temperature = 0.0
    max_tokens: int = Field(default=MAX_TOKENS, ge=0, description="0: not sent.")
    prompt: str = Field(default=PROMPT, description="With {context} and {question} in it.")
    judge: Judge | None = None
    prefer: list[str] | None = Field(default=None, min_length=2, max_length=2)

    @field_validator("model")
    @classmethod
    def _model(cls, value: str) -> str:
        check_model(value)
        return value

    @field_validator("prompt")
    @classmethod
    def _prompt(cls, value: str) -> str:
        check_template(value)
        return value

    @field_validator("prefer")
    @classmethod
    def _two(cls, value: list[str] | None) -> list[str] | None:
        if value is not None and value[0] == value[1]:
            raise ParameterError("two different arms are needed")
        return value

    @model_validator(mode="before")
    @classmethod
    def _addresses(cls, data: Any) -> Any:  # noqa: ANN401
        """Spell URLs in the one way; no error repeats what may hold a password or be the key."""
        if not isinstance(data, Mapping):
            return data
        url = check_address(data.get("url", OPENAI), data.get("key_env", OPENAI_KEY))
        if url != OPENAI and "key_env" not in data:
            raise ParameterError(_KEY_NEEDED.format(name="key_env", url=OPENAI))
        judge = data.get("judge")
        if isinstance(judge, Mapping) and judge.get("url") is not None:
            key_env = judge.get("key_env")
            own = check_address(judge["url"], "" if key_env is None else key_env)
            if own != url and key_env is None:
                raise ParameterError(_KEY_NEEDED.format(name="judge.key_env", url=url))
            judge = {**judge, "url": own}
        elif isinstance(judge, Mapping) and judge.get("key_env") is not None:
            check_address(url, judge["key_env"])
        return {**data, "url": url} | ({} if judge is None else {"judge": judge})

    @property
    def judging(self) -> Judge:
        """The judge, every part of it known; the defaults where none is named."""
        judge = self.judge or Judge()
        given = {
            "model": self.model if judge.model is None else judge.model,
            "url": self.url if judge.url is None else judge.url,
            "key_env": self.key_env if judge.key_env is None else judge.key_env,
        }
        return judge.model_copy(update=given)


def read_answers(content: Mapping[str, Any], where: str) -> Answers:
    """Check what a spec or a command line says.

    Raises:
        AnswersError: Something in it is unknown, missing or wrong; says where and what would work.
    """
    try:
        return Answers.model_validate(dict(content))
    except ValidationError as error:
        raise AnswersError(f"{where}: {problem(error)}") from None


def problem(error: ValidationError) -> str:
    """Say the first problem in one line, without repeating what may be a key."""
    first = error.errors()[0]
    # Of a union pydantic names the branch, too: `temperature.constrained-float`.
    place = ".".join(str(part) for part in first["loc"] if str(part).isidentifier())
    if first["type"] == "value_error":
        text = str(first["ctx"]["error"])
        return f"{place}: {text}" if place else text
    if first["type"] == "extra_forbidden":
        known = Judge.model_fields if "judge." in place else Answers.model_fields
        return f"unknown key {place!r}; there are: {', '.join(known)}"
    if first["type"] == "missing":
        return f"the key {place!r} is missing"
    return f"{place}: {first['msg']}, got {cut(repr(first['input']), 60)}"
