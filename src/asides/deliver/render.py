"""Puts chosen entries into words: our frame, the developer's own sentences inside it.

Each entry is one line with an imperative of ours in front of the verbatim quotation: a
bare description is taken for background and not obeyed (hazard B-193), and text that does
not say whose rules these are loses against the agent's own summary (hazard B-145).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import assert_never

from asides.deliver.plain import one_line, shortened, shortened_front
from asides.model.anchor import General, label
from asides.model.delivery import BODY_LIMIT, FENCE_CLOSE, FENCE_OPEN, Choice, Occasion
from asides.model.entry import Entry, Kind, Source, Standing

VERIFY_LIMIT = 160  # characters of what changed about an entry's subject
ANCHOR_LIMIT = 80  # characters of a path or name; its end tells most
VERSION_LENGTH = 12  # hexadecimal digits
NOTHING_LIVE = "none"  # the version when entries were given once and none stands now

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def header(occasion: Occasion, *, empty: bool = False, complete: bool = True) -> str:
    """Returns the words above the list, or instead of it when nothing stands any more (`empty`).

    `complete`: every entry that stands is listed, so that one which is missing was withdrawn.
    """
    match occasion:
        case Occasion.START:
            return (
                "Standing instructions from the developer of this project, quoted word for word from "
                "earlier sessions. They hold for all work here: follow each one without being told again. "
                "What the developer says in this session comes first."
            )
        case Occasion.COMPACT:
            return (
                "Continue the current task where it stands. The developer's standing instructions for "
                "this project, quoted word for word, still hold; keep following them:"
            )
        case Occasion.REPLACE if empty:
            return (
                "The developer of this project has withdrawn the standing instructions that were listed "
                "earlier in this conversation. Do not follow them any longer; nothing takes their place."
            )
        case Occasion.REPLACE:
            changed = (
                "The standing instructions from the developer of this project have changed. This list "
                "replaces any earlier one in this conversation: follow each line."
            )
            return changed + (
                " What was listed earlier and is missing here no longer holds." if complete else ""
            )
        case Occasion.SUBAGENT:
            return (
                "Standing instructions from the developer of this project, quoted word for word. "
                "They hold for your task too:"
            )
        case _:
            assert_never(occasion)


def lead(kind: Kind) -> str:
    """Returns the imperative that an entry of this kind is read under."""
    match kind:
        case Kind.LAW:
            return "Rule, always follow it"
        case Kind.HAZARD:
            return "Hazard, do not let it happen again"
        case Kind.RITUAL:
            return "Routine, do it every time it applies"
        case Kind.CORRECTION:
            return "Correction, work this way from now on"
        case Kind.LOOP:
            return "Deferred on purpose, do not start it unasked"
        case _:
            assert_never(kind)


def body_of(entry: Entry, *, limit: int = BODY_LIMIT) -> str:
    """Returns the quoted words as delivered: one line, at most `limit` characters."""
    return shortened(one_line(entry.body), limit)


def line(entry: Entry, *, limit: int = BODY_LIMIT) -> str:
    """Returns the line of one entry."""
    facts = []
    if found := _DATE.match(entry.said_at):
        facts.append(f"said {found[0]}")
    if entry.source is Source.AGENT:
        facts.append("the agent's words, confirmed by the developer")
    if place := _place(entry):
        facts.append(f"about {place}")
    if entry.verify:
        facts.append(f"verify first: {shortened(one_line(entry.verify), VERIFY_LIMIT)}")
    told = f" ({', '.join(facts)})" if facts else ""
    return f'- {lead(entry.kind)}: "{body_of(entry, limit=limit)}"{told}'


def frame_length(occasion: Occasion) -> int:
    """Returns the most characters that a text takes beside its entries."""
    return len(_framed(header(occasion), []))


def render(choice: Choice, *, limit: int = BODY_LIMIT) -> str:
    """Returns the text for one occasion; empty where there is nothing to say."""
    if not choice.chosen:
        return (
            _framed(header(Occasion.REPLACE, empty=True), []) if choice.occasion is Occasion.REPLACE else ""
        )
    complete = not any(entry.standing is Standing.LIVE for entry, _ in choice.left)
    lines = [line(entry, limit=limit) for entry in choice.chosen]
    return _framed(header(choice.occasion, complete=complete), lines)


def version(choices: Iterable[Choice], *, limit: int = BODY_LIMIT) -> str:
    """Returns a short digest of what is delivered; empty when that is nothing.

    It covers kind, words and place of each entry and whether it is to be verified, and neither their order
    nor our own phrasing: a session is given a new list only when the developer's rules changed.
    """
    told = {
        "\x1f".join((choice.occasion, entry.kind, body_of(entry, limit=limit), _place(entry), *_doubt(entry)))
        for choice in choices
        for entry in choice.chosen
    }
    if not told:
        return ""
    return hashlib.sha256("\x1e".join(sorted(told)).encode()).hexdigest()[:VERSION_LENGTH]


def _place(entry: Entry) -> str:
    match entry.anchor:
        case General():
            return ""
        case anchor:
            return shortened_front(one_line(label(anchor)), ANCHOR_LIMIT)


def _doubt(entry: Entry) -> tuple[str, ...]:
    return ("verify",) if entry.verify else ()


def _framed(head: str, lines: list[str]) -> str:
    return "\n".join([FENCE_OPEN, head, *lines, FENCE_CLOSE])
