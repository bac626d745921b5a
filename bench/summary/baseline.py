"""Which arm the others of a family are held against."""

from __future__ import annotations

from collections.abc import Sequence

from bench.errors import UserError


def by_baseline(dataset: str, arms: Sequence[str], baseline: str | None) -> dict[str, list[str]]:
    """Return the arms held against each baseline, where there are any.

    Args:
        dataset: Named in errors.
        arms: All arms.
        baseline: The arm all others are held against. None: in every family (chunker / retriever)
            its first top-k, else its first arm.

    Raises:
        UserError: There is no such arm.
    """
    if baseline is not None and baseline not in arms:
        raise UserError(f"{dataset} has no arm {baseline!r}; there are: {'; '.join(arms)}")
    groups: dict[str, list[str]] = {}
    for arm in arms:
        groups.setdefault("" if baseline else of_family(arm), []).append(arm)
    chosen = {baseline or _first_topk(group): group for group in groups.values()}
    found = {one: [arm for arm in group if arm != one] for one, group in chosen.items()}
    return {one: others for one, others in found.items() if others}


def of_family(arm: str) -> str:
    """Return an arm's family: chunker / retriever."""
    return " / ".join(arm.split(" / ")[2:])


def _first_topk(arms: Sequence[str]) -> str:
    return next(
        (arm for arm in arms if arm.partition(" / ")[0].partition("[")[0] == "topk"), arms[0]
    )
