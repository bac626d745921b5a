"""Every part that can be named in a spec or on the command line: the whole list, in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from baselines import MMR, Documents, Merge, Oracle, Parent, Random, TopK, Window
from bench.arms import build, label, parse
from bench.chunking import (
    Chunker,
    Fixed,
    Markdown,
    Page,
    ParentChild,
    Recursive,
    Semantic,
    Sentence,
)
from bench.endpoints.recipes import Cohere, Jina, Listwise, Queries, Titles, Voyage
from bench.retrieval.embedders.recipes import E5, Dense, MiniLM, OpenAI
from bench.retrieval.index.recipes import HNSW, IVF, Postgres
from bench.retrieval.recipe import BM25, Base, Header, Hybrid, Recipe, Stage, recipe
from bench.retrieval.rerank.recipes import CrossEncoder, MaxSim
from bench.scores import Fitted, Shipped, pieces
from rse import PRESETS, RSE, Optimal, Priced, Simple, Strategy
from rse.calibration import UNFITTED, Calibration, Chain
from rse.checks import ParameterError
from rse.parameters import Parameters
from rse.preset import preset_parameters


def rse(preset: str = "balanced", **changes: object) -> RSE:
    """Make RSE from a preset and what shall differ from it."""
    return RSE(**{**preset_parameters(preset), **changes})


def optimal(preset: str = "balanced", **changes: object) -> Optimal:
    """Make the exact optimum from a preset of RSE and what shall differ from it."""
    return Optimal(**{**preset_parameters(preset), **changes})


STRATEGIES: Mapping[str, Callable[..., Strategy]] = {
    "topk": TopK,
    "rse": rse,
    "optimal": optimal,
    "priced": Priced,
    "simple": Simple,
    "window": Window,
    "parent": Parent,
    "merge": Merge,
    "mmr": MMR,
    "document": Documents,
    "oracle": Oracle,
    "random": Random,
}

SCORES: Mapping[str, Callable[..., Calibration | Fitted | Shipped]] = {
    **UNFITTED,
    "share": Shipped,
    "fitted": Fitted,
}

CHUNKERS: Mapping[str, Callable[..., Chunker]] = {
    "fixed": Fixed,
    "recursive": Recursive,
    "sentence": Sentence,
    "semantic": Semantic,
    "markdown": Markdown,
    "page": Page,
    "parent_child": ParentChild,
}

RETRIEVERS: Mapping[str, Callable[..., Base]] = {
    "minilm": MiniLM,
    "e5": E5,
    "dense": Dense,
    "openai": OpenAI,
    "bm25": BM25,
    "hybrid": Hybrid,
}

STAGES: Mapping[str, Callable[..., Stage]] = {
    "titles": Titles,
    "header": Header,
    "hnsw": HNSW,
    "ivf": IVF,
    "pgvector": Postgres,
    "queries": Queries,
    "maxsim": MaxSim,
    "cross_encoder": CrossEncoder,
    "cohere": Cohere,
    "jina": Jina,
    "voyage": Voyage,
    "listwise": Listwise,
}
"""What may follow a retriever behind a `+`."""

DATASETS: Mapping[str, str] = {
    "pydata-docs": "bench.data.pydata",
    "pydata-docs-zh": "bench.data.pydata:load_zh",
    "chunking_evaluation": "bench.data.chunking_evaluation",
    "all_rag_techniques": "bench.data.all_rag_techniques",
    "cmrc2018": "bench.data.cmrc2018",
    "cmrc2018-trial": "bench.data.cmrc2018:load_trial",
    "contract_nli": "bench.data.contract_nli",
    "covid_qa": "bench.data.covid_qa",
    "dragonball-en": "bench.data.dragonball:load_en",
    "dragonball-zh": "bench.data.dragonball:load_zh",
    "drcd": "bench.data.drcd",
    "financebench": "bench.data.financebench",
    "policyqa": "bench.data.policyqa",
    "qasper": "bench.data.qasper",
    "qmsum": "bench.data.qmsum",
    "qmsum-test": "bench.data.qmsum:load_test",
    "squad": "bench.data.squad",
    "squad-1.1": "bench.data.squad:load_1_1",
    "xquad-en": "bench.data.xquad",
    "xquad-zh": "bench.data.xquad:load_zh",
}
"""Modules with a `load(raw)`, or another function after a colon; folders are datasets, too."""


def strategy(
    text: str, changes: Mapping[str, object] = MappingProxyType({})
) -> tuple[str, Strategy]:
    """Return a strategy under its canonical name: `rse[preset=precision]`.

    Args:
        text: Its name, with parameters in brackets.
        changes: Further parameters, as the values they are: `"0.5"` is a word, not a number.
    """
    name, parameters = parse(text)
    made: Strategy = build("strategy", STRATEGIES, name, {**parameters, **changes})
    if not isinstance(made, RSE | Optimal):
        return label(name, made), made
    return _preset_label(name, made), made


def calibration(text: str) -> tuple[str, Calibration]:
    """Return a calibration of scores under its canonical name: `smooth[own=0.3] + minmax`."""
    names, steps = [], []
    for piece in pieces(text):
        name, parameters = parse(piece)
        made = build("scores", SCORES, name, parameters)
        names.append(label(name, made))
        steps.append(made.calibration if isinstance(made, Fitted | Shipped) else made)
    return " + ".join(names), steps[0] if len(steps) == 1 else Chain(tuple(steps))


def chunker(text: str) -> tuple[str, Chunker]:
    """Return a chunker under its canonical name: `recursive[size=800]`."""
    name, parameters = parse(text)
    made = build("chunker", CHUNKERS, name, parameters)
    return label(name, made), made


def retriever(text: str) -> tuple[str, Recipe]:
    """Return a retriever under its canonical name, `minilm+header`; models are loaded later."""
    first, *rest = pieces(text, like="minilm + header")
    name, parameters = parse(first)
    base: Base = build("retriever", RETRIEVERS, name, parameters)
    stages: list[Stage] = []
    for piece in rest:
        stage, given = parse(piece)
        stages.append(build("stage of a retriever", STAGES, stage, given))
    try:
        made = recipe(base, stages)
    except ParameterError as error:
        raise ParameterError(f"{text!r}: {error}") from None
    named = {kind: stage for stage, kind in STAGES.items()}
    return "+".join([label(name, base), *(label(named[type(s)], s) for s in made.stages)]), made


def _preset_label(name: str, made: RSE | Optimal) -> str:
    """Name RSE and its kin by the preset they equal, else by what differs from `balanced`."""
    shared = {field.name: getattr(made, field.name) for field in fields(Parameters)}
    for known in PRESETS:
        if known != "balanced" and preset_parameters(known) == shared:
            own = label(name, type(made)(**_own(made)))
            inside = own.removeprefix(name).strip("[]")
            return f"{name}[{','.join(filter(None, [f'preset={known}', inside]))}]"
    return label(name, made)


def _own(made: Parameters) -> dict[str, Any]:
    """Return the parameters a strategy has beyond those of RSE."""
    shared = {field.name for field in fields(Parameters)}
    return {f.name: getattr(made, f.name) for f in fields(made) if f.name not in shared}
