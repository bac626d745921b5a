"""Prompts, windows, word pieces and backends on a real model made here."""

from __future__ import annotations

import json
import shutil
import time

import numpy as np
import pytest

from bench.errors import UserError
from bench.retrieval.embedders import computing, exported, model
from bench.retrieval.embedders.computing import Computing
from bench.retrieval.embedders.encoder import is_unit, minilm
from bench.retrieval.embedders.hub import hub_folder
from bench.retrieval.embedders.make import encoder
from bench.retrieval.embedders.model import Prompts, prompts
from bench.retrieval.embedders.recipes import Dense, MiniLM
from bench.retrieval.embedders.sentence import SentenceEncoder
from bench.retrieval.embedders.vocabulary import unknown_tokens
from tests.bench.retrieval.embedders.tiny import tiny

ASKED = {"query": "query : ", "document": "passage : "}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny(tmp_path_factory.mktemp("models") / "tiny", prompts=ASKED)


@pytest.fixture
def copy(folder, tmp_path):
    return shutil.copytree(folder, tmp_path / "copy")


def test_caches_made_before_there_was_a_choice_stay_valid():
    assert minilm().identity[:16] == "55abf94d9f0e7161"
    assert encoder(MiniLM()).identity == minilm().identity
    assert minilm().queries.identity == minilm().identity


def test_prompts_come_from_the_folder_or_from_the_settings(folder, copy):
    assert prompts(folder) == Prompts("query : ", "passage : ")
    assert encoder(Dense(model=str(folder), query_prompt="")).prompts == Prompts("", "passage : ")
    file = copy / "config_sentence_transformers.json"
    for said, expected in [
        ({}, Prompts()),
        ({"prompts": {"passage": "p "}}, Prompts("", "p ")),
        ({"prompts": {"x": "x "}, "default_prompt_name": "x"}, Prompts("x ", "x ")),
        ({"prompts": {"query": None, "document": None}}, Prompts()),
    ]:
        file.write_text(json.dumps(said), encoding="utf-8")
        assert prompts(copy) == expected


def test_the_prompt_is_read_before_every_text(folder):
    both = SentenceEncoder(folder, "m")
    bare = SentenceEncoder(folder, "m", given=Prompts())
    text = "a cat sat"
    assert np.allclose(both.encode([text]), bare.encode([f"passage : {text}"]), atol=1e-6)
    assert np.allclose(both.queries.encode([text]), bare.encode([f"query : {text}"]), atol=1e-6)
    assert abs(both.encode([text]) - bare.encode([text])).max() > 1e-3
    assert both.queries.queries is both.queries
    assert both.queries._model is both._model
    assert bare.queries is bare


def test_every_window_gets_the_prompt(folder):
    made = SentenceEncoder(folder, "m")
    text = "a cat sat in the town , the dog sat in the rain . " * 2  # 28 pieces, 12 fit
    windows = made._limit.windows([text])[0]
    assert "".join(windows) == text
    assert len(windows) == 3
    rows = made.encode(windows).astype(np.float64).sum(axis=0)
    assert np.allclose(made.encode([text])[0], rows / np.linalg.norm(rows), atol=1e-6)
    assert made.measure([text, "a cat"]) == (1, 0)
    assert SentenceEncoder(folder, "m", "cut").measure([text]) == (1, 28 - 12)
    with pytest.raises(UserError, match="28 word pieces, the model's limit is 12"):
        SentenceEncoder(folder, "m", "error").encode([text])


def test_a_text_that_fits_only_without_the_prompt(folder):
    text = "a " * 13
    assert SentenceEncoder(folder, "m", given=Prompts()).measure([text]) == (0, 0)
    assert SentenceEncoder(folder, "m").measure([text]) == (1, 0)
    with pytest.raises(UserError, match=r"the prompt 'a a .* has 14 word pieces.*limit is 16"):
        SentenceEncoder(folder, "m", given=Prompts("", "a " * 14)).measure(["x"])


def test_identity_follows_prompt_dtype_backend_and_device(folder):
    def identity(how=None, given=None):
        return SentenceEncoder(folder, "m", "windows", 8, how, given).identity

    ways = [Computing(dtype="bfloat16"), Computing(backend="onnx"), Computing(device="cuda")]
    found = [identity(), identity(given=Prompts()), *map(identity, ways)]
    found.append(SentenceEncoder(folder, "m").queries.identity)
    assert len(set(found)) == len(found)
    assert identity(Computing(device="cuda:1")) == identity(Computing(device="cuda"))
    assert SentenceEncoder(folder, "m", batch=2).identity == identity()


