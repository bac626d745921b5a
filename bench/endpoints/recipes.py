"""Stages that ask a remote model, as specs name them: `minilm+cohere[model=rerank-v3.5]`.

Keys are named by their environment variable and never written down; `key_env=""` sends none.
"""

from __future__ import annotations

from dataclasses import dataclass

from bench.endpoints.address import OPENAI, OPENAI_KEY, check_address, check_model
from rse.checks import ParameterError, named, number, whole

DEPTH = 50
MOST_QUERIES = 50
"""Queries a language model can be asked for at a time."""
MODEL = "gpt-4o-mini"
MAX_TOKENS = 1024
HOTTEST = 2
"""Highest temperature that endpoints take."""


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

    max_tokens: int = MAX_TOKENS
    """Tokens an answer has at most; 0: not sent, for models that refuse it."""

    temperature: float | str = 0.0
    """0 for the likeliest answer; `none`: not sent, for models that refuse it."""

    def __post_init__(self) -> None:
        _check_talker(self)
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

    max_tokens: int = MAX_TOKENS
    """Tokens an answer has at most; 0: not sent, for models that refuse it."""

    temperature: float | str = 0.0
    """0 for the likeliest answer; `none`: not sent, for models that refuse it."""

    def __post_init__(self) -> None:
        _check_talker(self)
        whole("n", self.n, 1)
        if self.n > MOST_QUERIES:
            raise ParameterError(f"n must be at most {MOST_QUERIES}, got {self.n}")


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

    max_tokens: int = MAX_TOKENS
    """Tokens an answer has at most; 0: not sent, for models that refuse it."""

    temperature: float | str = 0.0
    """0 for the likeliest answer; `none`: not sent, for models that refuse it."""

    def __post_init__(self) -> None:
        _check_talker(self)


Scorer = Cohere | Jina | Voyage
Talker = Listwise | Queries | Titles
Remote = Scorer | Talker


def _check_scorer(made: Scorer) -> None:
    _check(made)
    whole("depth", made.depth, 1)
    if made.scores not in ("given", "sigmoid"):
        raise ParameterError(f"scores must be one of given, sigmoid, got {made.scores!r}")


def _check(made: Remote) -> None:
    """Check what every remote model is told by, and spell its URL in the one way."""
    check_model(made.model)
    object.__setattr__(made, "url", check_address(made.url, made.key_env))


def _check_talker(made: Talker) -> None:
    """Check a language model's settings, and spell its temperature in the one way."""
    _check(made)
    whole("max_tokens", made.max_tokens, 0)
    if made.temperature != "none":
        allowed = f"a number from 0 to {HOTTEST}, or none"
        number("temperature", made.temperature, allowed, lambda value: 0 <= value <= HOTTEST)
        object.__setattr__(made, "temperature", float(made.temperature))
