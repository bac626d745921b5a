"""DRCD: questions on articles of the Wikipedia in traditional Chinese; the development file."""

from __future__ import annotations

from pathlib import Path

from bench.data.squad_layout import Form, load_form, named_by_id
from bench.types import Dataset

NAME = "drcd"


def load(raw: Path | None) -> Dataset:
    """Load 383 documents, an article's paragraphs each, and 3,524 questions.

    Raises:
        DatasetError: No raw files, or other bytes than those of the pinned revision.
    """
    tags = {"language": "zh", "kind": "short answer"}
    return load_form(raw, NAME, Form(NAME, "DRCD_dev.json", named_by_id, tags))
