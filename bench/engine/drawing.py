"""Recall against tokens, one figure for each pool."""

from __future__ import annotations

from pathlib import Path

from bench.engine.experiment import Result

LINES = {
    "topk": ("0.35", "-"),
    "topk / smooth[own=0.3]": ("0.35", ":"),
    "rse balanced / none": ("tab:orange", ":"),
    "rse retuned / minmax": ("tab:orange", "-"),
    "priced[segment_tokens=80] / share[score]": ("tab:blue", ":"),
    "priced, cross-fitted / cosine": ("tab:blue", "-"),
    "priced, cross-fitted / cosine and bm25": ("tab:green", "-"),
    "oracle": ("0.35", "--"),
}
"""Families drawn, with colour and line."""


def draw(path: Path, one: Result) -> None:
    """Draw a pool's families as lines through their settings."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "rse-bench", "svg.fonttype": "none"}):
        figure = Figure((7, 4.5), layout="constrained")
        axes = figure.add_subplot()
        for name, (colour, line) in LINES.items():
            family = one.traced[name]
            x, y = family.tokens.mean(axis=0), 100 * family.recall.mean(axis=0)
            order = x.argsort(kind="stable")
            axes.plot(x[order], y[order], line, color=colour, label=name, linewidth=1.6)
        axes.set(xlim=(0, 4500), ylim=(0, 100), xlabel="mean tokens a question", ylabel="recall, %")
        axes.set_title(one.name, fontsize=10, parse_math=False)
        axes.grid(color="0.9")
        axes.legend(fontsize=8, loc="lower right", frameon=False)
        figure.savefig(path, metadata={"Date": None})
