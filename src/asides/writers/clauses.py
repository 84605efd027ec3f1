"""Cuts a message into clauses with exact character offsets.

Marking borders is all that happens here: no text is copied or changed, so a span that is built from
clauses is an exact span of the message. Time is linear in the length of the message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Sort(StrEnum):
    """What a stretch of a message is."""

    PROSE = "prose"
    CODE = "code"  # fenced, or lines that read like source
    LOG = "log"  # stack traces, tool output, time-stamped lines
    QUOTE = "quote"  # lines that begin with `>`: somebody else's words


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A stretch of a message, in characters, half open, without blanks at either end."""

    start: int
    end: int
    sort: Sort


FENCE = re.compile(r"[ \t]*(```|~~~)")
QUOTED = re.compile(r"[ \t]*>")
BULLET = re.compile(r"[ \t]*(?:[-*+•–—]|\(?\d{1,3}[.):]|\(?[a-zA-Z][.)])[ \t]+|[ \t]*#{1,6}[ \t]+")
LOG_LINE = re.compile(
    r"""[ \t]*(?:
      Traceback\ \(most\ recent
    | File\ "[^"\n]{1,300}",\ line\ \d+
    | at\ [\w.$<>\[\]/ ]{1,120}\ ?\(
    | at\ (?:file|https?|node|webpack)[:\w]
    | \[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d
    | \[?\d\d:\d\d:\d\d
    | \[?(?:INFO|DEBUG|WARN|WARNING|ERROR|FATAL|TRACE)\]?[: \]]
    | (?:npm|yarn|pnpm)\ (?:ERR!|error|warn|WARN)
    | \w{1,60}(?:Error|Exception|Warning):[ ]
    | (?:\+\+\+|---|@@)\ \S
    | [+-]\s{2,}\S
    | \S{0,80}[$#%❯➜]\ (?:git|npm|npx|cd|ls|cat|python|pip|docker|make|cargo|go|bun|yarn|pnpm|sudo|curl)\b
    | [├└│┌]
    | \|.{0,400}\|[ \t]*$
    | =+\ .{0,120}\ =+\s*$
    | (?:PASS|FAIL|FAILED|PASSED|ok|E|warning|error)(?::|\[|\ {2,}|\ \S{1,120}::)
    | [\w./\\-]{3,200}:\d+(?::\d+)?(?:[:\s]|$)
    )""",
    re.VERBOSE,
)
CODE_LINE = re.compile(
    r"""[ \t]*(?:
      (?:from\ [\w.]+\ )?import\ [\w.{*('"]+[^.!?]{0,200}$
    | (?:def|class|async\ def|fn|func|pub\ fn|public|private|export|const|let|var|interface|struct)
      \ [\w$]+\s*[(:={<].{0,300}$
    | [\w.$\[\]]{1,80}\s*(?:=|:=|\+=|=>)\s*\S.{0,300}[;,{(\[]$
    | .{0,300}[{;]\s*$
    | [\])}]+[;,]?\s*$
    | </?\w[^>\n]{0,300}>.{0,300}$
    | "[\w.-]{1,80}":\s.{0,300}$
    | //|/\*|\#!/
    | (?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER)\ .{1,300}\b(?:FROM|INTO|SET|TABLE|WHERE)\b
    )""",
    re.VERBOSE,
)
# A full stop ends a sentence only before a blank and not after a common abbreviation or a list number.
# Repetitions are bounded, since a paste of nothing but dots would else take time squared.
SENTENCE = re.compile(r"[.!?…]{1,8}[\"')\]*_`]{0,4}(?=\s)|[;](?=\s)|\s[-–—]{1,2}(?=\s)|:(?=\s+[A-Z])")
ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|no|nr|fig|sec|min|max)|\b\d{1,2}|\b[A-Z])\.$", re.I
)
# Borders inside a sentence: a comma before a word that usually opens a new thought.
COMMA = re.compile(
    r",(?=\s+(?:and|but|so|also|because|cause|cuz|since|then|or|otherwise|else|btw|fyi|oh|anyway|never|always|"
    r"don'?t|do not|please|pls|remember|note|from now on|for now|later|we|i|it'?s|it|that|they|you|just|only|"
    r"whenever|if|when|after|before|in future|going forward|make sure|no|not|use)\b)",
    re.I,
)
COMMA_SPLIT = 48  # characters: shorter sentences read better whole
SYMBOLS = re.compile(r"[^\w\s.,'’!?-]")
MINIMUM_WORDS = 2  # a piece between commas with fewer words stays with the one before it
SOFT_WRAP = 60  # characters: a longer line without an end mark goes on in the next one


