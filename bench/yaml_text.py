"""YAML as people mean it: numbers in tens, no key twice, nothing but plain values."""

from __future__ import annotations

import re
from typing import Any

import yaml

PLAIN = (
    ("null", "~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", "true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", "[-+]?[0-9]+", list("-+0123456789")),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", list("-+.0123456789")),
)
"""What is no word: tag, pattern, first characters. The core schema of YAML 1.2, in tens only."""


class YamlError(ValueError):
    """No YAML, or YAML that says a thing twice; the message is one line."""


class _Loader(yaml.SafeLoader):
    """PyYAML follows YAML 1.1, where `010` is 8, `1:40` is 100 and `1e-05` is a word."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  # filled below

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        found = super().construct_mapping(node, deep)
        seen: set[Any] = set()
        for key_node, _ in node.value if len(found) < len(node.value) else ():
            key = self.construct_object(key_node)
            if key in seen:
                raise YamlError(f"the key {key!r} stands there twice")
            seen.add(key)
        return found

    def in_tens(self, node: yaml.ScalarNode) -> int:
        return int(self.construct_scalar(node))


for _tag, _pattern, _first in PLAIN:
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), _first
    )
_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.in_tens)


def read_yaml(text: str) -> Any:  # noqa: ANN401
    """Return what a YAML text says.

    Raises:
        YamlError: It cannot be read, or sets a key twice.
    """
    try:
        return yaml.load(text, _Loader)  # noqa: S506  # a safe loader
    except yaml.YAMLError as error:
        raise YamlError(" ".join(str(error).split())) from None
    except RecursionError:
        raise YamlError("it is nested too deeply") from None
    except ValueError as error:  # our own, and a number of too many digits
        raise YamlError(str(error)) from None
