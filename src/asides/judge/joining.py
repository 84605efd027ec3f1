"""Sentences that lean on the one before them: "we are moving off requests. Don't use it in anything new."

Kept apart, the second would stand in a list without what `it` means. So neighbours become one span.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from asides.judge.naming import naming
from asides.model.delivery import BODY_LIMIT
from asides.model.judgment import Proposal

# Only words that always point back; `that` and `this` mostly do not.
_LEANS = re.compile(r"(?:\W*\w+(?:['’]\w+)?){0,3}?\W*\b(?:it|them|they|those|these)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?][\"')\]]{0,2}\s+|\n\s*")
_BETWEEN = re.compile(r"[\s.,;:!?()–—-]{0,4}")


def joined(proposals: Iterable[Proposal], message: str) -> tuple[Proposal, ...]:
    """Returns the proposals with each one that leans on its direct neighbour made one with it.

    A pair that would be longer than what can be delivered whole stays apart. The surer of both gives
    kind, framing and score.
    """
    result: list[Proposal] = []
    for proposal in proposals:
        before = result[-1] if result else None
        if before is not None and _leans(before, proposal, message):
            surer = max(before, proposal, key=lambda one: one.score)
            result[-1] = replace(surer, start=before.start, end=proposal.end)
        else:
            result.append(proposal)
    return tuple(result)


def grounded(proposals: Iterable[Proposal], message: str) -> tuple[Proposal, ...]:
    """Returns the proposals, each naming rule that does not say of what with the sentence before it.

    "Now our queue names. They all start with `q_` from now on." is understood only as a whole.
    """
    result: list[Proposal] = []
    for proposal in proposals:
        start = _sentence_before(message, proposal.start)
        free = not result or result[-1].end <= start
        if free and proposal.end - start <= BODY_LIMIT and _says_of_what(message, start, proposal):
            proposal = replace(proposal, start=start)
        result.append(proposal)
    return tuple(result)


def _says_of_what(message: str, start: int, proposal: Proposal) -> bool:
    """Tells whether a proposal is a naming rule only together with the words from `start` on."""
    alone = naming(message[proposal.start : proposal.end])
    if alone.filled or not alone.loose or start == proposal.start:
        return False
    whole = naming(message[start : proposal.end])
    return bool(whole.filled) and whole.loose < alone.loose


def _sentence_before(message: str, at: int) -> int:
    """Returns where the sentence before a place begins, or the place where its paragraph has none."""
    before = message[max(0, at - BODY_LIMIT) : at].rstrip()
    if "\n" in message[max(0, at - BODY_LIMIT) + len(before) : at] or not before:
        return at
    ends = [found.end() for found in _SENTENCE_END.finditer(before) if found.end() < len(before)]
    start = max(0, at - BODY_LIMIT) + (ends[-1] if ends else 0)
    return start if ends or at <= BODY_LIMIT else at


def _leans(before: Proposal, proposal: Proposal, message: str) -> bool:
    return (
        proposal.end - before.start <= BODY_LIMIT
        and _BETWEEN.fullmatch(message, before.end, proposal.start) is not None
        and _LEANS.match(message, proposal.start, proposal.end) is not None
    )
