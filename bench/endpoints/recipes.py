"""Stages that ask a remote model, as specs name them: `minilm+cohere[model=rerank-v3.5]`.

Keys are named by their environment variable and never written down; `key_env=""` sends none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from bench.endpoints.client import EndpointError, checked_url
from rse.checks import ParameterError, named, whole

DEPTH = 50
OPENAI = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"
MODEL = "gpt-4o-mini"

_VARIABLE = re.compile(r"(?:[A-Z_][A-Z0-9_]*)?")


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Cohere:
    """Rerank by a service that speaks as Cohere's does, see `bench.retrieval.rerank.remote`."""

    model: str = "rerank-v3.5"
    """Its name there."""

    depth: int = DEPTH
    """Hits that are scored anew; the others are dropped."""

    url: str = "https://api.cohere.com/v2"
    """Where `/rerank` is."""

    key_env: str = "COHERE_API_KEY"
    """Environment variable with the key."""

    scores: str = "given"
    """`given`: relevance from 0 to 1; `sigmoid`: logits, of which the sigmoid is taken."""

    def __post_init__(self) -> None:
        _check_scorer(self)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Jina:
    """Rerank by a service that speaks as Jina's does, as vLLM, llama.cpp and Infinity do, too."""

    model: str = "jina-reranker-v2-base-multilingual"
    """Its name there."""

    depth: int = DEPTH
    """Hits that are scored anew; the others are dropped."""

    url: str = "https://api.jina.ai/v1"
    """Where `/rerank` is."""

    key_env: str = "JINA_API_KEY"
    """Environment variable with the key."""

    scores: str = "given"
    """`given`: relevance from 0 to 1; `sigmoid`: logits, of which the sigmoid is taken."""

    def __post_init__(self) -> None:
        _check_scorer(self)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Voyage:
    """Rerank by a service that speaks as Voyage's does."""

    model: str = "rerank-2.5"
    """Its name there."""

    depth: int = DEPTH
    """Hits that are scored anew; the others are dropped."""

    url: str = "https://api.voyageai.com/v1"
    """Where `/rerank` is."""

    key_env: str = "VOYAGE_API_KEY"
    """Environment variable with the key."""

    scores: str = "given"
    """`given`: relevance from 0 to 1; `sigmoid`: logits, of which the sigmoid is taken."""

    def __post_init__(self) -> None:
        _check_scorer(self)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Listwise:
    """Rerank by a language model that orders passages, see `bench.retrieval.rerank.listwise`."""

    model: str = MODEL
    """Its name at the endpoint."""

    url: str = OPENAI
    """Where `/chat/completions` is."""

    key_env: str = OPENAI_KEY
    """Environment variable with the key."""

    depth: int = DEPTH
    """Hits that are ordered anew; the others are dropped."""

    window: int = 20
    """Passages the model sees at a time."""

    step: int = 10
    """Places the window moves; less than `window`, so that a good passage can move on with it."""

    def __post_init__(self) -> None:
        _check(self)
        whole("depth", self.depth, 1)
        whole("window", self.window, 2)
        whole("step", self.step, 1)
        if self.step >= self.window:
            raise ParameterError(
                f"step must be less than window, got step={self.step}, window={self.window}"
            )


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Queries:
    """Search by queries that a language model makes, beside the question's own."""

    n: int = 3
    """Queries asked for."""

    model: str = MODEL
    """Its name at the endpoint."""

    url: str = OPENAI
    """Where `/chat/completions` is."""

    key_env: str = OPENAI_KEY
    """Environment variable with the key."""

    def __post_init__(self) -> None:
        _check(self)
        whole("n", self.n, 1)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Titles:
    """Title and summary by a language model, for documents that lack them."""

    model: str = MODEL
    """Its name at the endpoint."""

    url: str = OPENAI
    """Where `/chat/completions` is."""

    key_env: str = OPENAI_KEY
    """Environment variable with the key."""

    def __post_init__(self) -> None:
        _check(self)


Scorer = Cohere | Jina | Voyage
Remote = Scorer | Listwise | Queries | Titles


def _check_scorer(made: Scorer) -> None:
    _check(made)
    whole("depth", made.depth, 1)
    if made.scores not in ("given", "sigmoid"):
        raise ParameterError(f"scores must be one of given, sigmoid, got {made.scores!r}")


def _check(made: Remote) -> None:
    """Check what every remote model is told by, and spell its URL in the one way."""
    _text("model", made.model)
    if not isinstance(made.key_env, str) or not _VARIABLE.fullmatch(made.key_env):
        # Somebody may have put the key itself there: it is not repeated.
        raise ParameterError(
            "key_env must be the name, in capitals, of the environment variable that holds the "
            f'key, like {OPENAI_KEY}, or "" for none'
        )
    object.__setattr__(made, "url", _url(made.url))


def _text(name: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        hint = "; a number is a word in quotes" if isinstance(value, int | float) else ""
        raise ParameterError(f"{name} must be a name in one line, got {value!r}{hint}")


def _url(value: object) -> str:
    """Return a URL as every spelling of it is named. Results show it, so it must hold no secret."""
    if not isinstance(value, str):
        raise ParameterError(f"url must be like {OPENAI}, got {value!r}")
    try:
        url = checked_url(value)
    except EndpointError as error:
        raise ParameterError(f"url: {error}") from None
    if urlsplit(url).query:
        raise ParameterError(
            f"url must end before its question mark, for results show it; write it like {OPENAI}"
        )
    return url
