"""What asks, and what only looks like asking."""

from __future__ import annotations

import re

_ENDS = re.compile(r"[?？؟][\s?!.)\"'*_`:]*\Z")
# A statement with a request for agreement behind it.
_TAG = re.compile(
    r"(?:[,.;]|\b)\s{0,4}(?:ok|okay|k|right|please|pls|yes|yeah|alright|all right|deal|got it|get it"
    r"|understood|clear|no|huh|agreed|fair)\s{0,4}[?？]",
    re.IGNORECASE,
)
# A reproach asks for no answer; it says what should not happen again.
_REPROACH = re.compile(
    r"\bwhy\s+(?:do|did|are|were|would|have|is|was|so|not|on earth|the)(?:n'?t)?\b"
    r"|\b(?:do|did|have)n'?t (?:you|i)\b|\bdid you\b.{0,200}\bagain\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\bhow (?:many times|often)\b|\bnot the first time\b", re.IGNORECASE)
_YOU = re.compile(r"\byou|\bso many\b|\bagain\b|\bwe\b", re.IGNORECASE)
# A request that holds beyond this task.
_STANDING = re.compile(
    r"\b(?:always|never|every\s?time|each time|whenever|from now on|going forward|in (?:the )?future"
    r"|next time|by default|for all|for every|until|for now|later|tomorrow|stop\s+\w{1,40}ing|remember to"
    r"|keep to|stick (?:to|with)|any ?more|no longer)\b",
    re.IGNORECASE,
)
_UNMARKED = re.compile(
    r"\s*(?:why (?:does|is|do|did|are|was)|how (?:do|does|can|could|would|should|is|are|did)"
    r"|what (?:is|are|does|do|did|was|about|if)|where (?:is|are|do|does)|who (?:is|are)|is there|are there"
    r"|does (?:it|this|that)|do we|can i|should (?:i|we))\b",
    re.IGNORECASE,
)
_STATEMENT = re.compile(r"[.;!]\s")
_SEVERAL = re.compile(r"[.;!?]\s")
_STATED_WORDS = 4  # a statement of at least so many words before the question counts


def is_question(body: str) -> bool:
    """Tells whether a body only asks something.

    Of 376 labelled spans 16 end with a question mark, as reproaches, standing requests and statements with a
    question behind them; those are not questions here.
    """
    if not _ENDS.search(body[-40:]):
        return _UNMARKED.match(body) is not None and not _SEVERAL.search(body) and not _stands(body)
    stated = list(_STATEMENT.finditer(body.rstrip()))
    if stated and len(body[: stated[-1].start()].split()) >= _STATED_WORDS:
        return False
    return not (_TAG.search(body[-24:]) or _stands(body))


def _stands(body: str) -> bool:
    reproach = _REPROACH.search(body) is not None and _YOU.search(body) is not None
    return reproach or _COUNTED.search(body) is not None or _STANDING.search(body) is not None