def _sort_of(line: str) -> Sort:
    """Returns what a line outside fences looks like."""
    if QUOTED.match(line):
        return Sort.QUOTE
    head = line[:600]
    if LOG_LINE.match(head):
        return Sort.LOG
    if CODE_LINE.match(head):
        words = re.findall(r"[^\W\d_]{2,}", head)
        if not (
            len(words) >= 8 and len(SYMBOLS.findall(head)) * 6 < len(head) and not head.rstrip().endswith(";")
        ):
            return Sort.CODE
    if len(head) >= 24 and len(SYMBOLS.findall(head)) * 4 > len(head):
        return Sort.LOG
    return Sort.PROSE


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Yields the start and end of each line, without its line break."""
    start = 0
    while start <= len(text):
        stop = text.find("\n", start)
        if stop < 0:
            stop = len(text)
        yield start, stop
        start = stop + 1


def _blocks(text: str) -> Iterator[tuple[int, int, Sort]]:
    """Yields prose lines one by one (soft-wrapped ones joined) and runs of other lines as one."""
    fenced = False
    open_start, open_end, open_sort = 0, 0, None
    for start, end in _lines(text):
        line = text[start:end]
        if FENCE.match(line):
            sort: Sort | None = Sort.CODE
            # A fence that opens and closes on its own line holds nothing else.
            fenced = fenced if line.count("```") >= 2 else not fenced
        elif fenced:
            sort = Sort.CODE
        elif not line.strip():
            sort = None
        else:
            sort = _sort_of(line)
        if sort is None:
            joins = False
        elif sort is not Sort.PROSE:
            joins = open_sort is sort
        else:
            before = text[open_start:open_end]
            joins = (
                open_sort is Sort.PROSE
                and len(before) - (before.rfind("\n") + 1) > SOFT_WRAP
                and before.rstrip()[-1:] not in ".!?:;"
                and line.lstrip()[:1].islower()
                and not BULLET.match(line)
            )
        if joins:
            open_end = end
            continue
        if open_sort is not None:
            yield open_start, open_end, open_sort
        open_start, open_end, open_sort = start, end, sort
    if open_sort is not None:
        yield open_start, open_end, open_sort


def _cuts(text: str, start: int, end: int) -> Iterator[int]:
    """Yields where a prose block is cut, in order."""
    begin = start
    for found in SENTENCE.finditer(text, start, end):
        stop = found.end()
        if found.group()[-1] == "." and ABBREVIATION.search(text, max(start, stop - 12), stop):
            continue
        yield from _comma_cuts(text, begin, stop)
        yield stop
        begin = stop
    yield from _comma_cuts(text, begin, end)


def _comma_cuts(text: str, start: int, end: int) -> Iterator[int]:
    """Yields cuts at commas inside one sentence that is long enough to be cut."""
    if end - start < COMMA_SPLIT:
        return
    last = start
    for found in COMMA.finditer(text, start, end):
        stop = found.end()
        if len(text[last:stop].split()) > MINIMUM_WORDS and len(text[stop:end].split()) > MINIMUM_WORDS:
            yield stop
            last = stop


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Returns the stretch without blanks at its ends."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def clauses(text: str) -> tuple[Clause, ...]:
    """Returns the clauses of `text` in order; they never overlap, and what lies between them is blank
    or a list mark.
    """
    found: list[Clause] = []
    for start, end, sort in _blocks(text):
        if sort is not Sort.PROSE:
            a, b = _trimmed(text, start, end)
            found.append(Clause(start=a, end=b, sort=sort))
            continue
        mark = BULLET.match(text, start, end)
        begin = mark.end() if mark else start
        for stop in (*_cuts(text, begin, end), end):
            a, b = _trimmed(text, begin, stop)
            if b > a:
                found.append(Clause(start=a, end=b, sort=sort))
            begin = stop
    return tuple(found)
