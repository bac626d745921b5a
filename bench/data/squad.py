"""SQuAD: questions on Wikipedia articles; the development files of the project's site."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from bench.data.squad_layout import Form, load_form, named_by_title
from bench.types import Dataset

NAME = "squad"


def load(raw: Path | None, version: str = "2.0") -> Dataset:
    """Load a version's development file; 2.0 has questions that the article does not answer.

    Those are asked without gold.

    Raises:
        DatasetError: No raw files, or other bytes than those the card names.
    """
    tags = {"language": "en", "kind": "short answer"}
    name = NAME if version == "2.0" else f"{NAME}-{version}"
    return load_form(raw, NAME, Form(name, f"dev-v{version}.json", named_by_title, tags))


load_1_1 = partial(load, version="1.1")
"""Load the version in which every question has an answer."""
