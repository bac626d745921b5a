"""Bytes of a text file as text, or the reason why not."""

from __future__ import annotations

import codecs
import re

from bench.data.errors import DatasetError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ASCII_BASED = re.compile(
    r"utf-8|cp\d+|iso8859-\d+|koi8-[rut]|mac-\w+|gb18030|big5(hkscs)?"
    r"|euc_(jp|kr|jis_2004)|shift_jis(_2004)?|iso2022_jp|johab|tis-620"
)
_AS_BROWSERS_READ = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
} | dict.fromkeys(("gb2312", "gbk"), "gb18030")


def decode(content: bytes) -> str:
    """Read UTF-8, or what a byte order mark says; the mark is dropped.

    Raises:
        DatasetError: It is neither; the message begins where a file's name may stand.
    """
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise DatasetError(
            f"is not {encoding.upper()} (byte {error.start:,}): save it as UTF-8"
        ) from None
    if "\0" in text:
        raise DatasetError(
            "has zero bytes: it is no text, or UTF-16 without a byte order mark; save it as UTF-8"
        )
    return text


def decode_html(content: bytes) -> str:
    """Read what a byte order mark says, or else what the page declares, or else UTF-8.

    Names of encodings mean what they mean to browsers: `latin-1` is Windows-1252, `gb2312` is
    GB 18030.

    Raises:
        DatasetError: It is none of these.
    """
    from bs4.dammit import EncodingDetector

    declared = EncodingDetector.find_declared_encoding(content, is_html=True)
    known = _known(declared or "")
    if known is None or any(content.startswith(mark) for mark, _ in _MARKS):
        return decode(content)
    try:
        return decode(content.decode(known).encode("utf-8"))
    except UnicodeDecodeError as error:
        raise DatasetError(
            f"declares the encoding {declared} but byte {error.start:,} is none of it: "
            f"save it as UTF-8"
        ) from None


def _known(declared: str) -> str | None:
    """Return the codec of an encoding that a page may declare.

    None also for UTF-16: a page that can be asked for its encoding is written in bytes; and for
    Python's own codecs, such as `unicode_escape`.
    """
    try:
        name = codecs.lookup(declared).name
    except (LookupError, ValueError):  # ValueError: a zero in the name
        return None
    name = _AS_BROWSERS_READ.get(name, name)
    return name if _ASCII_BASED.fullmatch(name) else None
