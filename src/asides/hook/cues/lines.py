"""Which added lines break a check."""

from .globs import any_fits
from .imports import imports
from .source import PLAIN, RUBY, RUST, SCRIPT, SHELL, language, mixes_text, parts

TYPE_CHECKING = False  # the name alone tells type checkers; `typing` costs more than a look
if TYPE_CHECKING:
    from typing import Any

    from .source import Parts

_RAISING = ("raise", "throw", "fail")
_DEFINING = (
    "def",
    "function",
    "fn",
    "func",
    "fun",
    "sub",
    "void",
    "class",
    "int",
    "string",
    "bool",
    "static",
)
_WORDS_OF_CODE = (
    "as",
    "is",
    "in",
    "of",
    "extends",
    "if",
    "else",
    "from",
    "instanceof",
    "and",
    "or",
    "for",
    "satisfies",
)
# What is said in comments: there it is looked for, and nowhere else.
_REMARKS = (
    "@ts-",
    "eslint-disable",
    "noqa",
    "type: ignore",
    "nolint",
    "noinspection",
    "nosec",
    "prettier-ignore",
)
_MARKS = ("TODO", "FIXME", "XXX", "HACK")
_LENGTH = 2_000  # characters of a line; longer ones are generated


def broken(check: "dict[str, Any]", path: str, lines: list[str]) -> "list[tuple[int, str]]":
    """Returns the lines that break a check, each by its index, with what stands there.

    Args:
        check: a `Check` of `asides/model/watch.py`, as JSON has it; what is empty may be absent.
        path: of the file, from the root of its checkout, with slashes.
        lines: the lines that were added, in their order, without line ends.
    """
    globs, signs = check.get("globs") or (), check.get("signs") or ()
    kind = language(path)
    if any_fits(check.get("outside") or (), path):
        return []
    if not any_fits(globs, path) if globs else not kind:
        return []
    found = []
    prose = mixes_text(path)
    for n, line in enumerate(parts([one[:_LENGTH] for one in lines], kind or PLAIN)):
        for sign in signs:
            there = _there(sign["form"], sign["text"], line, kind or PLAIN, path, prose)
            if there:
                found.append((n, there))
                break
    return found


def _there(form: str, text: str, line: "Parts", kind: str, path: str, prose: bool) -> str:
    if not text:
        return ""
    if form == "import":
        return line.text.strip().rstrip(";") if imports(line, kind, text, path) else ""
    if form == "text":
        return text if _stands(text, line) else ""
    if text not in line.code:
        return ""
    at = line.code.find(text)
    while at >= 0:
        before, after = line.code[:at], line.code[at + len(text) :]
        if _whole(text, before, after):
            if form == "call" and _is_call(text, before, after, kind):
                return f"{text}("
            if form == "raise" and _is_raised(text, before, after):
                return _from_raising(before, text)
            if form == "word" and not (prose and _is_prose(before, after)):
                return text
        at = line.code.find(text, at + 1)
    return ""


def _stands(text: str, line: "Parts") -> bool:
    if text in _MARKS:
        at = line.comment.find(text)
        return at >= 0 and _whole(text, line.comment[:at], line.comment[at + len(text) :])
    if any(remark in text for remark in _REMARKS) or text.startswith(("//", "/*")):
        return text in line.comment
    if text[:1].isalnum() or text[-1:].isalnum():
        at = line.text.find(text)
        while at >= 0:
            if _whole(text, line.text[:at], line.text[at + len(text) :]):
                return True
            at = line.text.find(text, at + 1)
        return False
    return text in line.text


def _whole(text: str, before: str, after: str) -> bool:
    """Returns whether a name stands by itself, and not as a part of a longer one."""
    if _named(text[0]) and before and (_named(before[-1]) or before[-1] in "$@"):
        return False
    return not (_named(text[-1]) and after and _named(after[0]))


def _named(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _is_call(text: str, before: str, after: str, kind: str) -> bool:
    words = before.split()
    if before.endswith(".") and "." not in text and not before.endswith(("..", "window.", "globalThis.")):
        return False  # a method of that name
    if words and words[-1] in _DEFINING and not text.startswith("."):
        return False
    rest = after.lstrip()
    first = (
        not before.strip() or before.rstrip()[-1:] in ";{|&(" or words[-1:] in (["then"], ["do"], ["else"])
    )
    if rest.startswith("("):
        return not (kind == SCRIPT and not before.strip() and rest.endswith("{") and "=>" not in rest)
    if kind == RUST and text.endswith("!"):
        return rest.startswith(("[", "{"))
    if rest.startswith("<") and kind == SCRIPT:
        return ">(" in rest
    if kind in (RUBY, SHELL):
        return first and (not rest or (after[:1] == " " and rest[:1] not in ("=", ".", ",")))
    return False


def _is_raised(text: str, before: str, after: str) -> bool:
    if text == "panic":
        return (
            not before.strip().endswith(("func", "fn"))
            and after.startswith(("(", "!("))
            and not before.endswith(".")
        )
    words = before.replace("\\", " ").replace("std::", " ").replace("(", "( ").split()
    if words[-1:] == ["new"]:
        words = words[:-1]
    return bool(words) and (words[-1] in _RAISING or words[-1].endswith("reject("))


def _from_raising(before: str, text: str) -> str:
    """Returns a raised name with the words that raise it."""
    at = max(before.rfind(word) for word in (*_RAISING, "reject("))
    return before[at:] + text if at >= 0 else text


def _is_prose(before: str, after: str) -> bool:
    """Returns whether a name seems to stand in a sentence: a plain word follows, or comes before in a tag."""
    word = ""
    for sign in after.lstrip():
        if not sign.isalpha():
            break
        word += sign
    spaced = after[:1] == " " and word and word not in _WORDS_OF_CODE
    return bool(spaced) and "=" not in before and "(" not in before
