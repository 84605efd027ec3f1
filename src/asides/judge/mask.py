"""Which parts of a message are not the person's own words: pasted, quoted, put in by tooling."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from asides.judge.pasted import pasted
from asides.model.delivery import FENCE_CLOSE, FENCE_OPEN

Span = tuple[int, int]

# Tags that agents and their tooling put around what they add; left open, they run to the end.
_TOOLING = (
    "system-reminder", "local-command-stdout", "local-command-stderr", "local-command-caveat", "command-name",
    "command-message", "command-args", "command-contents", "bash-input", "bash-stdout", "bash-stderr",
    "task-notification", "user-prompt-submit-hook", "ide_opened_file", "ide_selection", "environment_context",
    "user_instructions", "environment_details", "session-context", "additional-context",
)  # fmt: skip
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,40}(?:[-_][A-Za-z0-9]{1,40}){1,8}+)(?:\s[^<>]{0,400}+)?>")
_FENCE = re.compile(r"^[ \t]{0,8}+(`{3,}+|~{3,}+)[^\n]*+$", re.MULTILINE)
_QUOTE = re.compile(r"^[ \t]{0,3}+>[^\n]*+\n?", re.MULTILINE)
_RELAYED_LINE = 20  # characters; shorter lines coincide by chance


def not_own_words(message: str, delivered: Iterable[str] = ()) -> tuple[Span, ...]:
    """Returns the spans of `message` that the person did not write, in order, without overlaps.

    `delivered` are texts that asides put before the agent: two of their lines in a row, or their fence,
    are taken for a copy. What is doubtful is left to the person.
    """
    spans: list[Span] = [
        *_fenced(message),
        *_tagged(message),
        *_blocks(message),
        *_relayed(message, delivered),
    ]
    spans += [match.span() for match in _QUOTE.finditer(message)]
    spans += pasted(message)
    return merged(spans)


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Returns the union of spans as disjoint ones in order."""
    union: list[Span] = []
    for start, end in sorted(spans):
        if union and start <= union[-1][1]:
            union[-1] = (union[-1][0], max(end, union[-1][1]))
        elif start < end:
            union.append((start, end))
    return tuple(union)


def overlap(start: int, end: int, spans: Iterable[Span]) -> float:
    """Returns the share of `start..end` that lies in disjoint spans, 0 to 1."""
    covered = sum(max(0, min(end, b) - max(start, a)) for a, b in spans)
    return covered / (end - start) if end > start else 0.0


def blanked(message: str, spans: Iterable[Span]) -> str:
    """Returns the message with the spans replaced by blanks, so that every position stays."""
    parts: list[str] = []
    position = 0
    for start, end in spans:
        parts.append(message[position:start])
        parts.append(re.sub(r"[^\n]", " ", message[start:end]))
        position = end
    parts.append(message[position:])
    return "".join(parts)


def _fenced(message: str) -> Iterator[Span]:
    position = 0
    while (start := message.find(FENCE_OPEN, position)) >= 0:
        close = message.find(FENCE_CLOSE, start)
        position = close + len(FENCE_CLOSE) if close >= 0 else len(message)
        yield start, position


def _tagged(message: str) -> Iterator[Span]:
    """Yields blocks in tags with a hyphen or underscore in their name, which is how tooling writes them."""
    opened: dict[str, int] = {}
    for tag in _TAG.finditer(message):
        name = tag.group(2)
        if not tag.group(1):
            opened.setdefault(name, tag.start())
        elif name in opened:
            yield opened.pop(name), tag.end()
    for name, start in opened.items():
        if name.lower() in _TOOLING:
            yield start, len(message)


def _blocks(message: str) -> Iterator[Span]:
    """Yields code fences; one that is never closed runs to the end."""
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(message):
        mark = fence.group(1)
        if opened is None:
            if "`" not in fence.group()[fence.group().index(mark) + len(mark) :]:
                opened = fence
        elif mark.startswith(opened.group(1)) and fence.group().strip() == mark:
            yield opened.start(), fence.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(message)


def _relayed(message: str, delivered: Iterable[str]) -> Iterator[Span]:
    known = {
        line.strip() for text in delivered for line in text.splitlines() if len(line.strip()) >= _RELAYED_LINE
    }
    if not known:
        return
    run: list[Span] = []
    position = 0
    for line in [*message.splitlines(keepends=True), ""]:
        if line.strip() in known:
            run.append((position, position + len(line)))
        elif line.strip() or not line:
            if len(run) >= 2:
                yield run[0][0], run[-1][1]
            run = []
        position += len(line)
