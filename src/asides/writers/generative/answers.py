"""The lines that a language model answers in, read strictly: what is not exactly the form counts as NONE.

    MEMORY | kind=law | source=human | anchor=general | env vars are read in config/env.js only

Nothing is repaired. A model that leaves the form has not understood the question, and what it then says is
not evidence; how often that happens is counted by who asks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from asides.model.anchor import Anchor, General, label, parse
from asides.model.entry import Kind, Source

NOTHING = "NONE"
OPENING = "MEMORY"
LINES_AT_MOST = 6  # entries of one answer; the most that labellers found in any of 4,087 turns


class Fault(StrEnum):
    """Why an answer, or a line of it, counts as NONE."""

    FORM = "form"  # the answer is not in the form
    CUT = "cut"  # it ran into the limit on its length or time
    TOO_LONG = "too_long"  # the model has no room for even the least part of the message
    NOT_VERBATIM = "not_verbatim"  # the words of a line are not in the message
    REPEATED = "repeated"  # a line says what another line of the answer holds already
    SOURCE = "source"  # a line gives the agent's words, which were not asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One entry of an answer. `body` is one line of text, without blanks at either end."""

    kind: Kind
    body: str
    source: Source = Source.HUMAN
    anchor: Anchor = field(default_factory=General)


@dataclass(frozen=True, slots=True, kw_only=True)
class Same:
    """The numbered entry says the same."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaces:
    """The numbered entry no longer holds."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlike:
    """None of the numbered entries is touched."""


Relation = Same | Replaces | Unlike

_LINE = re.compile(
    rf"{OPENING} \| kind=({'|'.join(Kind)}) \| source=({'|'.join(Source)}) \| anchor=([^|\n]+) \| ([^\n]+)"
)
_RELATION = re.compile(r"NEW|(SAME|REPLACES) ([1-9][0-9]{0,2})")


def render(lines: Sequence[Line]) -> str:
    """Returns the answer that says these lines; the inverse of `read`."""
    return "\n".join(_rendered(line) for line in lines) if lines else NOTHING


def expressible(body: str) -> bool:
    """Returns whether a body can be said in one line, as it stands."""
    return bool(body) and "\n" not in body and body == body.strip()


def read(text: str) -> tuple[Line, ...] | Fault:
    """Returns the lines of an answer, none for NONE, or FORM where it is anything else."""
    answer = text.strip()
    if answer == NOTHING:
        return ()
    found = [_LINE.fullmatch(line) for line in answer.split("\n")]
    if len(found) > LINES_AT_MOST:
        return Fault.FORM
    lines: list[Line] = []
    for match in found:
        if match is None or not expressible(body := match[4].strip()) or not _plain(match[3]):
            return Fault.FORM
        lines.append(Line(kind=Kind(match[1]), source=Source(match[2]), anchor=parse(match[3]), body=body))
    return tuple(lines)


def read_anchored(text: str, lines: Sequence[Line], places: Sequence[str]) -> tuple[Line, ...] | Fault:
    """Returns the lines with the anchors of an answer, or FORM where it changes anything else of them.

    `places`: the labels that were offered; any other anchor is out of form.
    """
    answered = read(text)
    if isinstance(answered, Fault) or len(answered) != len(lines):
        return Fault.FORM
    for old, new in zip(lines, answered, strict=True):
        if (old.kind, old.source, old.body) != (new.kind, new.source, new.body):
            return Fault.FORM
        if new.anchor != General() and label(new.anchor) not in places:
            return Fault.FORM
    return answered


def read_relation(text: str, count: int) -> Relation | Fault:
    """Returns what an answer says of `count` numbered entries, or FORM."""
    match = _RELATION.fullmatch(text.strip())
    if match is None:
        return Fault.FORM
    if match[1] is None:
        return Unlike()
    number = int(match[2])
    if number > count:
        return Fault.FORM
    return Same(number=number) if match[1] == "SAME" else Replaces(number=number)


def _rendered(line: Line) -> str:
    return f"{OPENING} | kind={line.kind} | source={line.source} | anchor={label(line.anchor)} | {line.body}"


def _plain(anchor: str) -> bool:
    """Returns whether an anchor comes back from its own label as it was."""
    return anchor == anchor.strip() and label(parse(anchor)) == anchor
