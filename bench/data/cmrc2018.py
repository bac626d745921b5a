"""CMRC 2018: questions on single passages of the Chinese Wikipedia."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from bench.data.squad_layout import Form, load_form, named_by_id
from bench.types import Dataset

NAME = "cmrc2018"


def load(raw: Path | None, split: str = "dev") -> Dataset:
    """Load a split: `dev` has 848 passages and 3,219 questions, `trial` 256 and 1,002.

    A passage is one document. Answers that annotators put in words of their own, which upstream
    marks with offset -1, count only if they stand in the passage exactly once.

    Raises:
        DatasetError: No raw files, or other bytes than those of the pinned revision.
    """
    tags = {"language": "zh", "kind": "short answer"}
    name = NAME if split == "dev" else f"{NAME}-{split}"
    file = f"squad-style-data/cmrc2018_{split}.json"
    return load_form(raw, NAME, Form(name, file, named_by_id, tags))


load_trial = partial(load, split="trial")
"""Load the split whose answers are longer."""