@pytest.mark.parametrize("batch", [1, 3, 8])
def test_word_pieces_of_texts_alone(folder, batch):
    made = SentenceEncoder(folder, "m", batch=batch)
    long = "a cat sat in the town " * 5
    texts = ["a cat", "", "dogs , 今天 snow", long, " ", "lone \ud800", "a"]
    found = made.tokens(texts)
    assert [len(rows) for rows in found] == [2, 0, 6, 30, 0, 1, 1]
    assert {rows.shape[1] for rows in found} == {16}
    assert {rows.dtype.name for rows in found} == {"float32"}
    assert is_unit(np.concatenate(found)).all()
    for text, rows in zip(texts, found, strict=True):
        assert np.allclose(made.tokens([text])[0], rows, atol=1e-5)
    assert made.tokens([]) == []


def test_word_pieces_are_what_is_pooled(folder):
    made = SentenceEncoder(folder, "m", given=Prompts())
    import torch

    features = made._model.preprocess(["a cat"])
    with torch.inference_mode():
        layer = made._model[0](features)["token_embeddings"][0].numpy()
    unit = layer / np.linalg.norm(layer, axis=1, keepdims=True)
    assert np.allclose(made.tokens(["a cat"])[0], unit[1:3], atol=1e-6)  # [CLS] a cat [SEP]


def test_word_pieces_beyond_the_limit_are_cut_or_refused(folder):
    text = "a cat " * 20
    assert len(SentenceEncoder(folder, "m", "cut").tokens([text])[0]) == 12
    with pytest.raises(UserError, match="40 word pieces"):
        SentenceEncoder(folder, "m", "error").tokens([text])


def test_onnx_gives_the_same_vectors(folder, tmp_path, monkeypatch):
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    monkeypatch.setenv("RSE_BENCH_CACHE", str(tmp_path))
    settings = Dense(model=str(folder), backend="onnx")
    made, plain = encoder(settings), SentenceEncoder(folder, "tiny")
    texts = ["a cat", "", "a cat sat in the town " * 5, "snow"]
    assert abs(made.encode(texts) - plain.encode(texts)).max() < 1e-5
    assert abs(made.tokens(texts)[2] - plain.tokens(texts)[2]).max() < 1e-5
    (graph,) = (tmp_path / "onnx").iterdir()
    stamp = graph.stat().st_mtime_ns
    encoder(settings).encode(["a cat"])
    assert graph.stat().st_mtime_ns == stamp  # exported once
    graph.write_bytes(b"no graph")
    with pytest.raises(UserError, match=r"ONNX Runtime cannot read .*\.onnx"):
        encoder(settings).encode(["a cat"])


def test_what_made_a_graph_is_part_of_its_identity(folder, monkeypatch):
    def identity(backend):
        return SentenceEncoder(folder, "m", computing=Computing(backend=backend)).identity

    seen, plain = {identity("onnx")}, identity("torch")
    for name in ("torch", "transformers"):
        monkeypatch.setattr(exported, "version", lambda asked, name=name: f"{asked == name}")
        seen.add(identity("onnx"))
    assert len(seen) == 3
    assert identity("torch") == plain


def test_ready_loads_the_model_once(folder):
    made = SentenceEncoder(folder, "m")
    assert "_model" not in made.__dict__
    made.queries.ready()
    loaded = made.__dict__["_model"]
    made.ready()
    assert made._model is loaded
    assert [SentenceEncoder(folder, "m", batch=batch).block for batch in (8, 500)] == [128, 500]
    assert not made.remote


def test_a_graph_that_comes_with_the_model_is_part_of_its_identity(copy):
    first = SentenceEncoder(copy, "m", computing=Computing(backend="onnx")).identity
    (copy / "onnx").mkdir()
    (copy / "onnx" / "model.onnx").write_bytes(b"graph")
    assert SentenceEncoder(copy, "m", computing=Computing(backend="onnx")).identity != first
    torch_identity = SentenceEncoder(copy, "m").identity
    (copy / "onnx" / "model.onnx").write_bytes(b"other")
    assert SentenceEncoder(copy, "m").identity == torch_identity


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"dtype": "float16"}, "float16 needs a GPU"),
        ({"device": "cuda:77"}, "no device 'cuda:77' for torch; there are: cpu"),
        ({"device": "toaster"}, "no device 'toaster'"),
        ({"backend": "onnx", "dtype": "bfloat16"}, "needs backend=torch"),
    ],
)
def test_what_this_machine_cannot_do(folder, monkeypatch, given, message):
    monkeypatch.setitem(computing.NEEDED, "onnx", ())
    with pytest.raises(UserError, match=message):
        encoder(Dense(model=str(folder), **given))


