"""Relevant Segment Extraction: turn ranked chunks into segments whose length the data decide."""

from rse.card import Card, load_preset
from rse.checks import ParameterError
from rse.optimal import Optimal
from rse.preset import PRESETS, preset
from rse.priced import Priced
from rse.simple import Simple
from rse.solution import Solution
from rse.strategy import RSE
from rse.types import Hits, Layout, PerQuestion, QuestionView, Segment, Strategy

__all__ = [
    "PRESETS",
    "RSE",
    "Card",
    "Hits",
    "Layout",
    "Optimal",
    "ParameterError",
    "PerQuestion",
    "Priced",
    "QuestionView",
    "Segment",
    "Simple",
    "Solution",
    "Strategy",
    "load_preset",
    "preset",
]
