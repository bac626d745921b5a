"""An embedding model of ours, as ragas asks one."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from bench.errors import UserError
from bench.retrieval.embedders.encoder import Encoder


class Vectors:
    """Vectors of texts, each computed once and by itself. Threads may share it.

    Args:
        encoder: Computes them.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._kept: dict[str, list[float]] = {}
        self._one = threading.Lock()

    def embed_text(self, text: str, **_: object) -> list[float]:
        """Return a text's vector, of unit length."""
        with self._one:
            if text not in self._kept:
                # Alone: what else is in a batch can change the last bits.
                self._kept[text] = self._encoder.encode([text])[0].tolist()
            return self._kept[text]

    async def aembed_text(self, text: str, **_: object) -> list[float]:
        """Return a text's vector."""
        return self.embed_text(text)

    def embed_texts(self, texts: Sequence[str], **_: object) -> list[list[float]]:
        """Return the vectors of several texts."""
        return [self.embed_text(text) for text in texts]

    async def aembed_texts(self, texts: Sequence[str], **_: object) -> list[list[float]]:
        """Return the vectors of several texts."""
        return self.embed_texts(texts)


def local_encoder(name: str) -> Encoder:
    """Return an embedding model that runs on this machine, by its name in specs.

    Raises:
        UserError: There is no such model, or it is a retriever of another kind.
    """
    from bench.catalog import retriever
    from bench.retrieval.embedders.make import encoder
    from bench.retrieval.embedders.recipes import E5, Dense, MiniLM

    recipe = retriever(name)[1]
    if "+" in name or not isinstance(recipe.base, MiniLM | E5 | Dense):
        raise UserError(
            f"{name!r} is no embedding model of this machine; there are: minilm, e5, "
            f"dense[model=...]"
        )
    return encoder(recipe.base)
