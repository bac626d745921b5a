"""Every algorithm is tested twice: compiled, and as the plain Python of the same source."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from rse.compiled import uncompiled


@pytest.fixture(params=["compiled", "python"], scope="module")
def form(request):
    """Run the kernels in one of their two forms."""
    with uncompiled() if request.param == "python" else nullcontext():
        yield request.param
