"""Whether words take back what was said before them, and what of what stands."""

from __future__ import annotations

import re

from asides.judge.choices import choices
from asides.judge.kinship import Closeness
from asides.judge.likeness import read
from asides.judge.withdrawal import meant, withdrawals
from asides.model.judgment import Packet, Withdrawn
from asides.model.turn import Via

BEGINNING = 160  # characters; a take-back opens a message

_TAKEN = re.compile(
    r"(?:^|[.!?\n]\s*)(?:(?:oh|ah|um|uh|no|nah|wait|sorry|ok|okay|actually|hmm+|oops|hm)[\s,.!-]{1,4}){0,4}"
    r"(never ?mind\b(?! the\b| about\b)|nvm\b(?! (?:use|install|ls|is|isn't|picks|handles|and|for|to|in)\b)"
    r"|scratch that\b|strike that\b|i take (?:that|it) back"
    r"|(?:forget|disregard|ignore) (?:(?:it|that)\b(?! \w)|(?:what )?i (?:just )?(?:said|told you|wrote)"
    r"|my (?:last|previous) (?:message|comment|remark|note))"
    r"|i was wrong about (?:that|this|it)\b)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,.;:!\n–—]|\s-\s")
STATED = 3  # content words after a take-back from which something else is stated


def taken_back(following: str) -> str:
    """Returns the words with which the person took back the message before, or an empty string."""
    found = _TAKEN.search(following[:BEGINNING])
    return found.group(1) if found else ""


def takes_back(body: str) -> str:
    """Returns the words with which a body takes something back and says no more; else an empty string.

    "scratch that, use vitest from now on" says more. What comes before a take-back is itself taken back.
    """
    found = _TAKEN.search(body)
    if found is None:
        return _withdraws(body)
    rest = _CLAUSE.split(body[found.end() :], maxsplit=1)
    stated = rest[1] if len(rest) > 1 else ""
    says = len(read(stated).words) >= STATED or any(one.chosen or one.rejected for one in choices(stated))
    opens = not body[: found.start()].strip()
    return "" if opens and stated and says else found.group(1)


def taken_out(
    own: str, packet: Packet, *, said_at: str, closeness: Closeness | None
) -> tuple[Withdrawn, ...]:
    """Returns the entries that the person's own words take back, each once.

    Only a person takes back, and only what stood before; what the next message takes back in turn is none.
    """
    turn = packet.turn
    if turn.via is Via.UNPROVEN or taken_back(turn.following):
        return ()
    there = [one for one in packet.standing if (one.last_seen_at or one.said_at) <= said_at]
    if not there:
        return ()
    found: dict[str, Withdrawn] = {}
    for one in withdrawals(own):
        about = meant(one.subject, there, closeness)
        if about is not None:
            entry, likeness = about
            words = own[one.start : one.end].strip()
            found.setdefault(entry.id, Withdrawn(entry=entry.id, words=words, likeness=likeness))
    return tuple(found.values())


def _withdraws(body: str) -> str:
    """Returns the words with which a body takes back a rule and says no more; else an empty string."""
    bare = [one for one in withdrawals(body) if one.bare]
    if not bare:
        return ""
    rest = " ".join((body[: bare[0].start], body[bare[-1].end :]))
    says = len(read(rest).words) >= STATED and any(one.chosen for one in choices(rest))
    return "" if says else body[bare[0].start : bare[-1].end]
