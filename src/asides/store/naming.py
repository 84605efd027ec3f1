"""Names and keys that follow from content, so that the same words always get the same one."""

from __future__ import annotations

import base64
import hashlib
import unicodedata

from asides.model.entry import EntryId
from asides.model.turn import ProjectId

ID_LENGTH = 9  # 45 bits: one clash in 10,000 entries has odds of about 1 in 700,000
EXCERPT_LIMIT = 400  # characters of the message around a span that `why` shows


def entry_id(project: ProjectId, origin: str, start: int, end: int, body: str) -> EntryId:
    """Returns the id of a span of a turn: the same turn judged again gives the same id (hazard B-171).

    `origin` is the turn's id, or a random word for what a person added by hand.
    """
    told = "\x1f".join((project, origin, str(start), str(end), body))
    digest = hashlib.sha256(told.encode("utf-8", "surrogatepass")).digest()
    return EntryId(base64.b32encode(digest).decode("ascii").lower()[:ID_LENGTH])


def value_key(body: str) -> str:
    """Returns what stays of a wording without case, spacing and the punctuation around words.

    Signs inside a word stay, so `C++` and `C`, or `a.b` and `ab`, are different values.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", body).casefold())
    words = (_bare(word) for word in folded.split())
    return " ".join(word for word in words if word) or " ".join(folded.split())


def excerpt(message: str, start: int, end: int, *, limit: int = EXCERPT_LIMIT) -> str:
    """Returns at most `limit` characters of a message around a span, with … where it was cut."""
    if len(message) <= limit:
        return message
    room = max(0, limit - 2 - (end - start))
    first = max(0, min(start - room // 2, len(message) - (limit - 2)))
    last = min(len(message), first + limit - 2)
    return ("…" if first else "") + message[first:last] + ("…" if last < len(message) else "")


def _bare(word: str) -> str:
    first, last = 0, len(word)
    while first < last and _is_punctuation(word[first]):
        first += 1
    while last > first and _is_punctuation(word[last - 1]):
        last -= 1
    return word[first:last]


def _is_punctuation(character: str) -> bool:
    # A backquote counts as a symbol in Unicode, but people quote code with it.
    # A trailing # is part of a name (C#, F#).
    return character == "`" or (unicodedata.category(character).startswith("P") and character != "#")
