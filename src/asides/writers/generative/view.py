"""What a language model is shown of a message: prose, bounded, every character in its own place or left out.

Code, logs and quoted lines are left out, as for the encoder, and each such block is marked by a line `[…]`.
Of what is left, at most `HEAD_BYTES` from the start and `TAIL_BYTES` from the end are shown, cut at lines.
Both ends are read because asides often come after what was pasted. Characters that would be read as a
model's control tokens are replaced one for one, so that positions stay true.
"""

from __future__ import annotations

import re

from asides.writers.clauses import Sort, clauses

# Together they show 99 real turns of 100 whole (half have fewer than 120 characters, 90 fewer than 700), and
# cost a model of 1.7B no more than a minute on four threads.
HEAD_BYTES = 2_600
TAIL_BYTES = 1_400
HEAD_CHARACTERS = 24_000  # beyond head and tail a message is not even cut into clauses
TAIL_CHARACTERS = 12_000
LEFT_OUT = "[…]"

# Special tokens of the models in use begin so; what a person pastes must not be taken for one. Neither may
# half characters, which are no valid UTF-8, nor control characters reach a library written in C.
_SPECIAL = re.compile(r"<(?=\|)|<(?=/?(?:think|tool_call|tool_response|s|bos|eos|pad|unk)>)|\[(?=/?INST\])")
_BREAK = re.compile(r"\n|[ \t]{8,}")  # what is not the person's own arrives blanked
_UNREADABLE = re.compile(r"[\ud800-\udfff\x00-\x08\x0b-\x1f\x7f]")


def harmless(text: str) -> str:
    """Returns the text, as long as before, without anything that a model's tokenizer takes for control."""
    return _SPECIAL.sub("‹", _UNREADABLE.sub("\ufffd", text.replace("\r", " ")))


def shown(message: str, *, share: float = 1.0) -> str:
    """Returns what is shown of a harmless message, empty where no line of it is prose.

    `share`: how much of the usual bounds, where a model has less room.
    """
    head, tail = int(HEAD_BYTES * share), int(TAIL_BYTES * share)
    lines = _prose(message)
    if all(line == LEFT_OUT for line in lines):
        return ""
    text = "\n".join(lines)
    if len(text.encode()) <= head + tail:
        return text
    return "\n".join([*_fitting(lines, head), LEFT_OUT, *_fitting_end(lines, tail)])


def _prose(message: str) -> list[str]:
    """Returns the lines of the message that hold prose, and a mark for each block that does not."""
    if len(message) <= HEAD_CHARACTERS + TAIL_CHARACTERS:
        return _lines(message)
    return [*_lines(message[:HEAD_CHARACTERS]), LEFT_OUT, *_lines(message[-TAIL_CHARACTERS:])]


def _lines(text: str) -> list[str]:
    parts: list[str] = []
    at = 0
    for clause in clauses(text):
        if clause.sort is not Sort.PROSE:
            parts += [text[at : clause.start], f"\n{LEFT_OUT}\n"]
            at = clause.end
    parts.append(text[at:])
    lines = [stripped for line in _BREAK.split("".join(parts)) if (stripped := line.strip())]
    return [
        line for place, line in enumerate(lines) if line != LEFT_OUT or lines[place - 1 : place] != [line]
    ]


def _fitting(lines: list[str], most: int) -> list[str]:
    """Returns the first lines that fit, the one that does not cut at a character."""
    kept: list[str] = []
    for line in lines:
        size = len(line.encode()) + 1
        if size > most:
            part = line.encode()[: max(0, most)].decode(errors="ignore").strip()
            return [*kept, part] if part else kept
        kept.append(line)
        most -= size
    return kept


def _fitting_end(lines: list[str], most: int) -> list[str]:
    """Returns the last lines that fit, the one that does not cut at a character."""
    kept: list[str] = []
    for line in reversed(lines):
        size = len(line.encode()) + 1
        if size > most:
            encoded = line.encode()
            part = encoded[max(0, len(encoded) - most) :].decode(errors="ignore").strip() if most > 0 else ""
            return [part, *kept] if part else kept
        kept.insert(0, line)
        most -= size
    return kept
