"""Models by their name on the Hugging Face hub: from its local cache, else downloaded."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import NamedTuple

from bench.errors import UserError

PATIENCE = 4.0
"""Seconds the hub has to say whether it knows a model."""
NAME = re.compile(r"[\w.-]+(/[\w.-]+)?", re.ASCII)
BRANCH = "main"
"""What is downloaded: the cache finds again what it has by a branch, but not by a revision."""
WANTED = ["*.json", "*.txt", "*.model", "*.safetensors"]
"""What a model is read from: no pickles, no code."""
UNWANTED = ["onnx/*", "openvino/*", "*/onnx/*", "*/openvino/*"]


class Kind(NamedTuple):
    """What differs between kinds of models."""

    owner: str
    """Whose a model is whose name lacks an owner."""
    files: tuple[str, ...]
    """One of these is in the folder of every such model."""
    library: str
    """Class of sentence-transformers that saves such a folder."""


EMBEDDER = Kind("sentence-transformers", ("modules.json",), "SentenceTransformer")
CROSS_ENCODER = Kind("cross-encoder", ("config.json", "modules.json"), "CrossEncoder")


def hub_folder(name: str, kind: Kind = EMBEDDER) -> Path:
    """Return the folder of a model in the hub's cache, downloaded if it is not there as a whole.

    Args:
        name: The model's, with its owner or without.
        kind: What it must be.

    Raises:
        UserError: It is neither a folder nor a model that can be had here; within seconds.
    """
    if not NAME.fullmatch(name):
        raise UserError(f"{name!r} is no folder of a model; {_ways(name, kind)}")
    from huggingface_hub import constants

    name = name if "/" in name else f"{kind.owner}/{name}"
    if folder := _kept(name, kind):
        return folder
    if constants.HF_HUB_OFFLINE:
        raise UserError(
            f"{_missing(name)} HF_HUB_OFFLINE forbids downloading it; {_ways(name, kind)}"
        )
    if problem := _problem(name):
        raise UserError(f"{_missing(name)} It cannot be downloaded: {problem}; {_ways(name, kind)}")
    try:
        folder = _snapshot(name, local=False)
    except Exception as error:  # of the network, the disk, the hub: they share no narrower type
        raise UserError(f"cannot download {name}: {_line(error)}; {_ways(name, kind)}") from None
    if not _whole(folder, kind):
        raise UserError(
            f"{name} on the hub is no model that can be read: it lacks {' and '.join(kind.files)}, "
            f"or weights as safetensors; {_ways(name, kind)}"
        )
    return folder


def _kept(name: str, kind: Kind) -> Path | None:
    """Return the folder of a model that is in the cache as a whole."""
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        folder = _snapshot(name, local=True)
    except (LocalEntryNotFoundError, OSError, ValueError):
        return None
    return folder if _whole(folder, kind) else None


def _snapshot(name: str, *, local: bool) -> Path:
    """Return a model's folder; of the cache alone, files that a download began with may lack."""
    from huggingface_hub import snapshot_download

    # The same patterns both times: what was never wanted is not missing.
    found = snapshot_download(
        name,
        revision=BRANCH,
        local_files_only=local,
        allow_patterns=WANTED,
        ignore_patterns=UNWANTED,
    )
    return Path(found)


def _whole(folder: Path, kind: Kind) -> bool:
    """Tell whether a folder has what makes a model, its weights above all: they come last."""
    if not any((folder / file).is_file() for file in kind.files):
        return False
    return all(_has_weights(place) for place in _weighty(folder))


def _weighty(folder: Path) -> list[Path]:
    """Return the folders that must have weights: those of transformers and of dense layers."""
    try:
        modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
        return [
            folder / str(module.get("path", ""))
            for module in modules
            if str(module["type"]).endswith(("Transformer", "Dense"))
        ]
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return [folder]  # a model of one part


def _has_weights(place: Path) -> bool:
    """Tell whether weights are there, and each file of them where they are several."""
    index = place / "model.safetensors.index.json"
    if not index.is_file():
        return any(path.is_file() for path in place.glob("*.safetensors"))
    try:
        names = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
    except (ValueError, TypeError, KeyError, AttributeError):
        return False
    return all((place / str(name)).is_file() for name in names)


def _problem(name: str) -> str | None:
    """Ask the hub whether it has a model, but not for long; return what stands in the way."""
    answer: list[str | None] = []

    def ask() -> None:
        from huggingface_hub import HfApi

        try:
            HfApi().model_info(name, timeout=PATIENCE)
        except Exception as error:  # told in the thread that waits
            answer.append(_line(error))
        else:
            answer.append(None)

    # In a thread, for no time limit of the client reaches the look-up of a host's name.
    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(PATIENCE)
    return answer[0] if answer else f"the hub did not answer within {PATIENCE:g} s"


def _missing(name: str) -> str:
    from huggingface_hub import constants

    return (
        f"the model {name} is no folder, and not, or not as a whole, in the hub's cache "
        f"{constants.HF_HUB_CACHE}."
    )


def _ways(name: str, kind: Kind) -> str:
    return (
        f"give the folder of such a model instead, made where there is a network by "
        f"{kind.library}({name!r}).save('folder'), or copy that machine's cache here"
    )


def _line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
