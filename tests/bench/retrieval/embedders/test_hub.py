"""Models by name: a hub on this machine, and the cache that the real library makes of it."""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

from bench.errors import UserError
from bench.retrieval.embedders.hub import CROSS_ENCODER, EMBEDDER, _whole, hub_folder
from bench.retrieval.embedders.make import place

SHA = "0815" * 10
MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_P", "type": "sentence_transformers.models.Pooling"},
]
FILES = {
    "modules.json": json.dumps(MODULES),
    "config.json": "{}",
    "1_P/config.json": "{}",
    "model.safetensors": "weights",
    "pytorch_model.bin": "a pickle",
    "onnx/model.safetensors": "no",
    "README.md": "words",
    "code.py": "raise SystemExit",
}


class Handler(BaseHTTPRequestHandler):
    """As much of the hub as its client asks for."""

    def do_GET(self):
        hub, path = self.server, urlsplit(self.path).path
        hub.asked.append(path)
        model, _, rest = path.removeprefix("/api/models/").partition("/tree/")
        if "/resolve/" in path:
            name, _, file = path[1:].partition(f"/resolve/{SHA}/")
            content = hub.models[name][file].encode()
            return self.send(200 if file not in hub.broken else 500, content)
        name = model.partition("/revision/")[0]
        if name not in hub.models:
            return self.send(404, b'{"error": "Repository not found"}')
        if not rest:
            return self.send(200, json.dumps({"id": name, "sha": SHA, "siblings": []}).encode())
        listed = [
            {"type": "file", "path": file, "size": len(text), "oid": _digest(text.encode())}
            for file, text in hub.models[name].items()
        ]
        return self.send(200, json.dumps(listed).encode())

    do_HEAD = do_GET  # noqa: N815  # as the library wants it

    def send(self, status, content):
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("ETag", f'"{_digest(content)}"')
        self.send_header("X-Repo-Commit", SHA)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def log_message(self, *_):
        pass


def _digest(content):
    return hashlib.sha1(content).hexdigest()


@pytest.fixture
def hub(tmp_path, monkeypatch):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.models, server.asked, server.broken = {"owner/model": FILES}, [], set()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}"
    constants = "huggingface_hub.constants."
    monkeypatch.setattr(constants + "ENDPOINT", url)
    template = url + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants + "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(constants + "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants + "HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr(constants + "HF_HUB_OFFLINE", False)
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def files(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_what_was_downloaded_once_is_found_again_without_a_network(hub, monkeypatch):
    first = hub_folder("owner/model")
    wanted = ["1_P/config.json", "config.json", "model.safetensors", "modules.json"]
    assert files(first) == wanted
    asked = len(hub.asked)
    assert hub_folder("owner/model") == first
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert place("owner/model") == (first, "owner/model")
    assert len(hub.asked) == asked


@pytest.mark.parametrize("listing", [True, False], ids=["listed", "unlisted"])
def test_a_half_finished_download_is_finished(hub, monkeypatch, tmp_path, listing):
    hub.broken.add("model.safetensors")
    monkeypatch.setattr("huggingface_hub.utils._http.time.sleep", lambda _: None)
    with pytest.raises(UserError, match="cannot download owner/model"):
        hub_folder("owner/model")
    kept = tmp_path / "models--owner--model"
    assert "modules.json" in files(kept / "snapshots" / SHA)
    if not listing:  # as older versions of the library leave it; moved, for it remembers listings
        shutil.rmtree(kept / "trees")
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "moved"))
        shutil.move(kept, tmp_path / "moved" / kept.name)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(UserError, match="not as a whole, in the hub's cache"):
        hub_folder("owner/model")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    hub.broken.clear()
    assert "model.safetensors" in files(hub_folder("owner/model"))


def test_a_cross_encoder_has_no_modules(hub):
    hub.models["cross-encoder/small"] = {
        "config.json": "{}", "model.safetensors": "w", "pytorch_model.bin": "a pickle"
    }  # fmt: skip
    folder, name = place("small", CROSS_ENCODER)
    assert (files(folder), name) == (["config.json", "model.safetensors"], "small")
    asked = len(hub.asked)
    assert place("cross-encoder/small", CROSS_ENCODER)[0] == folder
    assert len(hub.asked) == asked


@pytest.mark.parametrize(
    ("kind", "name", "told"),
    [
        (EMBEDDER, "none", r"sentence-transformers/none .* SentenceTransformer\('sent.*save\("),
        (CROSS_ENCODER, "none", r"cross-encoder/none .* CrossEncoder\('cross-enc.*/none'\)\.save"),
        (EMBEDDER, "owner/pickles", r"owner/pickles on the hub .* weights as safetensors"),
    ],
)
def test_advice_is_that_for_the_kind(hub, kind, name, told):
    hub.models["owner/pickles"] = {k: v for k, v in FILES.items() if k != "model.safetensors"}
    with pytest.raises(UserError, match=told) as error:
        hub_folder(name, kind)
    assert "\n" not in str(error.value)


def test_weights_in_several_files_are_whole_with_all_of_them(tmp_path):
    (tmp_path / "modules.json").write_text(json.dumps(MODULES), encoding="utf-8")
    assert not _whole(tmp_path, EMBEDDER)
    index = {"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    (tmp_path / "model-1.safetensors").touch()
    assert not _whole(tmp_path, EMBEDDER)
    (tmp_path / "model-2.safetensors").touch()
    assert _whole(tmp_path, EMBEDDER)
    dense = {"idx": 2, "name": "2", "path": "2_D", "type": "sentence_transformers.models.Dense"}
    (tmp_path / "modules.json").write_text(json.dumps([*MODULES, dense]), encoding="utf-8")
    assert not _whole(tmp_path, EMBEDDER)
