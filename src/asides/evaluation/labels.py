"""Labelled turns: what a careful person would keep of each message, read from lines of JSON."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import msgspec

from asides.model.entry import Framing, Kind, Source
from asides.model.errors import Refused


class BadLabels(Refused):
    """{path}, line {line}: {why}."""

    hint = "{advice}"


class NoLabels(Refused):
    """{path} holds no labelled turns."""

    hint = "Give a file with one turn a line; docs/evaluation.md describes it."


class Verdict(StrEnum):
    """What a labeller said of a whole turn."""

    KEEP = "keep"
    MAYBE = "maybe"  # reasonable people differ: counts neither way
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """One thing that should be kept. `span` is an exact part of the message."""

    kind: Kind
    span: str
    anchor: str | None = None  # the file, folder or declaration that it is about, as written
    framing: Framing | None = None
    source: Source = Source.HUMAN


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One message with what should be kept of it."""

    id: str
    user_text: str
    verdict: Verdict
    entries: tuple[Expected, ...] = ()
    pool: str = "random"  # random: as turns come; directive: chosen for its directive words
    project: str = ""
    prev: str | None = ""  # the end of what the agent had said before
    reply: str | None = ""  # the start of what the agent answered
    authored: str = "human"  # or pasted, injected


FORM = 'Each line is {"id": ..., "user_text": ..., "verdict": "keep" | "maybe" | "none", "entries": [...]}.'
COPY = "Copy the span out of user_text character for character."


def read(path: Path) -> tuple[Labelled, ...]:
    """Returns the labelled turns of a file, gzipped where its name ends with `.gz`.

    Raises BadLabels at the first line that is none, NoLabels where there is no line at all, OSError.
    """
    content = path.read_bytes()
    if path.suffix == ".gz":
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as fault:
            raise BadLabels(
                path=path, line=1, why=f"it is not gzipped ({fault})", advice="Pack it again with gzip."
            ) from fault
    found = tuple(parse(content, str(path)))
    if not found:
        raise NoLabels(path=path)
    return found


def parse(content: bytes, name: str) -> Iterator[Labelled]:
    """Yields the labelled turns of a file's content; `name` stands in errors. Raises BadLabels."""
    ids: dict[str, int] = {}
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        turn = _turn(line, name, number)
        if turn.id in ids:
            why = f"the id {turn.id!r} stands in line {ids[turn.id]} already"
            raise BadLabels(path=name, line=number, why=why, advice="Give every turn an id of its own.")
        ids[turn.id] = number
        yield turn


def _turn(line: bytes, name: str, number: int) -> Labelled:
    try:
        turn = _DECODER.decode(line)
    except msgspec.ValidationError as fault:
        raise BadLabels(path=name, line=number, why=_lowered(str(fault)), advice=FORM) from fault
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        why = f"this is no JSON ({_lowered(str(fault))})"
        raise BadLabels(path=name, line=number, why=why, advice=FORM) from fault
    if turn.verdict is Verdict.KEEP and not turn.entries:
        why = "the verdict is keep, but there are no entries"
        raise BadLabels(path=name, line=number, why=why, advice="Say what to keep, or make the verdict none.")
    for entry in turn.entries:
        if not entry.span.strip() or entry.span not in turn.user_text:
            why = f"the span {_short(entry.span)!r} is not in user_text"
            raise BadLabels(path=name, line=number, why=why, advice=COPY)
    return turn


_DECODER = msgspec.json.Decoder(Labelled)


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:].rstrip(".")


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
