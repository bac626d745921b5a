"""Every algorithm is tested twice: compiled, and as the plain Python of the same source."""

from __future__ import annotations

import pytest

from rse.compiled import Kernel


@pytest.fixture(params=["compiled", "python"], scope="module")
def form(request):
    """Run the kernels in one of their two forms."""
    if request.param == "compiled":
        yield request.param
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "__call__", lambda kernel, *args: kernel.py_func(*args))
        yield request.param
