"""Checks without a model: each looks at one thing, and says what it measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from asides.judge.mask import blanked, overlap
from asides.judge.question import is_question
from asides.judge.redact import MARKER
from asides.judge.takeback import takes_back
from asides.judge.words import breadth, content_words, words
from asides.model.delivery import BODY_LIMIT
from asides.model.entry import Kind, Source
from asides.model.judgment import Draft, Packet, Reason, Verdict

Check = Callable[[Draft, Packet], Verdict]

GROUNDING_FLOOR = 0.30  # share of content words heard in the session (design, section 4)
MASKED_CEILING = 0.50  # a draft that lies mostly in pasted or quoted text is not the person's

# 376 labelled spans of 77 projects: 18 characters at least, 33 at the 5th percentile, 80 at the median, 200
# at the 95th, 359 at most. Shorter ones ("Yarn.") need the question before them to be understood. Longer than
# what is delivered of one entry would be stored and never delivered whole.
LEAST_BREADTH = 8
MOST_CHARACTERS = BODY_LIMIT
LEAST_WORDS = 2  # content words; the shortest labelled spans have 3 to 4 words


def validate(draft: Draft, packet: Packet, *, floor: float) -> tuple[Verdict, ...]:
    """Returns the verdict of every check, also after the first refusal, so that all can be shown.

    `packet.turn.masked` has to hold all spans that are not the person's own words; `floor` is the writer's.
    """
    return (*(check(draft, packet) for check in CHECKS), above_floor(draft, floor))


def verbatim(draft: Draft, packet: Packet) -> Verdict:
    """Refuses a body that is not an exact copy of its span of the message, or an agent's of its reply."""
    match draft.source:
        case Source.HUMAN:
            inside = 0 <= draft.start < draft.end <= len(packet.turn.message)
            exact = inside and packet.turn.message[draft.start : draft.end] == draft.body
        case Source.AGENT:
            exact = bool(draft.body) and draft.body in packet.turn.reply
    return _verdict("verbatim", exact, Reason.NOT_VERBATIM)


def grounding(draft: Draft, packet: Packet) -> Verdict:
    """Refuses a body of which too few content words were heard in the session."""
    turn = packet.turn
    share = grounded(draft.body, (turn.message, turn.previous, turn.reply))
    return _verdict("grounding", share >= GROUNDING_FLOOR, Reason.NOT_GROUNDED, share)


def our_own_words(draft: Draft, packet: Packet) -> Verdict:
    """Refuses a body that is grounded only in what asides itself put before the agent."""
    turn = packet.turn
    own = turn.reply if draft.source is Source.AGENT else blanked(turn.message, turn.masked)
    heard = grounded(draft.body, (own,))
    ours = grounded(draft.body, packet.delivered)
    only_ours = ours >= GROUNDING_FLOOR and (heard < GROUNDING_FLOOR or draft.source is Source.AGENT)
    return _verdict("our_own_words", not only_ours, Reason.OUR_OWN_WORDS, ours)


def attribution(draft: Draft, packet: Packet) -> Verdict:
    """Refuses a human entry that lies mostly in pasted, quoted, injected or relayed text."""
    if draft.source is Source.AGENT:
        return _verdict("attribution", True, Reason.NOT_OWN_WORDS)
    share = overlap(draft.start, draft.end, packet.turn.masked)
    return _verdict("attribution", share < MASKED_CEILING, Reason.NOT_OWN_WORDS, share)


def kind_known(draft: Draft, packet: Packet) -> Verdict:  # noqa: ARG001
    """Refuses a kind that asides does not know."""
    return _verdict("kind", draft.kind in KINDS, Reason.UNKNOWN_KIND, detail=draft.kind[:40])


def long_enough(draft: Draft, packet: Packet) -> Verdict:  # noqa: ARG001
    """Refuses what cannot be understood alone; the measure counts characters of unspaced scripts twice."""
    size = breadth(draft.body)
    enough = size >= LEAST_BREADTH and len(content_words(draft.body)) >= LEAST_WORDS
    return _verdict("long_enough", enough, Reason.TOO_SHORT, float(size))


def short_enough(draft: Draft, packet: Packet) -> Verdict:  # noqa: ARG001
    """Refuses what could not be delivered whole; the measure is in characters."""
    size = len(draft.body)
    return _verdict("short_enough", size <= MOST_CHARACTERS, Reason.TOO_LONG, float(size))


def not_a_question(draft: Draft, packet: Packet) -> Verdict:  # noqa: ARG001
    """Refuses a question; a reproach or a standing request in the form of one passes."""
    return _verdict("question", not is_question(draft.body), Reason.QUESTION)


def more_than_secrets(draft: Draft, packet: Packet) -> Verdict:  # noqa: ARG001
    """Refuses what says nothing once its secrets were taken out; the measure is the words left."""
    left = words(MARKER.sub(" ", draft.body))
    only = len(left) < LEAST_WORDS and MARKER.search(draft.body) is not None
    return _verdict("secrets", not only, Reason.ONLY_SECRETS, float(len(left)))


def not_a_take_back(draft: Draft, packet: Packet) -> Verdict:  # noqa: ARG001
    """Refuses what only takes back something said before."""
    words_of_it = takes_back(draft.body)
    return _verdict("take_back", not words_of_it, Reason.TAKEN_BACK, detail=words_of_it)


def above_floor(draft: Draft, floor: float) -> Verdict:
    """Refuses what the writer itself holds for unlikely; the measure is its score."""
    return _verdict("floor", draft.score >= floor, Reason.BELOW_FLOOR, draft.score, f"floor {floor:.2f}")


def grounded(body: str, heard: Iterable[str]) -> float:
    """Returns the share of content words of `body` that occur in the texts, 0 to 1; 0 for no words."""
    texts = tuple(heard)
    wanted = content_words(MARKER.sub(" ", body))
    if wanted and any(body in text for text in texts):
        return 1.0
    known = {word for text in texts for word in words(text)}
    return sum(word in known for word in wanted) / len(wanted) if wanted else 0.0


KINDS = frozenset(kind.value for kind in Kind)

CHECKS: tuple[Check, ...] = (
    verbatim,
    attribution,
    grounding,
    our_own_words,
    kind_known,
    more_than_secrets,
    long_enough,
    short_enough,
    not_a_question,
    not_a_take_back,
)


def _verdict(
    check: str, passed: bool, refusal: Reason, measure: float | None = None, detail: str = ""
) -> Verdict:
    reason = Reason.OK if passed else refusal
    return Verdict(check=check, passed=passed, reason=reason, measure=measure, detail=detail)
