"""What the folder of a sentence-transformers model says about it, and how it is loaded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.threads import renew_threads


def module_folders(folder: Path) -> list[Path]:
    """Return the folders of the model's modules in order. Raises `ValueError` if it is no model."""
    listing = folder / "modules.json"
    if not listing.is_file():
        raise ValueError(f"{folder} holds no sentence-transformers model: modules.json is missing")
    return [folder / module["path"] for module in json.loads(listing.read_text(encoding="utf-8"))]


def fingerprint(folder: Path) -> str:
    """Return the sha256 over every file that can change a vector: weights, tokenizer, settings.

    Other formats of the weights (`onnx/`...) lie in folders of their own and are left out.
    """
    digest = hashlib.sha256()
    for place in sorted({folder, *module_folders(folder)}):
        for path in sorted(place.glob("[!.]*")) if place.is_dir() else ():
            if path.is_file() and path.suffix != ".md":
                with path.open("rb") as file:
                    content = hashlib.file_digest(file, "sha256").hexdigest()
                digest.update(f"{path.relative_to(folder).as_posix()}\n{content}\n".encode())
    return digest.hexdigest()


def dimension(folder: Path) -> int:
    """Return the length of the model's vectors: what the last module that says so puts out."""
    for place in reversed(module_folders(folder)):
        path = place / "config.json"
        said = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        for key in ("out_features", "embedding_dimension", "word_embedding_dimension"):
            if key in said:
                return int(said[key])
    raise ValueError(f"{folder}: no module's config.json names the length of its vectors")


def load(folder: Path) -> Any:  # noqa: ANN401  # the type would cost the import
    """Load the model on the CPU in float32: no network, no code from the folder, no bars."""
    module_folders(folder)  # a name that is no folder would be looked up on the network
    from sentence_transformers import SentenceTransformer

    renew_threads()
    with _quiet():
        model = SentenceTransformer(
            str(folder), device="cpu", local_files_only=True, trust_remote_code=False
        )
    if prompts := [prompt for prompt in model.prompts.values() if prompt]:
        raise ValueError(f"{folder}: the model expects prompts ({prompts}), which are not added")
    return model.float().eval()


@contextmanager
def _quiet() -> Iterator[None]:
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
