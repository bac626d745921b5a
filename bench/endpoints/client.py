"""The one place that speaks HTTP to a model's endpoint."""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from bench.endpoints.address import EndpointError, checked_url
from bench.endpoints.shown import masked, shown

if TYPE_CHECKING:
    import requests

__all__ = ["Client", "EndpointError"]

log = logging.getLogger(__name__)

FIRST_WAIT = 1.0
"""Seconds before the second try; they double with each further one."""
PATIENCE = 10.0
"""Seconds after which somebody who watches is told that a server takes long."""
LONGEST_WAIT = 60.0
"""Seconds between two tries at most, whatever the server asks for."""


class Client:
    """Sends JSON to one endpoint, and again where that may help. Threads may share it.

    Args:
        url: Where the endpoint is, `https://host/v1`; user name and password have no place in it.
        key_env: Environment variable that holds the key, read anew for each request; empty: none.
        timeout: Seconds to wait for a connection, and then for each piece of the answer.
        tries: Requests at most until one is answered.
        sleep: Waits for some seconds.

    Raises:
        EndpointError: The URL is not one of http or https, or holds a password.
    """

    def __init__(
        self,
        url: str,
        key_env: str = "",
        *,
        timeout: float = 60.0,
        tries: int = 5,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if tries < 1 or not 0 < timeout < float("inf"):
            raise ValueError(f"tries and timeout must be positive, got {tries} and {timeout}")
        self.url, self.key_env = checked_url(url), key_env
        self._timeout, self._tries, self._sleep = timeout, tries, sleep
        self._own = threading.local()  # a session belongs to one thread

    def __repr__(self) -> str:
        return f"Client({self.url!r}, {self.key_env!r})"

    def shown(self, text: str) -> str:
        """Make what the endpoint said fit to be shown: one short line, the key masked."""
        return shown(text, self._given())

    def masked(self, text: str) -> str:
        """Return a text the endpoint gave, with stars for the key: a model may repeat anything."""
        return masked(text, self._given())

    def _given(self) -> str:
        return os.environ.get(self.key_env, "").strip() if self.key_env else ""

    def post(self, path: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        """Send a JSON object and return the one that comes back.

        Timeouts, lost connections and the statuses 408, 429 and 5xx are tried again, after the time
        the server asks for or else after a time that doubles.

        Args:
            path: Below the endpoint's URL: `/embeddings`.
            payload: What to send.

        Raises:
            EndpointError: The key is missing, no try was answered, the endpoint refused, or its
                answer is no JSON object.
        """
        key = self._key()
        target = _below(self.url, path)
        body = json.dumps(payload, allow_nan=False).encode("ascii")
        for number in range(1, self._tries + 1):
            answer, problem = self._ask(target, body, key)
            if answer is not None and answer.status_code < 300:
                return _parsed(answer.content, target, key)
            wait = _wait(answer, number)
            if answer is not None:
                problem = _refusal(answer, key)
                if not _passes(answer.status_code):
                    raise EndpointError(f"{target}: {problem}")
            if number < self._tries:
                log.warning("%s: %s; asked again in %.1f s", target, problem, wait)
                self._sleep(wait)
        raise EndpointError(f"{target}: {problem} (tried {self._tries} times)")

    def _ask(self, target: str, body: bytes, key: str) -> tuple[requests.Response | None, str]:
        """Send one request; return the answer, or None and what went wrong on the way."""
        import requests

        def sign(request: requests.PreparedRequest) -> requests.PreparedRequest:
            if key:
                request.headers["Authorization"] = f"Bearer {key}"
            return request

        waiting = threading.Timer(PATIENCE, log.warning, ("%s: no answer yet, waiting", target))
        waiting.daemon = True
        waiting.start()
        try:
            answer = self._session().post(
                target,
                data=body,
                headers={"Content-Type": "application/json", "Accept": "application/json"},
                auth=sign,  # also without a key: else a .netrc would put in one of its own
                timeout=self._timeout,
                allow_redirects=False,  # the key is for this host, and a POST would become a GET
            )
        except requests.exceptions.SSLError as error:
            raise EndpointError(f"{target}: {shown(str(error), key)}") from None
        except requests.Timeout:
            return None, f"no answer within {self._timeout:g} s"
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError) as error:
            return None, f"no connection, or a lost one: {shown(str(error), key)}"
        except requests.RequestException as error:
            raise EndpointError(f"{target}: {shown(str(error), key)}") from None
        finally:
            waiting.cancel()
        return answer, ""

    def _session(self) -> requests.Session:
        import requests

        if not hasattr(self._own, "session"):
            self._own.session = requests.Session()
        session: requests.Session = self._own.session
        return session

    def _key(self) -> str:
        if not self.key_env:
            return ""
        key = os.environ.get(self.key_env, "").strip()
        if not key:
            raise EndpointError(
                f"{self.url} needs a key: set the environment variable {self.key_env}"
            )
        if not all("!" <= sign <= "~" for sign in key):
            raise EndpointError(
                f"the environment variable {self.key_env} holds blanks or signs beyond ASCII, "
                f"which no key has"
            )
        return key


def _below(url: str, path: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=f"{parts.path}/{path.lstrip('/')}"))


def _passes(status: int) -> bool:
    """Tell whether trying again may help."""
    return status in (408, 429) or status >= 500


def _wait(answer: requests.Response | None, tried: int) -> float:
    """Return the seconds to wait before the next try."""
    asked = _retry_after(answer.headers.get("Retry-After", "")) if answer is not None else None
    return min(FIRST_WAIT * 2.0 ** (tried - 1) if asked is None else asked, LONGEST_WAIT)


def _retry_after(header: str) -> float | None:
    """Read the header, seconds or a date; None: it is not there, or says nothing."""
    try:
        seconds = float(header)
    except ValueError:
        try:
            date = parsedate_to_datetime(header)
        except ValueError:
            return None
        aware = date if date.tzinfo else date.replace(tzinfo=UTC)
        seconds = (aware - datetime.now(UTC)).total_seconds()
    return max(seconds, 0.0) if isfinite(seconds) else None


def _refusal(answer: requests.Response, key: str) -> str:
    """Say what a status other than 2xx came with."""
    if 300 <= answer.status_code < 400:
        place = shown(answer.headers.get("Location", "nowhere"), key)
        return f"status {answer.status_code}, a redirect to {place}, which is not followed"
    text = answer.content.decode("utf-8", "replace")
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = text
    for name in ("error", "message", "detail"):
        if isinstance(said, dict) and name in said:
            said = said[name]
    words = said if isinstance(said, str) else json.dumps(said)
    return f"status {answer.status_code}: {shown(words, key) or 'without a message'}"


def _parsed(content: bytes, target: str, key: str) -> dict[str, Any]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        text = shown(content.decode("utf-8", "replace"), key)
        raise EndpointError(f"{target}: the answer is no JSON object but {text!r}")
    return found
