"""Models by their name on the Hugging Face hub: from its local cache, else downloaded."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

from bench.errors import UserError

PATIENCE = 4.0
"""Seconds the hub has to say whether it knows a model."""
NAME = re.compile(r"[\w.-]+(/[\w.-]+)?", re.ASCII)
WANTED = ("*.json", "*.txt", "*.model", "*.safetensors")
"""What a model is read from: no pickles, no code."""
UNWANTED = ("onnx/*", "openvino/*", "*/onnx/*", "*/openvino/*")


def hub_folder(name: str) -> Path:
    """Return the folder of a model in the hub's cache, downloaded if it is not there.

    Raises:
        UserError: It is neither a folder nor a model that can be had here; within seconds.
    """
    if not NAME.fullmatch(name):
        raise UserError(f"{name!r} is no folder of a model; {_ways(name)}")
    from huggingface_hub import constants, snapshot_download

    # As the library does with names that lack an owner.
    name = name if "/" in name else f"sentence-transformers/{name}"
    if folder := _kept(name):
        return folder
    if constants.HF_HUB_OFFLINE:
        raise UserError(f"{_missing(name)} HF_HUB_OFFLINE forbids downloading it; {_ways(name)}")
    revision = _revision(name)
    try:
        return Path(
            snapshot_download(
                name,
                revision=revision,
                allow_patterns=list(WANTED),
                ignore_patterns=list(UNWANTED),
            )
        )
    except Exception as error:  # of the network, the disk, the hub: they share no narrower type
        raise UserError(f"cannot download {name}: {_line(error)}; {_ways(name)}") from None


def _kept(name: str) -> Path | None:
    """Return the folder of a model that is in the cache as a whole."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, OSError, ValueError):
        return None
    return folder if (folder / "modules.json").is_file() else None


def _revision(name: str) -> str:
    """Ask the hub for the present revision of a model, but not for long."""
    answer: dict[str, Any] = {}

    def ask() -> None:
        from huggingface_hub import HfApi

        try:
            answer["revision"] = HfApi().model_info(name, timeout=PATIENCE).sha
        except Exception as error:  # told below, in the thread that waits
            answer["error"] = _line(error)

    # In a thread, for no time limit of the client reaches the look-up of a host's name.
    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(PATIENCE)
    if revision := answer.get("revision"):
        return str(revision)
    why = answer.get("error", f"the hub did not answer within {PATIENCE:g} s")
    raise UserError(f"{_missing(name)} It cannot be downloaded: {why}; {_ways(name)}")


def _missing(name: str) -> str:
    from huggingface_hub import constants

    return f"the model {name} is no folder, and not in the hub's cache {constants.HF_HUB_CACHE}."


def _ways(name: str) -> str:
    return (
        f"give the folder of a sentence-transformers model instead, made where there is a network "
        f"by SentenceTransformer({name!r}).save('folder'), or copy that machine's cache here"
    )


def _line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
