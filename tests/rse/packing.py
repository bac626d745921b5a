"""Choosing runs of chunks as an integer programme: an oracle for questions of real size."""

from __future__ import annotations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp


def best_total(runs, worth, cost, chunks, budget):
    """Return the greatest worth of disjoint runs whose costs fit the budget.

    One variable for each run: in or not; no chunk in two runs.
    """
    if not runs:
        return 0.0
    holds = np.array([[a <= c < b for a, b in runs] for c in range(chunks)], float)
    found = milp(
        -np.array(worth, float),
        constraints=[
            LinearConstraint(holds, ub=1),
            LinearConstraint(np.array([cost], float), ub=budget),
        ],
        integrality=np.ones(len(runs)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    return -found.fun
