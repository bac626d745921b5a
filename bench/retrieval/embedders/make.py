"""From the settings of an embedding model to the model."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from bench.errors import UserError
from bench.places import cache_folder
from bench.retrieval.embedders.computing import Backend, Computing, Dtype, check
from bench.retrieval.embedders.encoder import Encoder
from bench.retrieval.embedders.hub import EMBEDDER, Kind, hub_folder
from bench.retrieval.embedders.model import Prompts, prompts
from bench.retrieval.embedders.recipes import E5, Dense, MiniLM, OpenAI, Settings
from bench.retrieval.embedders.sentence import SentenceEncoder, minilm
from bench.retrieval.embedders.windows import checked_long
from bench.store.answers import AnswerCache


def encoder(settings: Settings) -> Encoder:
    """Make an embedding model; it is loaded when first needed.

    Raises:
        UserError: There is no such model here, or this machine cannot do what is asked for.
    """
    long = checked_long(settings.long)
    if isinstance(settings, MiniLM):
        return minilm(long)
    if isinstance(settings, E5):
        from bench.retrieval.embedders.e5 import E5Encoder

        return E5Encoder(long)
    if isinstance(settings, OpenAI):
        from bench.retrieval.embedders.endpoint import EndpointEncoder

        return EndpointEncoder(settings, cache=AnswerCache(cache_folder()))
    return _dense(settings)


def _dense(settings: Dense) -> SentenceEncoder:
    computing = Computing(
        cast(Dtype, settings.dtype), cast(Backend, settings.backend), settings.device
    )
    if computing != Computing():
        check(computing)  # before a model is downloaded
    folder, name = place(settings.model)
    try:
        own = prompts(folder)
        given = Prompts(
            own.query if settings.query_prompt is None else settings.query_prompt,
            own.document if settings.document_prompt is None else settings.document_prompt,
        )
        long = checked_long(settings.long)
        return SentenceEncoder(folder, name, long, settings.batch, computing, given)
    except UserError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        # Settings are read at many places, and any of them may be something else than it should.
        raise UserError(
            f"the settings of the model in {folder} cannot be read: {type(error).__name__}: "
            f"{error}; save it anew by SentenceTransformer.save"
        ) from None


def place(model: str, kind: Kind = EMBEDDER) -> tuple[Path, str]:
    """Return a model's folder and what reports call it, wherever the folder is.

    Args:
        model: Its folder, or its name on the hub.
        kind: What it must be.

    Raises:
        UserError: There is no such model here.
    """
    path = Path(model).expanduser()
    if path.is_dir():
        return path, path.resolve().name
    return hub_folder(model, kind), model
