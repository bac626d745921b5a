"""Connections to a PostgreSQL server, whose password nobody gets to see."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, LiteralString, TypeVar

from bench.errors import UserError

if TYPE_CHECKING:
    from psycopg import Connection

T = TypeVar("T")

EXAMPLE = "postgresql://user:password@host:5432/database"
WAIT_SECONDS = 10


class Connections:
    """As many connections as there are threads that ask at the same time, kept for the next.

    A connection that was dropped is replaced once; then the server counts as away.

    Args:
        variable: Environment variable that holds the connection string.
        setup: Statements that each new connection begins with.

    Raises:
        UserError: psycopg is not installed, or there is no usable connection string.
    """

    def __init__(self, variable: str, setup: Sequence[LiteralString] = ()) -> None:
        self._variable, self._setup = variable, setup
        self._options = _options(variable)
        self.where = f"the server in {variable} ({_address(self._options)})"
        self._lock = Lock()
        self._idle: list[Connection[Any]] = []
        self._close = weakref.finalize(self, _close_all, self._idle)

    def run(self, action: Callable[[Connection[Any]], T]) -> T:
        """Do something over a connection, and all of it again if the first was dropped.

        Raises:
            UserError: The server is away or refuses; the message does not hold the password.
        """
        import psycopg

        for fresh in (False, True):
            connection = self._take(fresh=fresh)
            try:
                result = action(connection)
            except psycopg.Error as error:
                dropped = connection.broken or connection.closed
                connection.close()
                if not dropped or fresh:
                    verb = "dropped the connection" if dropped else "refused"
                    raise UserError(f"{self.where} {verb}: {self._told(error)}") from None
            except BaseException:
                connection.close()
                raise
            else:
                with self._lock:
                    self._idle.append(connection)
                return result
        raise AssertionError("unreachable")

    def close(self) -> None:
        """Let go of all connections that nobody uses; the next use opens them again."""
        with self._lock:
            _close_all(self._idle)

    def _take(self, *, fresh: bool) -> Connection[Any]:
        """Return a connection; `fresh`: not one of those kept, which are closed."""
        with self._lock:
            if fresh:
                _close_all(self._idle)
            elif self._idle:
                return self._idle.pop()
        return self._open()

    def _open(self) -> Connection[Any]:
        import psycopg

        try:
            connection = psycopg.connect(**self._options, autocommit=True, prepare_threshold=None)
        except psycopg.Error as error:
            raise UserError(
                f"cannot reach {self.where}: {self._told(error)}; is it running, and is the "
                "connection string right?"
            ) from None
        try:
            for statement in self._setup:
                connection.execute(statement)
        except psycopg.Error as error:
            connection.close()
            raise UserError(f"{self.where} refused: {self._told(error)}") from None
        return connection

    def _told(self, error: Exception) -> str:
        """Return what an error says, in one line and without a password."""
        text = "; ".join(line.strip() for line in str(error).splitlines() if line.strip())
        for key in ("password", "sslpassword"):
            if secret := self._options.get(key):
                text = text.replace(str(secret), "***")
        return text or type(error).__name__


def _options(variable: str) -> dict[str, Any]:
    """Read a connection string; what is wrong with it is not shown, for it may be the password."""
    text = os.environ.get(variable, "").strip()
    if not text:
        raise UserError(
            f"the environment variable {variable} is not set; it must hold a connection string "
            f"such as {EXAMPLE}"
        )
    try:
        import psycopg
        from psycopg.conninfo import conninfo_to_dict
    except ImportError:
        raise UserError(
            "searching by PostgreSQL needs psycopg: pip install 'rse-bench[pgvector]'"
        ) from None
    try:
        found: dict[str, Any] = dict(conninfo_to_dict(text))
    except (psycopg.Error, UnicodeError, ValueError):
        found = {}
    # An unescaped @ or / in a password makes the rest of it part of the host or the database.
    parts = [str(found.get(key) or "") for key in ("host", "dbname", "port")]
    numeric = all(part.isdigit() for part in parts[2].split(",") if part)
    if not found or "@" in "".join(parts) or not numeric:
        raise UserError(
            f"the environment variable {variable} holds no connection string (it is not shown: it "
            f"may hold a password); write it like {EXAMPLE}, with signs such as @ and / in the "
            "password as %40 and %2F"
        )
    return {"connect_timeout": WAIT_SECONDS, "application_name": "rse-bench"} | found


def _address(options: dict[str, Any]) -> str:
    """Name host and database."""
    host = options.get("host") or options.get("hostaddr") or "local"
    port = f":{options['port']}" if options.get("port") else ""
    return f"{host}{port}/{options.get('dbname') or options.get('user') or ''}"


def _close_all(connections: list[Connection[Any]]) -> None:
    while connections:
        connections.pop().close()
