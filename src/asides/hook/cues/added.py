"""Which lines a change of a file adds: what stood there before, or stands elsewhere now, is not added."""

from ..guard.scan import quote

TYPE_CHECKING = False  # the name alone tells type checkers; `typing` costs more than a look
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_LINES = 20_000  # more are generated, not written
_LENGTH = 2_000  # characters of a line; longer ones are generated
_OLD = 4 * 1024 * 1024  # bytes of a file that is about to be written anew


class Line:
    """One added line; `number` counts from 1 in the file as it is then, 0 where it is not known."""

    __slots__ = ("number", "text")

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self.text = text


def added(tool: str, given: "dict[str, Any]", response: object) -> list[Line]:
    """Returns the lines that a tool has added."""
    told: dict[str, Any] = response if isinstance(response, dict) else {}
    if tool == "NotebookEdit":
        old = told.get("original_file")
        return _cell(given, old if isinstance(old, str) else None)
    patch = told.get("structuredPatch")
    if isinstance(patch, list) and patch:
        return _kept(_of_patch(patch))
    if tool == "Write":
        made = told.get("type") == "create" or ("originalFile" in told and told["originalFile"] is None)
        return _kept(_numbered(given.get("content"))) if made else []
    return [] if isinstance(patch, list) else _of_edits(given)


def about_to_add(tool: str, given: "dict[str, Any]", path: str) -> list[Line]:
    """Returns the lines that a tool is about to add to the file at an absolute path."""
    if tool == "NotebookEdit":
        return _cell(given, _old(path))
    if tool == "Write":
        return _kept(_without(_numbered(given.get("content")), (_old(path) or "").splitlines()))
    return _of_edits(given)


def _of_patch(patch: "list[Any]") -> list[Line]:
    plus: list[Line] = []
    minus: list[str] = []
    for hunk in patch:
        if not isinstance(hunk, dict) or not isinstance(hunk.get("lines"), list):
            continue
        start = hunk.get("newStart")
        number = start if isinstance(start, int) else 0
        for line in hunk["lines"]:
            if not isinstance(line, str):
                continue
            if line.startswith("+"):
                plus.append(Line(number if number > 0 else 0, line[1:]))
            elif line.startswith("-"):
                minus.append(line[1:])
            number += not line.startswith(("-", "\\"))
    return _without(plus, minus)


def _of_edits(given: "dict[str, Any]") -> list[Line]:
    edits = given.get("edits")
    found: list[Line] = []
    for edit in edits if isinstance(edits, list) else [given]:
        if not isinstance(edit, dict):
            continue
        new, old = edit.get("new_string"), edit.get("old_string")
        if isinstance(new, str):
            lines = [Line(0, line) for line in new.splitlines()]
            found += _without(lines, old.splitlines() if isinstance(old, str) else [])
    return _kept(found)


def _cell(given: "dict[str, Any]", notebook: str | None) -> list[Line]:
    """Returns what is new in a notebook's cell; where the notebook is not known, only of one put in."""
    source = given.get("new_source")
    mode = given.get("edit_mode") or "replace"
    if not isinstance(source, str) or mode not in ("insert", "replace"):
        return []
    if mode == "replace" and notebook is None:
        return []
    lines = [Line(0, line) for line in source.splitlines()]
    if mode == "insert" or notebook is None:
        return _kept(lines)

    return _kept([line for line in lines if quote(line.text)[1:-1] not in notebook])


def _numbered(content: object) -> list[Line]:
    lines = content.splitlines() if isinstance(content, str) else []
    return [Line(n, line) for n, line in enumerate(lines[:_LINES], 1)]


def _without(lines: list[Line], old: "Iterable[str]") -> list[Line]:
    """Returns the lines that are not among the old ones, blanks around them aside, each as often as it is."""
    left: dict[str, int] = {}
    for text in old:
        left[text.strip()] = left.get(text.strip(), 0) + 1
    new = []
    for line in lines:
        text = line.text.strip()
        if left.get(text):
            left[text] -= 1
        elif text:
            new.append(line)
    return new


def _kept(lines: list[Line]) -> list[Line]:
    return [line for line in lines[:_LINES] if line.text.strip() and len(line.text) <= _LENGTH]


def _old(path: str) -> str | None:
    """Returns what stands in a file; None where it is not there or too large."""
    try:
        with open(path, "rb") as file:
            raw = file.read(_OLD + 1)
    except (OSError, ValueError):
        return None
    return raw.decode("utf-8", "replace") if len(raw) <= _OLD else None
