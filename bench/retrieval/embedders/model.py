"""What the folder of a sentence-transformers model says about it, and how it is loaded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bench.errors import UserError
from bench.retrieval.embedders.computing import Computing, check
from bench.threads import renew_threads


class Prompts(NamedTuple):
    """What a model wants to see before a text."""

    query: str = ""
    document: str = ""


def module_folders(folder: Path) -> list[Path]:
    """Return the folders of the model's modules in order.

    Raises:
        UserError: It is no model, or one of code we do not know, or its weights are pickled.
    """
    modules = _read(folder / "modules.json")
    if not isinstance(modules, list):
        raise UserError(
            f"{folder} holds no sentence-transformers model: modules.json is missing, or no list"
        )
    folders = []
    for module in modules:
        kind = str(module.get("type", ""))
        if not kind.startswith("sentence_transformers.") or kind.endswith(".Router"):
            raise UserError(
                f"{folder}: the module {kind!r} is not supported; the model must consist of "
                f"modules of sentence-transformers that treat queries and documents alike"
            )
        place = folder / str(module.get("path", ""))
        refuse_pickles(place, "SentenceTransformer")
        folders.append(place)
    return folders


def refuse_pickles(place: Path, library: str) -> None:
    """Refuse a folder whose weights are pickled: reading those runs code.

    Args:
        place: The folder.
        library: Class of sentence-transformers that saves such a folder anew.

    Raises:
        UserError: There are pickled weights, and no others.
    """
    if [*place.glob("pytorch_model*.bin")] and not [*place.glob("*.safetensors")]:
        raise UserError(
            f"{place} holds pickled weights (pytorch_model.bin) only, and those are not read: "
            f"save the model once more, {library}(...).save(folder)"
        )


def fingerprint(folder: Path) -> str:
    """Return the sha256 over every file that can change a vector: weights, tokenizer, settings.

    Other formats of the weights (`onnx/`...) lie in folders of their own and are left out.
    """
    digest = hashlib.sha256()
    for place in sorted({folder, *module_folders(folder)}):
        for path in sorted(place.glob("[!.]*")) if place.is_dir() else ():
            if path.is_file() and path.suffix != ".md":
                line = f"{path.relative_to(folder).as_posix()}\n{digest_of(path)}\n"
                digest.update(line.encode())
    return digest.hexdigest()


def digest_of(path: Path) -> str:
    """Return the sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def dimension(folder: Path) -> int:
    """Return the length of the model's vectors: what the last module that says so puts out."""
    for place in reversed(module_folders(folder)):
        said = _read(place / "config.json") or {}
        for key in ("out_features", "embedding_dimension", "word_embedding_dimension"):
            if key in said:
                return int(said[key])
    raise UserError(f"{folder}: no module's config.json names the length of its vectors")


def prompts(folder: Path) -> Prompts:
    """Return the model's own prompts, found under the names sentence-transformers looks for."""
    said = _read(folder / "config_sentence_transformers.json") or {}
    known = {name: text or "" for name, text in (said.get("prompts") or {}).items()}
    default = known.get(said.get("default_prompt_name") or "", "")
    query = known.get("query", default)
    names = [name for name in ("document", "passage", "corpus") if name in known]
    return Prompts(query, known[names[0]] if names else default)


def load(folder: Path, computing: Computing | None = None) -> Any:  # noqa: ANN401  # costs the import
    """Load the model in eval mode: no network, no code from the folder, no pickles, no bars.

    Raises:
        UserError: The folder holds no model that can be used, or this machine cannot do what
            `computing` asks for.
    """
    computing = computing or Computing()
    module_folders(folder)  # a name that is no folder would be looked up on the network
    check(computing)
    from sentence_transformers import SentenceTransformer

    renew_threads()
    with loading(folder):
        model = SentenceTransformer(
            str(folder),
            device=computing.device,
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True},
        )
    if not hasattr(model[0], "auto_model") or not getattr(model.tokenizer, "is_fast", False):
        raise UserError(f"{folder}: only transformers with a tokenizer.json are supported")
    model.float().eval()
    if computing.backend != "torch":
        from bench.retrieval.embedders.exported import attach

        attach(model, folder, computing.backend)
    elif computing.dtype != "float32":
        _narrow(model, computing.dtype)
    return model


def _narrow(model: Any, dtype: str) -> None:  # noqa: ANN401
    """Let the transformer compute in fewer bits; what comes after it gets float32."""
    import torch

    model[0].auto_model.to(getattr(torch, dtype))

    def widen(_module: Any, _inputs: Any, output: Any) -> Any:  # noqa: ANN401
        output["token_embeddings"] = output["token_embeddings"].float()
        return output

    model[0].register_forward_hook(widen)


def _read(path: Path) -> Any:  # noqa: ANN401
    """Return what a JSON file holds; None: there is none."""
    if not path.is_file():
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UserError(f"{path} is no JSON: {error}") from None


@contextmanager
def loading(folder: Path) -> Iterator[None]:
    """Keep quiet while a model is loaded, and say in one line why it cannot be.

    Raises:
        UserError: The libraries cannot load it.
    """
    from safetensors import SafetensorError

    try:
        with quiet():
            yield
    except (
        *(OSError, ValueError, RuntimeError, KeyError, TypeError, AttributeError, ImportError),
        SafetensorError,
    ) as error:
        why = next(iter(str(error).splitlines()), "") or type(error).__name__
        raise UserError(f"cannot load the model in {folder}: {why}") from None


@contextmanager
def quiet() -> Iterator[None]:
    """Keep transformers from drawing a bar while weights load, whatever stderr is."""
    from transformers.utils import logging as library

    logging: Any = library  # untyped
    bars, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
