from __future__ import annotations

import pytest

from bench.threads import renew_threads, set_threads


def test_sets_what_is_loaded_and_reports_it():
    import faiss
    import torch

    for n in (1, 2):
        in_force = set_threads(n)
        assert (in_force["faiss"], in_force["torch"]) == (n, n)
        assert set(in_force.values()) <= {1, n}
        assert set_threads(None) == in_force
    torch.set_num_threads(1)
    faiss.omp_set_num_threads(1)
    renew_threads()
    assert set_threads(None)["torch"] == 2


def test_refuses_none_at_all():
    with pytest.raises(ValueError, match="1 or more, got 0"):
        set_threads(0)
