"""The parameters RSE and its optimum share, under dsRAG's names and with dsRAG's meaning."""

from __future__ import annotations

from dataclasses import dataclass

from rse.checks import ParameterError, number, whole
from rse.placed import MANY


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """What RSE can be told (dsRAG 0.5.6, `dsrag/rse.py`); the defaults are its preset `balanced`.

    Raises:
        ParameterError: A value out of range, or of the wrong type.
    """

    irrelevant_chunk_penalty: float = 0.18
    """What one irrelevant chunk costs, in (0, 1]. Higher gives shorter segments."""

    decay_rate: float = 30
    """Ranks over which a hit's relevance fades by a factor of e; above 0."""

    minimum_value: float = 0.5
    """Least value of a segment that is returned."""

    max_length: int = 15
    """Most chunks in one segment."""

    overall_max_length: int = 30
    """Most chunks in all segments together, for one search query."""

    overall_max_length_extension: int = 5
    """Chunks added to `overall_max_length` for each search query after the first."""

    top_k_for_document_selection: int = 10
    """Only documents among the best so many hits of a query are considered."""

    chunk_length_adjustment: bool = True
    """Whether hits of more than 700 characters count for proportionally more."""

    def __post_init__(self) -> None:
        number(
            "irrelevant_chunk_penalty",
            self.irrelevant_chunk_penalty,
            "a number above 0, at most 1",  # at 0 every chunk that is no hit could end a segment
            lambda value: 0 < value <= 1,
        )
        number("decay_rate", self.decay_rate, "a number above 0", lambda value: value > 0)
        number("minimum_value", self.minimum_value, "a number", lambda _: True)
        whole("max_length", self.max_length, 1)
        whole("overall_max_length", self.overall_max_length, 1)
        whole("overall_max_length_extension", self.overall_max_length_extension, 0)
        whole("top_k_for_document_selection", self.top_k_for_document_selection, 1)
        if not isinstance(self.chunk_length_adjustment, bool):
            raise ParameterError(
                f"chunk_length_adjustment must be true or false, "
                f"got {self.chunk_length_adjustment!r}"
            )

    def chunk_budget(self, queries: int) -> int:
        """Return the most chunks that all segments together may span."""
        further = max(queries - 1, 0)
        budget = self.overall_max_length + further * self.overall_max_length_extension
        return min(budget, MANY)
