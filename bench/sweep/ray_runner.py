"""Pieces of work on several machines, by Ray: the death of one only costs time.

Plain tasks, not the actors behind `ray.util.joblib` and `ray.util.multiprocessing`: Ray gives a
task of a dead machine to another one by itself, while an actor that dies takes its work with it.
"""

from __future__ import annotations

import hashlib
import io
import logging
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from bench import identity
from bench.errors import RunError, UserError, cut
from bench.places import cache_folder
from bench.store.atomic import write_bytes
from bench.sweep.measure import Measured, Work, do

T = TypeVar("T")

FOLDER = "searched"
RETRIES = 10
"""Times a piece of work is begun anew after its process or machine died."""
AHEAD = 2
"""Pieces of work handed out for each processor, so that none waits for us."""
PATIENCE = 15.0
"""Seconds until an address counts as dead, and between looks at whether anybody is left."""
LONGEST = 400
COLOUR = re.compile(r"\x1b\[\d*m")

_files: dict[str, Path] = {}
"""Files of this machine that were compared, by digest of their content."""


class Same(NamedTuple):
    """What must be the same on all machines for the numbers to be the same."""

    code: str
    versions: Mapping[str, str]

    def refuse_other(self) -> None:
        """Refuse to work with other code than the machine that asks.

        Raises:
            UserError: Our code, or a package that both have, differs.
        """
        here = _same()
        if here.code != self.code:
            raise UserError(
                f"rse-bench has code {here.code[:12]} there and {self.code[:12]} here: install "
                f"the same version on all machines and start Ray anew"
            )
        pairs = [(name, here.versions.get(name), ours) for name, ours in self.versions.items()]
        for name, there, ours in pairs:
            if there != ours and "not installed" not in (there, ours):
                raise UserError(f"{name} is {there} there and {ours} here: install the same")


class Shipped(NamedTuple):
    """Questions as they travel."""

    name: str
    """Of their file on the machine that asks."""
    sha256: str
    content: tuple[Any]
    """A reference; inside a tuple it is fetched only where it is asked for."""


class Failed(NamedTuple):
    """Why a function failed on another machine; an exception may not survive the journey."""

    text: str
    wrong: bool
    """Whether the user can put it right."""


class Ray(NamedTuple):
    """Does pieces of work wherever Ray finds a free processor, see `connected`.

    Results do not depend on it: they are computed by the same code from the same bytes.
    """

    ray: Any
    same: Same

    @property
    def width(self) -> int:
        """How many pieces of work can be done at the same time, as of now."""
        return int(self.ray.cluster_resources().get("CPU", 0))

    def run(self, works: Sequence[Work]) -> Iterator[tuple[int, Measured]]:
        shipped = {path: self._shipped(path) for path in {work.searched for work in works}}
        arguments = [(shipped[work.searched], work.scores, work.strategies) for work in works]
        for place, found in self.each(_do, arguments):
            # Ray's arrays are windows into its store, which a long sweep would fill.
            yield place, Measured(np.array(found.values), found.errors)

    def each(
        self, function: Callable[..., T], arguments: Sequence[tuple[Any, ...]]
    ) -> Iterator[tuple[int, T]]:
        """Call a function with each of some arguments, in whatever order; yield place and result.

        Args:
            function: Of a module of ours; called again where a machine died, so that calling it
                twice must do no harm.
            arguments: Kept until they are done with: at most `AHEAD` for each processor travel.

        Raises:
            UserError: Another machine has other code, or the function refuses its arguments.
            RunError: The function failed, or nobody is left to call it.
        """
        options = {"max_retries": RETRIES, "num_cpus": 1, "scheduling_strategy": "SPREAD"}
        task = self.ray.remote(**options)(_task)
        todo = iter(enumerate(arguments))
        waiting: dict[Any, int] = {}
        try:
            while True:
                while len(waiting) < max(1, AHEAD * self.width) and (one := next(todo, None)):
                    waiting[task.remote(self.same, function, one[1])] = one[0]
                if not waiting:
                    return
                yield from self._done(waiting)
        finally:
            for reference in waiting:
                self.ray.cancel(reference)

    def _done(self, waiting: dict[Any, int]) -> Iterator[tuple[int, Any]]:
        done, _ = self.ray.wait(list(waiting), num_returns=1, timeout=PATIENCE)
        if not done and not self.width:
            raise RunError(
                "no machine with a processor is left in the Ray cluster; what is done is kept: "
                "start one, and the same command goes on"
            )
        for reference in done:
            place = waiting.pop(reference)
            try:
                found = self.ray.get(reference)
            except self.ray.exceptions.RayError as error:
                raise _lost(str(error)) from None
            if isinstance(found, Failed):
                raise (UserError if found.wrong else RunError)(found.text)
            yield place, found

    def _shipped(self, path: Path) -> Shipped:
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        return Shipped(path.name, digest, (self.ray.put(content),))


