"""Words of a person made safe to stand on one line among ours, and otherwise left as they are."""

from __future__ import annotations

import re
import unicodedata

ELLIPSIS = "…"

# Joiners are part of how Persian, Hindi and emoji are written; every other format
# character is invisible, and invisible text is how instructions are smuggled.
_JOINERS = "\u200c\u200d"
_ENDS = re.compile(r"\r\n|[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_FENCE = re.compile(r"\[(\s*/?\s*asides\s*)\]", re.IGNORECASE)


def one_line(text: str) -> str:
    """Returns the text on one line: line ends and control characters as spaces, our fences in round brackets.

    Text without any of these comes back as it is (hazard B-232).
    """
    # Printable text is the common case, and looking at each character costs a hundred times as much.
    flat = text if text.isprintable() else "".join(_visible(each) for each in _ENDS.sub(" ", text))
    return _FENCE.sub(r"(\1)", flat).strip()


def shortened(text: str, limit: int) -> str:
    """Returns at most `limit` characters of a text, cut behind a word and closed with an ellipsis."""
    if len(text) <= limit:
        return text
    end = max(0, limit - len(ELLIPSIS))
    space = text.rfind(" ", 0, end + 1)
    # Without a space nearby (Chinese, a long path) the cut falls inside; never before a combining mark.
    if space >= end // 2:
        end = space
    else:
        while end and (unicodedata.category(text[end]).startswith("M") or text[end] in _JOINERS):
            end -= 1
    return (text[:end].rstrip() + ELLIPSIS)[:limit]


def shortened_front(text: str, limit: int) -> str:
    """Returns the last `limit` characters of a path or name, which tell more than the first."""
    return text if len(text) <= limit else ELLIPSIS + text[len(text) - limit + len(ELLIPSIS) :]


def _visible(character: str) -> str:
    match unicodedata.category(character):
        case "Cc" | "Zl" | "Zp":
            return " "
        case "Cf" if character not in _JOINERS:
            return ""
        case "Cs":
            return "\ufffd"  # half a surrogate pair cannot be written as UTF-8 (hazard B-061)
        case _:
            return character
