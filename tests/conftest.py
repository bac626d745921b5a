"""Settings for all tests: repeatable examples, no deadline (machines differ), no network."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")
os.environ["HF_HUB_OFFLINE"] = "1"

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared():
    """Folder of public datasets and reference figures beside the project, where there is one."""
    if not SHARED.is_dir():
        pytest.skip("the folder of public datasets is not beside the project")
    return SHARED