class _FirstLines(io.TextIOBase):
    def write(self, text: str) -> int:
        if lines := COLOUR.sub("", text).strip().splitlines():
            sys.stderr.write(f"{cut(lines[0], LONGEST)}\n")
        return len(text)


@contextmanager
def connected(address: str | None) -> Iterator[Ray]:
    """Let work be done by the Ray cluster that this machine is part of.

    Until the end, what is printed goes to the error stream, first lines only: Ray tells of dead
    machines on standard output, with pages of its logs.

    Args:
        address: Of its first machine, `host:port`; None: `$RAY_ADDRESS`.

    Raises:
        UserError: Ray is not installed, or no Ray of the same version answers there.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_gcs_server_request_timeout_seconds", str(int(PATIENCE)))
    try:
        import ray
    except ImportError:
        raise UserError(
            "the backend ray needs Ray, which is not installed here: pip install 'rse-bench[ray]'"
        ) from None
    address = _answering(address or os.environ.get("RAY_ADDRESS", ""))
    with redirect_stdout(_FirstLines()):
        try:
            ray.init(address=address, logging_level=logging.ERROR, log_to_driver=False)
        except (ConnectionError, RuntimeError, ValueError) as error:
            text = cut(" ".join(str(error).split()), LONGEST)
            raise UserError(
                f"no way into the Ray cluster at {address}: {text}; this machine must be part of "
                f"it: `ray start --address={address}`"
            ) from None
        try:
            yield Ray(ray, _same())
        finally:
            ray.shutdown()


def _answering(address: str) -> str:
    """Return the address if Ray answers there: left to itself, Ray would try for minutes.

    Raises:
        UserError: It is no address, nobody answers, or it is another version of Ray.
    """
    host, _, port = address.rpartition(":")
    if not (host and port.isdigit()) or "/" in host:
        raise UserError(
            f"the backend ray needs the address host:port that `ray start --head` shows, by "
            f"--address or RAY_ADDRESS, got {address!r}"
        )
    try:
        socket.create_connection((host, int(port)), PATIENCE / 3).close()
    except (OSError, OverflowError) as error:
        raise UserError(
            f"no Ray answers at {address} ({error}); start it by `ray start --head --port={port}`"
        ) from None
    command = [sys.executable, "-m", "ray.scripts.scripts", "status", "--address", address]
    try:
        found = subprocess.run(  # noqa: S603
            command, capture_output=True, timeout=PATIENCE, check=False, encoding="utf-8"
        )
    except subprocess.TimeoutExpired:
        raise UserError(
            f"what listens at {address} did not answer as Ray within {PATIENCE:.0f} s; the "
            f"address is the one that `ray start --head` shows"
        ) from None
    if found.returncode:
        raise UserError(f"Ray at {address} cannot be used: {_last(found.stderr)}")
    return address


@lru_cache(maxsize=1)
def _same() -> Same:
    return Same(identity.code("bench/sweep/"), identity.versions())


def _task(same: Same, function: Callable[..., T], arguments: tuple[Any, ...]) -> T | Failed:
    """Call a function, on whatever machine this is."""
    try:
        same.refuse_other()
        return function(*arguments)
    except Exception as error:
        wrong, text = isinstance(error, UserError), " ".join(str(error).split())
        said = text if wrong else f"{type(error).__name__}: {text}"
        return Failed(f"on {socket.gethostname()}: {cut(said, LONGEST)}", wrong)


def _do(shipped: Shipped, scores: str, strategies: tuple[str, ...]) -> Measured:
    if shipped.sha256 not in _files:
        _files[shipped.sha256] = _here(shipped)
    return do(Work(_files[shipped.sha256], scores, strategies))


def _here(shipped: Shipped) -> Path:
    """Return a file of this machine with the questions; they are fetched if there is none.

    The machine may have searched the same questions itself, and found scores that differ in their
    last bits: a file of that name counts only if it has the same bytes.
    """
    folder = cache_folder() / FOLDER
    own = folder / f"{shipped.sha256[:32]}.npz"
    for path in (folder / shipped.name, own):
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == shipped.sha256:
            return path
    import ray

    folder.mkdir(parents=True, exist_ok=True)
    write_bytes(own, ray.get(shipped.content[0]))
    return own


def _lost(text: str) -> UserError | RunError:
    """Return what to say of a task that never came to our code."""
    if "No module named" in text:
        return UserError(
            f"a machine of the Ray cluster says {_last(text)}; Ray there must run in a Python that "
            f"rse-bench of this version is installed in"
        )
    why = text.strip().partition(". ")[0].splitlines()[0]
    return RunError(f"Ray gave up a piece of work after {RETRIES} retries: {cut(why, LONGEST)}")


def _last(text: str) -> str:
    """Return the last line that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return cut(lines[-1], LONGEST) if lines else "no reason given"
