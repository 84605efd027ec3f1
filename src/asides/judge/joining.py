"""Sentences that lean on the one before them: "we are moving off requests. Don't use it in anything new."

Kept apart, the second would stand in a list without what `it` means. So neighbours become one span.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from asides.model.delivery import BODY_LIMIT
from asides.model.judgment import Proposal

# Only words that always point back; `that` and `this` mostly do not.
_LEANS = re.compile(r"(?:\W*\w+(?:['’]\w+)?){0,3}?\W*\b(?:it|them|they|those|these)\b", re.IGNORECASE)
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


def _leans(before: Proposal, proposal: Proposal, message: str) -> bool:
    return (
        proposal.end - before.start <= BODY_LIMIT
        and _BETWEEN.fullmatch(message, before.end, proposal.start) is not None
        and _LEANS.match(message, proposal.start, proposal.end) is not None
    )
