"""JSON and the environment, read without `json` and `os`, which would double the time of a look.

Shared by the guard and the cues.
"""

import posix

TYPE_CHECKING = False  # the name alone tells type checkers; `typing` costs more than the guard
if TYPE_CHECKING:
    from typing import Any


class Large(Exception):
    """A file is larger than what is looked into."""


def read(path: str) -> "dict[str, Any]":
    """Returns the JSON object in a file. Raises as `text_of` and `parsed` do."""
    return parsed(text_of(path))


def text_of(path: str, *, limit: int = 64 * 1024 * 1024) -> str:
    """Returns the text in a file. Raises Large above `limit` bytes."""
    if posix.stat(path).st_size > limit:
        raise Large(path)
    with open(path, "rb", buffering=0) as file:
        return file.readall().decode("utf-8", "replace")


def parsed(text: str) -> "dict[str, Any]":
    """Returns the JSON object that a text is. Raises ValueError for anything else."""
    text = text.strip()
    try:
        from _json import make_scanner
    except ImportError:
        from json import loads

        value, end = loads(text), len(text)
    else:
        try:
            value, end = make_scanner(_Plain)(text, 0)  # type: ignore[arg-type]
        except (StopIteration, SystemError) as error:  # it misses the decoder that would say what is wrong
            raise ValueError from error
    if end != len(text) or not isinstance(value, dict):
        raise ValueError
    return value


def quote(text: str) -> str:
    """Returns a text as JSON, in ASCII."""
    try:
        from _json import encode_basestring_ascii
    except ImportError:
        from json.encoder import py_encode_basestring_ascii as encode_basestring_ascii
    return encode_basestring_ascii(text)


def environment() -> dict[str, str]:
    """Returns the environment as text."""
    return {
        name.decode("utf-8", "surrogateescape"): value.decode("utf-8", "surrogateescape")
        for name, value in posix.environ.items()
    }


class _Plain:
    """What the scanner asks of a `JSONDecoder`."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
