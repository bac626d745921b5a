"""A transformer as an ONNX graph, run by ONNX Runtime or OpenVINO instead of torch.

The converters that sentence-transformers calls (optimum) refuse the transformers this project
uses, so the graph is exported here; tokenizer, pooling and all else stay those of the library.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.errors import UserError
from bench.places import cache_folder
from bench.retrieval.embedders.computing import Backend
from bench.retrieval.embedders.model import digest_of, fingerprint
from bench.store.atomic import write
from bench.threads import renew_threads

SCHEME = 1
"""Raised whenever the code below makes other graphs."""
MAKERS = ("torch", "transformers")
OUTPUT = "last_hidden_state"
Arrays = Mapping[str, NDArray[np.int64]]
Run = Callable[[Arrays], NDArray[np.float32]]


def shipped(folder: Path) -> Path | None:
    """Return the graph that comes with the model, if one does."""
    path = folder / "onnx" / "model.onnx"
    return path if path.is_file() else None


def graph_identity(folder: Path) -> str:
    """Say which graph is run: the digest of the one that came with the model, or our own."""
    path = shipped(folder)
    return digest_of(path) if path else json.dumps(_makers())


def attach(model: Any, folder: Path, backend: Backend) -> None:  # noqa: ANN401
    """Let a graph take the place of the model's transformer."""
    import torch
    from transformers.modeling_outputs import BaseModelOutput

    path = shipped(folder) or _own(model, folder)
    run = {"onnx": _onnxruntime, "openvino": _openvino}[backend](path)
    configuration = model[0].auto_model.config

    class Graph(torch.nn.Module):
        """Has what sentence-transformers needs of a transformer."""

        config = configuration

        def forward(self, **inputs: Any) -> Any:  # noqa: ANN401
            arrays = {k: v.numpy() for k, v in inputs.items() if isinstance(v, torch.Tensor)}
            return BaseModelOutput(last_hidden_state=torch.from_numpy(run(arrays)))

    model[0].model = Graph().eval()


def _onnxruntime(path: Path) -> Run:
    import onnxruntime
    import torch

    renew_threads()
    options = onnxruntime.SessionOptions()
    # Its threads are its own: nothing that sets those of other libraries reaches them later.
    options.intra_op_num_threads = torch.get_num_threads()
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its errors share no narrower type
        raise UserError(f"ONNX Runtime cannot read {path}: {error}") from None
    names = [one.name for one in session.get_inputs()]

    def run(inputs: Arrays) -> NDArray[np.float32]:
        found: NDArray[np.float32] = session.run([OUTPUT], {n: inputs[n] for n in names})[0]
        return found

    return run


def _openvino(path: Path) -> Run:
    import openvino
    import torch

    renew_threads()
    # Its default is the fastest type the processor has: other numbers on other machines.
    settings = {
        "INFERENCE_PRECISION_HINT": "f32",
        "INFERENCE_NUM_THREADS": torch.get_num_threads(),
    }
    try:
        compiled = openvino.Core().compile_model(str(path), "CPU", settings)
    except RuntimeError as error:
        raise UserError(f"OpenVINO cannot read {path}: {error}") from None
    names = [one.get_any_name() for one in compiled.inputs]

    def run(inputs: Arrays) -> NDArray[np.float32]:
        # A copy, for the library reuses the memory of its answer.
        return np.array(compiled({name: inputs[name] for name in names})[OUTPUT], np.float32)

    return run


def _makers() -> list[str]:
    """Return the versions of what makes a graph: each may make another one of the same model."""
    return [f"exported {SCHEME}", *(f"{name} {version(name)}" for name in MAKERS)]


def _own(model: Any, folder: Path) -> Path:  # noqa: ANN401
    """Export the transformer once, and keep the graph in the cache."""
    parts = [*_makers(), fingerprint(folder)]
    name = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
    path = cache_folder() / "onnx" / f"{name}.onnx"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, lambda temporary: _export(model, temporary))
    return path


def _export(model: Any, path: Path) -> None:  # noqa: ANN401
    import torch

    transformer = model[0].auto_model
    inputs = dict(
        model.tokenizer(["two texts", "of unequal length"], padding=True, return_tensors="pt")
    )
    names = list(inputs)

    class Positional(torch.nn.Module):
        """Takes inputs in order, gives the last layer alone."""

        def __init__(self) -> None:
            super().__init__()
            self.inner = transformer

        def forward(self, *tensors: torch.Tensor) -> Any:  # noqa: ANN401
            given = dict(zip(names, tensors, strict=True))
            return self.inner(**given, return_dict=True).last_hidden_state

    axes = {name: {0: "batch", 1: "length"} for name in (*names, OUTPUT)}
    with warnings.catch_warnings():
        # The other exporter takes 20 s instead of 3, and talks on standard output.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Positional().eval(),  # the exporter restores this mode when done, in all inside
            tuple(inputs.values()),
            str(path),
            input_names=names,
            output_names=[OUTPUT],
            dynamic_axes=axes,
            dynamo=False,
        )
