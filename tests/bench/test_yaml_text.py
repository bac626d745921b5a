"""YAML values are what they look like."""

from __future__ import annotations

import pytest

from bench.yaml_text import YamlError, read_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("010", 10),
        ("-7", -7),
        ("1:40", "1:40"),
        ("0x10", "0x10"),
        ("1e-05", 1e-05),
        ("1e3", 1000.0),
        ("0.5", 0.5),
        (".5", 0.5),
        ("'0.5'", "0.5"),
        ("no", "no"),
        ("true", True),
        ("2024-99-99", "2024-99-99"),
        ("~", None),
        ("", None),
        ("[1, 2.5, a, ~]", [1, 2.5, "a", None]),
        ("{a: 1, b: [x]}", {"a": 1, "b": ["x"]}),
    ],
)
def test_values(text, value):
    found = read_yaml(text)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3", "the key 'a' stands there twice"),
        ("a: {b: 1, b: 1}", "the key 'b' stands there twice"),
        ("{", "expected the node content"),
        ("[" * 5000, "nested too deeply"),
        ("1" * 5000, "digits"),
        ("!!python/object:os.system x", "could not determine a constructor"),
    ],
)
def test_errors_are_one_line(text, message):
    with pytest.raises(YamlError, match=message) as error:
        read_yaml(text)
    assert "\n" not in str(error.value)
