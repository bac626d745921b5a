"""Kernels: one source, two forms, called alike."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from rse import compiled as module
from rse.compiled import compiled, uncompiled


@compiled
def _scaled(values, by, plus=0):
    return values.sum() * by + plus


def test_arguments_by_name_reach_both_forms():
    values = np.arange(3)
    assert _scaled(values, by=2) == 6
    assert _scaled(values, by=2, plus=5) == 11
    with uncompiled():
        assert _scaled(values, by=2, plus=5) == 11


def test_compiled_code_nobody_used_for_a_month_is_removed(tmp_path):
    old, recent = tmp_path / "kernels-old", tmp_path / "kernels-recent"
    for folder in (old, recent):
        folder.mkdir()
        (folder / "kernel.nbc").write_bytes(b"machine code")
    before = time.time() - module.KEPT - 60
    for path in (old / "kernel.nbc", old):
        os.utime(path, (before, before))
    module._forget_old(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kernels-recent"]


def test_kernels_first_called_from_many_threads_leave_no_setting_behind():
    import numba

    kernels = [compiled(lambda values, by=number: values.sum() + by) for number in range(4)]
    before = numba.config.CACHE_DIR
    with ThreadPoolExecutor(4) as pool:
        dispatchers = list(pool.map(lambda kernel: kernel.dispatcher, kernels * 8))
    assert before == numba.config.CACHE_DIR
    assert len(dispatchers) == 32
