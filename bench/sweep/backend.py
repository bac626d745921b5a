"""Who does the work of a sweep, by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from bench.errors import UserError
from bench.sweep.dataset import Options
from bench.sweep.units import Local

BACKENDS = ("local", "ray")


def check(backend: str, address: str | None, jobs: int) -> None:
    """Refuse what does not go together, before anything is done.

    Raises:
        UserError: An unknown backend, or settings of the other one.
    """
    if backend not in BACKENDS:
        raise UserError(f"--backend must be one of {', '.join(BACKENDS)}, got {backend!r}")
    if backend == "local" and address:
        raise UserError("--address is that of a Ray cluster: name --backend ray, too")
    if backend == "ray" and jobs != 1:
        raise UserError(
            "-j is for processes of this machine; with --backend ray `ray start --num-cpus` says "
            "how many"
        )


@contextmanager
def working(backend: str, address: str | None, jobs: int, options: Options) -> Iterator[Options]:
    """Give options with whoever does the work, ready until the end.

    Args:
        backend: One of `BACKENDS`.
        address: Of the Ray cluster; None: `$RAY_ADDRESS`.
        jobs: Processes of this machine.
        options: What else the sweep is told.

    Raises:
        UserError: Ray is not installed, or does not answer.
    """
    if backend == "local":
        yield replace(options, runner=Local(jobs))
        return
    from bench.retrieval.embedders.spread import spread
    from bench.sweep.ray_runner import connected

    with connected(address) as ray:
        yield replace(options, runner=ray, encoder=partial(spread, tasks=ray))
