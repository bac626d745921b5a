"""Where a remote model is: what its settings may say, and in which spelling."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

from bench.errors import UserError
from rse.checks import ParameterError

OPENAI = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"

_VARIABLE = re.compile(r"(?:[A-Z_][A-Z0-9_]*)?")


class EndpointError(UserError):
    """An endpoint cannot be asked, or gave no answer that can be used."""


def checked_url(url: str) -> str:
    """Return the URL without a slash at its end. No message repeats what may hold a password.

    Raises:
        EndpointError: It is not one of http or https, or holds a password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port  # raises where it is no number
    except ValueError:
        raise EndpointError(
            "the endpoint's URL cannot be read; write it like https://host/v1"
        ) from None
    if parts.username is not None or parts.password is not None:
        raise EndpointError(
            f"the URL of {parts.hostname} holds a user name or a password; leave them out and put "
            f"the key into an environment variable"
        )
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise EndpointError(f"{url!r} is no URL of an endpoint; write it like https://host/v1")
    if parts.fragment or not url.isprintable() or " " in url:
        raise EndpointError(f"{url!r} has blanks or a fragment; write it like https://host/v1")
    return urlunsplit(parts._replace(path=parts.path.rstrip("/")))


def check_address(url: object, key_env: object) -> str:
    """Check what the settings of a remote model say of where it is and what opens it.

    Args:
        url: Its endpoint.
        key_env: Environment variable that holds the key; empty: none.

    Returns:
        The URL in the spelling that results and caches name it by.

    Raises:
        ParameterError: One of them is not what it should be, or may be or hold the key itself;
            then it is not repeated.
    """
    if not isinstance(key_env, str) or not _VARIABLE.fullmatch(key_env):
        raise ParameterError(
            "key_env must be the name, in capitals, of the environment variable that holds the "
            f'key, like {OPENAI_KEY}, or "" for none'
        )
    if not isinstance(url, str):
        raise ParameterError(f"url must be like {OPENAI}, got {url!r}")
    try:
        found = checked_url(url)
    except EndpointError as error:
        raise ParameterError(f"url: {error}") from None
    if urlsplit(found).query:
        raise ParameterError(
            f"url must end before its question mark, for results show it; write it like {OPENAI}"
        )
    return found


def check_model(value: object) -> None:
    """Refuse what is no name of a model.

    Raises:
        ParameterError: It is no text, or empty, or more than a line.
    """
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        hint = "; a number is a word in quotes" if isinstance(value, int | float) else ""
        raise ParameterError(f"model must be a name in one line, got {value!r}{hint}")
