"""The one gateway for secrets: nothing is logged, judged, stored or indexed before it went through here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from asides.judge.assigned import assigned
from asides.judge.entropy import random_looking
from asides.judge.secrets import SHAPES
from asides.judge.spoken import spoken

Found = tuple[int, int, str]  # start, end, kind

MARKER = re.compile(r"\[redacted:[a-z-]{1,20}\]")
# Replacing one secret can lay bare another beside it. Two passes settle real text, the bound holds for any.
PASSES = 8

_PRIVATE = re.compile(r"<[ \t]{0,4}+(/?)[ \t]{0,4}+private[ \t]{0,4}+>", re.IGNORECASE)
_PEM_EDGE = re.compile(r"-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(
    r"(?:\s|\\[rn]|[A-Za-z0-9+/=]{16,}+|(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{0,100})*+"
)
_PEM_LONGEST = 20_000  # characters; a key of 16,384 bits takes 13,000

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]{0,64}+[ -/]{0,8}+[@-~]|\][^\x07\x1b\n]{0,512}+(?:\x07|\x1b\\)|[@-_])")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")
# Control characters; marks that turn the direction of text or are never seen, and hide words from the reader.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted:
    """A text without secrets, and how many of each kind were taken out."""

    text: str
    counts: dict[str, int]


def admit(text: str) -> Redacted:
    """Returns a text from outside as it may be kept: cleaned, then redacted."""
    return redact(clean(text))


def clean(text: str) -> str:
    """Returns the text with LF line ends and without control, escape, invisible or broken characters.

    Tabs and line ends stay; a lone surrogate becomes U+FFFD. Cleaning twice changes nothing more.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    text = _UNSEEN.sub("", _ESCAPE.sub("", text))
    text = _PAIR.sub(lambda pair: pair.group().encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text)
    return _UNSEEN.sub("", _LONE.sub("\ufffd", text))


def redact(text: str) -> Redacted:
    """Replaces each secret by `[redacted:kind]`, and each `<private>` block by `[redacted:private]`.

    Time grows with the length of the text, whatever it holds. Redacting twice changes nothing more.
    """
    counts: Counter[str] = Counter()
    for _ in range(PASSES):
        found = _merged(sorted(_all(text), key=_start))
        if not found:
            break
        counts.update(kind for _, _, kind in found)
        text = _replaced(text, found)
    return Redacted(text=text, counts=dict(counts))


def _all(text: str) -> Iterator[Found]:
    yield from _private(text)
    yield from _private_keys(text)
    for shape in SHAPES:
        if any(literal in text for literal in shape.literals):
            group = "secret" if "secret" in shape.pattern.groupindex else 0
            for match in shape.pattern.finditer(text):
                yield match.start(group), match.end(group), shape.kind
    yield from assigned(text)
    yield from spoken(text)
    yield from random_looking(text)


def _private(text: str) -> Iterator[Found]:
    """Yields the outermost private blocks; one that is never closed runs to the end."""
    depth, opened = 0, 0
    for tag in _PRIVATE.finditer(text):
        if not tag.group(1):
            if depth == 0:
                opened = tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield opened, tag.end(), "private"
    if depth:
        yield opened, len(text), "private"


def _private_keys(text: str) -> Iterator[Found]:
    """Yields private key blocks; one whose end is missing runs as far as it looks like a key."""
    opened: re.Match[str] | None = None
    for edge in _PEM_EDGE.finditer(text):
        if opened is not None and edge.group(1) == "END" and edge.end() - opened.start() <= _PEM_LONGEST:
            yield opened.start(), edge.end(), "private-key"
            opened = None
            continue
        if opened is not None:
            yield _headless(text, opened)
        opened = edge if edge.group(1) == "BEGIN" else None
    if opened is not None:
        yield _headless(text, opened)


def _headless(text: str, opened: re.Match[str]) -> Found:
    body = _PEM_BODY.match(text, opened.end())
    return opened.start(), body.end() if body else opened.end(), "private-key"


def _start(found: Found) -> int:
    return found[0]


def _merged(found: list[Found]) -> list[Found]:
    """Returns the findings without overlaps; what overlaps becomes one, named by the first rule."""
    merged: list[Found] = []
    for start, end, kind in found:
        if start == end:
            continue
        if merged and start < merged[-1][1]:
            first_start, first_end, first_kind = merged[-1]
            merged[-1] = (first_start, max(first_end, end), first_kind)
        else:
            merged.append((start, end, kind))
    return merged


def _replaced(text: str, found: list[Found]) -> str:
    parts: list[str] = []
    position = 0
    for start, end, kind in found:
        parts += (text[position:start], f"[redacted:{kind}]")
        position = end
    parts.append(text[position:])
    return "".join(parts)