def test_a_missing_package_is_named(folder, monkeypatch):
    monkeypatch.setitem(computing.NEEDED, "openvino", ("no_such_package",))
    with pytest.raises(UserError, match="not installed here: pip install no_such_package"):
        encoder(Dense(model=str(folder), backend="openvino"))


def test_bfloat16_where_the_processor_has_it(folder, monkeypatch):
    monkeypatch.setattr(computing, "has_bfloat16", lambda: False)
    with pytest.raises(UserError, match="use dtype=float32"):
        encoder(Dense(model=str(folder), dtype="bfloat16"))
    monkeypatch.setattr(computing, "has_bfloat16", lambda: True)
    made, plain = encoder(Dense(model=str(folder), dtype="bfloat16")), SentenceEncoder(folder, "m")
    found, exact = made.encode(["a cat sat", "snow"]), plain.encode(["a cat sat", "snow"])
    assert is_unit(found).all()
    assert 0.99 < (found * exact).sum(axis=1).min() < 1 - 1e-9
    assert is_unit(made.tokens(["a cat"])[0]).all()


def test_weights_in_a_pickle_are_refused(copy):
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(UserError, match=r"pickled weights.*save the model once more"):
        SentenceEncoder(copy, "m")


@pytest.mark.parametrize(
    "kind", ["os.system", "mine.Module", "sentence_transformers.models.Router"]
)
def test_modules_of_other_code_are_refused(copy, kind):
    modules = [{"idx": 0, "name": "0", "path": "", "type": kind}]
    (copy / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    with pytest.raises(UserError, match=f"the module '{kind}' is not supported"):
        SentenceEncoder(copy, "m")


@pytest.mark.parametrize("file", ["model.safetensors", "config.json", "tokenizer.json"])
def test_a_damaged_model_is_told_in_a_line(copy, file):
    (copy / file).write_bytes(b"\x00damage")
    with pytest.raises(UserError) as error:
        SentenceEncoder(copy, "m").encode(["a"])
    assert str(copy) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_model_nobody_has_is_told_within_seconds(monkeypatch):
    began = time.monotonic()
    for name in ("owner/no-such-model", "no-such-model"):
        with pytest.raises(UserError, match=r"HF_HUB_OFFLINE forbids.*give the folder"):
            hub_folder(name)
    with pytest.raises(UserError, match=r"'\.\./x y' is no folder of a model"):
        encoder(Dense(model="../x y"))
    assert time.monotonic() - began < 5


def test_a_hub_that_does_not_answer_is_not_waited_for(monkeypatch):
    import huggingface_hub

    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", lambda *_, **__: time.sleep(2))
    monkeypatch.setattr("bench.retrieval.embedders.hub.PATIENCE", 0.1)
    began = time.monotonic()
    with pytest.raises(UserError, match=r"did not answer within 0.1 s; give the folder"):
        hub_folder("owner/no-such-model")
    assert time.monotonic() - began < 1.5


def test_a_model_in_the_hubs_cache_is_found_by_name(folder, tmp_path, monkeypatch):
    place = tmp_path / "models--owner--tiny"
    shutil.copytree(folder, place / "snapshots" / "0815")
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text("0815", encoding="utf-8")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    made = encoder(Dense(model="owner/tiny"))
    assert made.name == "owner/tiny"
    assert made.encode(["a cat"]).shape == (1, 16)


def test_words_a_model_does_not_know(folder):
    assert unknown_tokens(folder)(["a cat 今天", "x"]) == (5, 3)


def test_no_code_of_a_model_is_trusted(monkeypatch, copy):
    config = json.loads((copy / "config.json").read_text(encoding="utf-8"))
    config |= {"model_type": "mine", "auto_map": {"AutoConfig": "evil.C", "AutoModel": "evil.M"}}
    (copy / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (copy / "evil.py").write_text("raise SystemExit('ran')", encoding="utf-8")
    with pytest.raises(UserError, match="cannot load the model"):
        model.load(copy)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("modules.json", '["a", "b"]'),
        ("config_sentence_transformers.json", "[1]"),
        ("config_sentence_transformers.json", '{"prompts": ["a"]}'),
        ("1_Pooling/config.json", '{"word_embedding_dimension": "x"}'),
    ],
)
def test_broken_settings_are_named_with_their_folder(tmp_path, file, content):
    from bench.errors import UserError
    from bench.retrieval.embedders.make import encoder
    from bench.retrieval.embedders.recipes import Dense

    folder = tiny(tmp_path / "model")
    (folder / file).write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match=str(folder)):
        encoder(Dense(model=str(folder)))
