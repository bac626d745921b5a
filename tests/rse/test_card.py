"""Preset cards: read, refused, and used as the library uses them."""

from __future__ import annotations

import pytest
import yaml

import rse
from rse import RSE, Hits, Layout, ParameterError, load_preset
from rse.calibration import Chain, MinMax, Smooth
from rse.card import card_names

CARD = {
    "format": 1,
    "name": "mine",
    "strategy": {"name": "rse", "parameters": {"irrelevant_chunk_penalty": 0.3}},
    "scores": [
        {"name": "smooth", "parameters": {"own": 0.6}},
        {"name": "minmax", "parameters": {}},
    ],
    "chunker": "recursive[size=800]",
    "retriever": "minilm",
    "held_out": {"recall": {"value": 0.5}},
}
LAYOUT = Layout([0, 4], [700, 650, 720, 400])
HITS = Hits([1, 3, 2], [0.6, 0.5, 0.2], {"neighbours": [[0.2] * 4, [0.1] * 4, [0.6] * 4]})


def written(tmp_path, **changes):
    path = tmp_path / "card.yaml"
    path.write_text(yaml.safe_dump({**CARD, **changes}), encoding="utf-8")
    return path


def test_a_card_is_a_strategy_with_its_scores(tmp_path):
    found = load_preset(written(tmp_path))
    assert found.strategy == RSE(irrelevant_chunk_penalty=0.3)
    assert found.calibration == Chain((Smooth(own=0.6), MinMax()))
    assert (found.name, found.figures["recall"]["value"]) == ("mine", 0.5)
    calibrated = Chain((Smooth(own=0.6), MinMax())).apply(HITS, LAYOUT)
    expected = RSE(irrelevant_chunk_penalty=0.3).select([calibrated], LAYOUT)
    assert found.select([HITS], LAYOUT) == expected


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format": 2}, r"no preset card of format 1; `rse-bench sweep` writes such cards"),
        (
            {"strategy": {"name": "topk", "parameters": {}}},
            r"'topk' is none of rse's; there are: rse",
        ),
        ({"strategy": {"name": "rse", "parameters": {"penalty": 1}}}, r"card\.yaml: .*penalty"),
        (
            {"strategy": {"name": "rse", "parameters": {"irrelevant_chunk_penalty": 0}}},
            r"card\.yaml: irrelevant_chunk_penalty",
        ),
        ({"scores": [{"name": "minmx", "parameters": {}}]}, r"no scores 'minmx'; there are: "),
        ({"scores": "minmax"}, r"damaged preset card: a part lacks name or parameters"),
        ({"strategy": {"name": "rse"}}, r"damaged preset card"),
    ],
)
def test_what_is_no_card(tmp_path, changes, said):
    with pytest.raises(ParameterError, match=said):
        load_preset(written(tmp_path, **changes))


@pytest.mark.parametrize(
    "content", ["", "- 1", "a: [", "!!python/object/apply:os.getcwd []", "\x00"]
)
def test_what_is_no_yaml_of_ours_is_refused_and_never_run(tmp_path, content):
    path = tmp_path / "card.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ParameterError, match=r"card\.yaml"):
        load_preset(path)


def test_a_missing_file_and_an_unknown_name(tmp_path):
    with pytest.raises(ParameterError, match=r"cannot read the preset card .*nothing\.yaml"):
        load_preset(tmp_path / "nothing.yaml")
    with pytest.raises(ParameterError, match=r"no file and no preset 'nothing'; presets that come"):
        load_preset("nothing")


@pytest.mark.parametrize("name", card_names() or ["none"])
def test_every_card_that_comes_along_selects(name):
    if name == "none":
        pytest.skip("no cards come along yet")
    card = rse.load_preset(name)
    assert card.select([HITS], LAYOUT)
