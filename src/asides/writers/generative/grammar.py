"""Grammars (GBNF) under which a model can answer only what `answers` reads, and copy only what was said.

The body of a line is a run of words and marks of one line of the message: a rule for each, which the next one
may follow. So a constrained answer is verbatim by construction. Measured with 49,152 tokens and one thread,
such a grammar over 320 words costs as much for a token as none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from asides.model.entry import Kind
from asides.writers.generative.answers import LINES_AT_MOST, NOTHING, OPENING, Line

# A word from its first letter to its last, or one mark beside it, so that a body may end before a full stop
# and begin behind a bracket. Scripts without blanks are cut at their punctuation.
_PIECE = re.compile(r"\w(?:[^\s，。；：！？、]*\w)?|[^\w\s]")
_LETTER = re.compile(r"\w")
LEAST_WORDS = 3  # of a body; the shortest labelled spans of real turns have three
LEAST_LENGTH = 8  # characters that make a body of fewer words


def salience(view: str) -> str | None:
    """Returns the grammar of the answers to `prompts.salience`; None where no words make up a body."""
    starts, rules = _copying(view)
    if not starts:
        return None
    kinds = " | ".join(_quoted(kind) for kind in Kind)
    more = LINES_AT_MOST - 1
    return "\n".join(
        [
            f'root ::= {_quoted(NOTHING)} | line ("\\n" line){{0,{more}}}',
            f'line ::= "{OPENING} | kind=" kind " | source=human | anchor=general | " body',
            f"kind ::= {kinds}",
            f"body ::= {' | '.join(starts)}",
            *rules,
        ]
    )


def anchoring(lines: Sequence[Line], places: Sequence[str]) -> str:
    """Returns the grammar of the answers to `prompts.anchoring`: each line again, its anchor free."""
    rows = [
        _quoted(f"{OPENING} | kind={line.kind} | source={line.source} | anchor=")
        + " anchor "
        + _quoted(f" | {line.body}")
        for line in lines
    ]
    offered = " | ".join(_quoted(place) for place in ("general", *places))
    root = ' "\\n" '.join(rows)
    return f"root ::= {root}\nanchor ::= {offered}"


def consolidation(count: int) -> str:
    """Returns the grammar of the answers to `prompts.consolidation` with `count` numbered entries."""
    numbers = " | ".join(_quoted(str(number)) for number in range(1, count + 1))
    return f'root ::= "NEW" | ("SAME " | "REPLACES ") number\nnumber ::= {numbers}'


def copies(view: str, body: str) -> bool:
    """Returns whether the grammar of `salience` allows this body."""
    for line in view.split("\n"):
        pieces = list(_PIECE.finditer(line))
        least = {
            piece.start(): pieces[last].end()
            for place, piece in enumerate(pieces)
            if (last := _shortest(pieces, place)) is not None
        }
        ends = {piece.end() for piece in pieces}
        at = line.find(body)
        while body and at >= 0:
            if at in least and least[at] <= at + len(body) in ends:
                return True
            at = line.find(body, at + 1)
    return False


def _copying(view: str) -> tuple[list[str], list[str]]:
    """Returns the names of the rules that begin a body, and the rules that copy a run of pieces."""
    starts: list[str] = []
    rules: list[str] = []
    number = 0
    for line in view.split("\n"):
        pieces = list(_PIECE.finditer(line))
        for place, piece in enumerate(pieces):
            following = ""
            if place + 1 < len(pieces):
                gap = line[piece.end() : pieces[place + 1].start()]
                following = f" ({_quoted(gap) + ' ' if gap else ''}w{number + 1})?"
            rules.append(f"w{number} ::= {_quoted(piece.group())}{following}")
            last = _shortest(pieces, place)
            if last is not None:
                fixed = line[piece.start() : pieces[last].start()]
                starts.append(f"s{number}")
                rules.append(f"s{number} ::= {_quoted(fixed) + ' ' if fixed else ''}w{number + last - place}")
            number += 1
    return starts, rules


def _shortest(pieces: Sequence[re.Match[str]], place: int) -> int | None:
    """Returns the piece with which a body that begins here may end at the earliest; None where nowhere."""
    words = 0
    for last in range(place, len(pieces)):
        words += _LETTER.search(pieces[last].group()) is not None
        length = pieces[last].end() - pieces[place].start()
        # A long word of a script without blanks may hold as much as three others.
        if words >= LEAST_WORDS or (length >= LEAST_LENGTH and words and not pieces[last].group().isascii()):
            return last
    return None


def _quoted(text: str) -> str:
    """Returns a text as a literal of GBNF."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
