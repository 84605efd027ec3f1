"""Whether the next message takes back what was said."""

from __future__ import annotations

import re

BEGINNING = 160  # characters; a take-back opens a message

_TAKEN = re.compile(
    r"(?:^|[.!?\n]\s*)(?:(?:oh|ah|um|uh|no|nah|wait|sorry|ok|okay|actually|hmm+|oops|hm)[\s,.!-]{1,4}){0,4}"
    r"(never ?mind\b(?! the\b| about\b)|nvm\b|scratch that\b|strike that\b|i take (?:that|it) back"
    r"|(?:forget|disregard|ignore) (?:(?:it|that)\b(?! \w)|(?:what )?i (?:just )?said"
    r"|my (?:last|previous) (?:message|comment|remark|note))"
    r"|i was wrong about (?:that|this|it)\b)",
    re.IGNORECASE,
)


def taken_back(following: str) -> str:
    """Returns the words with which the person took back the message before, or an empty string."""
    found = _TAKEN.search(following[:BEGINNING])
    return found.group(1) if found else ""
