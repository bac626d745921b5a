"""Commands that ask a model about a run take the same options for the same things."""

from __future__ import annotations

import typer
from typer.main import get_command

from bench.adapters.cli import ragas
from bench.answers.cli import answer

SHARED = {"run_folder", "arm", "url", "key_env", "limit", "raw", "dry_run"}


def options(function):
    app = typer.Typer(add_completion=False)
    app.command()(function)
    return {one.name: one for one in get_command(app).params}


def test_shared_options_are_the_same():
    first, second = options(answer), options(ragas)
    assert (first.keys() & second.keys()) - {"model", "help"} == SHARED
    for name in SHARED:
        given = [(one[name].opts, one[name].required, one[name].help) for one in (first, second)]
        assert given[0] == given[1]
    names = {name for one in first.values() for name in one.opts}
    assert names >= {"--arm", "--url", "--key-env", "-n", "--limit", "--raw", "--dry-run"}
