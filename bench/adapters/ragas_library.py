"""The one place that imports ragas: late, with its telemetry off."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from bench.adapters.ragas_names import METRICS
from bench.errors import UserError, cut

INSTALL = "pip install 'rse-bench[ragas]'"
UNTRACKED = "RAGAS_DO_NOT_TRACK"
SHOWN = 200


class RagasError(UserError):
    """ragas cannot be used here; the message says what would work."""


class Library(NamedTuple):
    """What is used of ragas."""

    version: str
    classes: Mapping[str, Callable[..., Any]]
    """Its measures, by our names."""
    sample: Callable[..., Any]
    """What measures without a model read."""


def library() -> Library:
    """Import ragas, which takes seconds the first time.

    Raises:
        RagasError: It cannot be imported, for whatever reason, or goes on reporting home.
    """
    # Before the import, and for every process started from here.
    os.environ[UNTRACKED] = "true"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what it and what is below it will rename one day
            found = _imported()
    except RagasError:
        raise
    except Exception as error:  # whatever is broken below ragas, everything else of ours runs
        reason = cut(" ".join(f"{type(error).__name__}: {error}".split()), SHOWN)
        raise RagasError(
            f"the measures of ragas are left out, for it cannot be imported ({reason}); "
            f"{INSTALL} installs versions that go together"
        ) from None
    return found


def _imported() -> Library:
    version = import_module("ragas").__version__
    analytics = import_module("ragas._analytics")
    # It looks once, which may have been before we were called.
    analytics.do_not_track.cache_clear()
    if not analytics.do_not_track():
        raise RagasError(
            f"ragas {version} does not heed {UNTRACKED}; {INSTALL} installs a version that does"
        )
    judged, plain = import_module("ragas.metrics.collections"), import_module("ragas.metrics")
    _adopt()
    return Library(
        version,
        {
            name: getattr(judged if metric.judged else plain, metric.ragas)
            for name, metric in METRICS.items()
        },
        import_module("ragas.dataset_schema").SingleTurnSample,
    )


def _adopt() -> None:
    """Let ragas take our classes for its own: they do what its base classes ask for."""
    from bench.adapters.ragas_judge import Judge
    from bench.adapters.ragas_vectors import Vectors

    import_module("ragas.llms.base").InstructorBaseRagasLLM.register(Judge)
    import_module("ragas.embeddings.base").BaseRagasEmbedding.register(Vectors)
