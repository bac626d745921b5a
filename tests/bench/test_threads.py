from __future__ import annotations

import json
import subprocess
import sys

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


@pytest.mark.outside
@pytest.mark.parametrize("order", ["torch, faiss, numba", "numba, faiss, torch"])
def test_all_have_the_number_however_they_were_loaded(order):
    said = f"import {order}, json, bench.threads as t; print(json.dumps(t.set_threads(1)))"
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    in_force = json.loads(done.stdout)
    assert in_force["faiss"] == in_force["torch"] == in_force["numba"] == 1
    assert set(in_force.values()) == {1}
