"""Grammars (GBNF) under which a model can answer only what `answers` reads, and copy only what was said.

The body of a line is a run of words of one line of the message: a rule for each word, which the next word
may follow. So a constrained answer is verbatim by construction. Measured with 49,152 tokens and one thread,
such a grammar over 320 words costs as much for a token as none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from asides.model.entry import Kind
from asides.writers.generative.answers import LINES_AT_MOST, NOTHING, OPENING, Line

# Scripts without blanks are cut behind their punctuation.
_WORD = re.compile(r"[^\s，。；：！？、]*[，。；：！？、]+|[^\s，。；：！？、]+")
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


def _copying(view: str) -> tuple[list[str], list[str]]:
    """Returns the rules that copy a run of words, and the names of those that may begin one."""
    starts: list[str] = []
    rules: list[str] = []
    number = 0
    for line in view.split("\n"):
        words = list(_WORD.finditer(line))
        for place, word in enumerate(words):
            name, following = f"w{number}", ""
            if place + 1 < len(words):
                gap = line[word.end() : words[place + 1].start()]
                following = f"{_quoted(gap) + ' ' if gap else ''}w{number + 1}"
            rules.append(f"{name} ::= {_quoted(word.group())}" + (f" ({following})?" if following else ""))
            opening = _opening(line, words, place, number)
            if opening:
                starts.append(f"s{number}")
                rules.append(f"s{number} ::= {opening}")
            number += 1
    return starts, rules


def _opening(line: str, words: Sequence[re.Match[str]], place: int, number: int) -> str:
    """Returns the rule of a body that begins at a word; empty where too little of the line is left."""
    last = place
    while last < len(words):
        length = words[last].end() - words[place].start()
        count = last - place + 1
        if count >= LEAST_WORDS or (length >= LEAST_LENGTH and not line[words[place].start()].isascii()):
            fixed = line[words[place].start() : words[last].start()]
            return f"{_quoted(fixed) + ' ' if fixed else ''}w{number + count - 1}"
        last += 1
    return ""


def _quoted(text: str) -> str:
    """Returns a text as a literal of GBNF."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'
