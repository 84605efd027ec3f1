"""The second and third question, each asked only where there is something to ask about.

Anchoring may tie entries to files, and can neither add, drop nor reword one. Consolidation says how an entry
relates to those that stand. An answer out of form changes nothing: entries stay general, the entry is
new.
"""

from __future__ import annotations

from collections.abc import Sequence

from asides.writers.generative import grammar, prompts
from asides.writers.generative.answers import (
    Fault,
    Line,
    Relation,
    Unlike,
    read_anchored,
    read_relation,
)
from asides.writers.generative.completion import Completes, TooLong
from asides.writers.generative.view import harmless

PLACES_AT_MOST = 40  # files and declarations that one question offers
STANDING_AT_MOST = 20  # entries that one question compares with


def anchored(
    lines: Sequence[Line], places: Sequence[str], completes: Completes
) -> tuple[tuple[Line, ...], Fault | None]:
    """Returns the lines with their anchors, and what was wrong with the answer, if anything.

    `places`: labels of what the turn touched, as `model.anchor.label` writes them; without any, nothing is
    asked.
    """
    offered = [place for place in map(harmless, places) if _sayable(place)][:PLACES_AT_MOST]
    if not lines or not offered:
        return tuple(lines), None
    try:
        done = completes.complete(
            prompts.anchoring(lines, offered), grammar=grammar.anchoring(lines, offered)
        )
    except TooLong:
        return tuple(lines), Fault.TOO_LONG
    answer = read_anchored(done.text, lines, offered) if done.whole else Fault.CUT
    return (tuple(lines), answer) if isinstance(answer, Fault) else (answer, None)


def related(body: str, standing: Sequence[str], completes: Completes) -> tuple[Relation, Fault | None]:
    """Returns how a body relates to those that stand, numbered from 1, and what was wrong, if anything.

    Only the first `STANDING_AT_MOST` are compared: hand in the likeliest first.
    """
    compared = [harmless(text) for text in standing[:STANDING_AT_MOST]]
    if not compared:
        return Unlike(), None
    question = prompts.consolidation(harmless(body), compared)
    try:
        done = completes.complete(question, grammar=grammar.consolidation(len(compared)))
    except TooLong:
        return Unlike(), Fault.TOO_LONG
    answer = read_relation(done.text, len(compared)) if done.whole else Fault.CUT
    return (Unlike(), answer) if isinstance(answer, Fault) else (answer, None)


def _sayable(place: str) -> bool:
    """Returns whether a place can stand in an answer line."""
    return bool(place.strip()) and place == place.strip() and "|" not in place and "\n" not in place
