"""Whether the next message takes back what was said."""

from __future__ import annotations

import re

BEGINNING = 160  # characters; a take-back opens a message

_TAKEN = re.compile(
    r"(?:^|[.!?\n]\s*)(?:(?:oh|ah|um|uh|no|nah|wait|sorry|ok|okay|actually|hmm+|oops|hm)[\s,.!-]{1,4}){0,4}"
    r"(never ?mind(?! the| about the build)|nvm\b|scratch that|forget (?:it|that|what i (?:just )?said|i said (?:that|anything))"
    r"|disregard (?:that|this|my (?:last|previous)|what i)|ignore (?:that|what i (?:just )?said|my (?:last|previous) (?:message|comment|remark|note))"
    r"|i take (?:that|it) back|strike that|i was wrong about (?:that|this|it))",
    re.IGNORECASE,
)


def taken_back(following: str) -> str:
    """Returns the words with which the person took back the message before, or an empty string."""
    found = _TAKEN.search(following[:BEGINNING])
    return found.group(1) if found else ""
