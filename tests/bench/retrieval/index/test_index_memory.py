"""Large corpora: built and searched within a limit, without a second copy in memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]

SCRIPT = """
import json, resource, sys, time
from pathlib import Path
import numpy as np

folder, n, limit = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
from bench.retrieval.index.flat import DenseIndex
from bench.retrieval.index.matrix import matrix
from bench.retrieval.index.together import search_all
from rse.types import Layout
import faiss

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

def blocks():
    random = np.random.default_rng(0)
    for begin in range(0, n, 8192):
        rows = random.standard_normal((min(8192, n - begin), 384), np.float32)
        yield rows / np.linalg.norm(rows, axis=1, keepdims=True)

class Texts:  # a million texts take memory of their own, which is not what is measured
    def __len__(self): return n
    def __iter__(self): return map(str, range(n))

before = peak()
began = time.perf_counter()
vectors = matrix(folder, "a" * 64, 384, Texts(), blocks)
built, building = time.perf_counter() - began, peak() - before
layout = Layout(np.arange(0, n + 1, 100), np.ones(n, np.int32))
began = time.perf_counter()
index = DenseIndex(vectors, layout)
opened = time.perf_counter() - began
queries = np.array(vectors[:: n // 8][:8])
index.search(queries[0], 200)
began = time.perf_counter()
found = search_all(index, queries, 200)
searched = (time.perf_counter() - began) / 8
index.search(queries[1], 200, np.arange(20, 30))  # the first of its kind is slower
assert [int(chunk[0]) for chunk, _ in found] == list(range(0, n, n // 8))[:8]
began = time.perf_counter()
index.search(queries[0], 200, np.arange(10))
scoped = time.perf_counter() - began
facts = {"rows_bytes": vectors.nbytes, "built": built, "opened": opened, "searched": searched,
         "scoped": scoped, "building_peak": building, "peak_over_start": peak() - before}
print(json.dumps(facts))
"""


def measured(folder, n, limit):
    """Build and search in a process of its own, whose address space is limited."""
    command = [sys.executable, "-c", SCRIPT, str(folder), str(n), str(limit)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_building_needs_a_few_blocks_and_searching_one_copy(tmp_path):
    found = measured(tmp_path, 80_000, 4 * 2**30)
    assert found["rows_bytes"] == 80_000 * 384 * 4
    # Building checks the file, whose mapped pages count: one copy, and blocks beside it.
    assert found["building_peak"] < 1.7 * found["rows_bytes"]
    assert found["peak_over_start"] < 1.8 * found["rows_bytes"]


@pytest.mark.long
def test_a_million_chunks_within_8_gib(tmp_path):
    found = measured(tmp_path, 1_000_000, 8 * 2**30)
    assert found["peak_over_start"] < 1.2 * found["rows_bytes"]
    assert found["searched"] < 2
    assert found["scoped"] < 0.05
