"""Turns a message into the windows of token ids that the encoder reads.

Training and serving import this same module, so that what the model learned from and what it is asked
can never differ. A window is

    [CLS] end of the agent's previous words [SEP] ◂ clause ◂ clause ▪ ◂ clause [SEP]

where ◂ is a marker in front of each clause (the model answers there) and ▪ stands for a block that is
not read: code, logs, quoted lines. Work is bounded whatever is pasted: at most `WINDOWS` windows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from asides.writers.clauses import Clause, Sort, clauses

PREVIOUS_TOKENS = 48  # the end of the agent's words: enough for the question that is being answered
PREVIOUS_CHARACTERS = 480
WINDOW_TOKENS = 224  # message tokens in a window; nine real turns of ten fit into one
CLAUSE_TOKENS = 96  # a longer clause is cut, so that each window holds at least two
HEAD_WINDOWS = 4
TAIL_WINDOWS = 2  # asides often come after what was pasted
WINDOWS = HEAD_WINDOWS + TAIL_WINDOWS
HEAD_CHARACTERS = 24_000  # beyond head and tail a message is not even cut into clauses
TAIL_CHARACTERS = 12_000

CLS, SEP, MARKER, BLOCK = 101, 102, 1, 2  # in the vocabulary of BERT; 1 and 2 are its unused tokens
SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A clause, or a part of one that was too long, as tokens with their characters in the message."""

    start: int
    end: int
    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    continues: bool = False  # goes on where the piece before it was cut


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What the model reads at once. `markers` and `tokens` are positions in `ids`."""

    ids: NDArray[np.int64]
    pieces: tuple[Piece, ...]
    markers: tuple[int, ...]  # one for each piece; its tokens follow it


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """What was not read, so that it can be counted."""

    blocks: int = 0  # code, logs, quoted lines
    characters: int = 0  # in those blocks and in the middle that was left out
    clauses: int = 0  # clauses of prose between head and tail


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """A message as the model sees it."""

    windows: tuple[Window, ...]
    skipped: Skipped


def _readable(text: str) -> str:
    """Returns `text` with lone surrogates replaced one for one: the tokenizer takes only valid UTF-8."""
    return SURROGATE.sub("\ufffd", text)


def _ends(text: str) -> tuple[tuple[Clause, ...], int]:
    """Returns the clauses of the head and tail of `text`, and the characters between them."""
    if len(text) <= HEAD_CHARACTERS + TAIL_CHARACTERS:
        return clauses(text), 0
    stop = text.rfind("\n", HEAD_CHARACTERS // 2, HEAD_CHARACTERS)
    stop = stop if stop >= 0 else HEAD_CHARACTERS
    begin = text.find("\n", len(text) - TAIL_CHARACTERS, len(text) - TAIL_CHARACTERS // 2)
    begin = begin if begin >= 0 else len(text) - TAIL_CHARACTERS
    tail = tuple(Clause(start=c.start + begin, end=c.end + begin, sort=c.sort) for c in clauses(text[begin:]))
    return clauses(text[:stop]) + tail, begin - stop


def _pieces(text: str, clause: Clause, tokenizer: Tokenizer) -> list[Piece]:
    """Returns a clause as one piece, or as several where it is too long."""
    # Bounded by characters too: one clause may be all that a paste holds.
    end = min(clause.end, clause.start + CLAUSE_TOKENS * 40)
    encoded = tokenizer.encode(text[clause.start : end], add_special_tokens=False)
    offsets = [(clause.start + a, clause.start + b) for a, b in encoded.offsets]
    ids = encoded.ids
    found: list[Piece] = []
    for at in range(0, len(ids), CLAUSE_TOKENS):
        part, where = ids[at : at + CLAUSE_TOKENS], offsets[at : at + CLAUSE_TOKENS]
        found.append(
            Piece(
                start=clause.start if at == 0 else where[0][0],
                end=where[-1][1] if at + CLAUSE_TOKENS < len(ids) else end,
                ids=tuple(part),
                offsets=tuple(where),
                continues=at > 0,
            )
        )
    return found


def _previous(previous: str, tokenizer: Tokenizer) -> list[int]:
    """Returns the last tokens of the agent's words."""
    tail = _readable(previous[-PREVIOUS_CHARACTERS:])
    return list(tokenizer.encode(tail, add_special_tokens=False).ids[-PREVIOUS_TOKENS:])


def _window(front: list[int], held: list[Piece | None]) -> Window:
    """Returns a window over pieces; None stands for a block that is not read."""
    ids = [CLS, *front, SEP]
    markers: list[int] = []
    pieces: list[Piece] = []
    for piece in held:
        if piece is None:
            ids.append(BLOCK)
            continue
        markers.append(len(ids))
        pieces.append(piece)
        ids.append(MARKER)
        ids.extend(piece.ids)
    ids.append(SEP)
    return Window(ids=np.array(ids, dtype=np.int64), pieces=tuple(pieces), markers=tuple(markers))


def encode(message: str, previous: str, tokenizer: Tokenizer) -> Encoded:
    """Returns the windows of a message, at most `WINDOWS`, in order, and what was left out."""
    text = _readable(message)
    found, between = _ends(text)
    front = _previous(previous, tokenizer)
    head, left, full = _fill(text, list(found), tokenizer, limit=HEAD_WINDOWS)
    tail: list[list[Piece | None]] = []
    unread = 0
    if full:
        tail, left = _fill_backwards(text, left, tokenizer, limit=TAIL_WINDOWS)
        unread = sum(c.sort is Sort.PROSE for c in left)
        between += sum(c.end - c.start for c in left if c.sort is Sort.PROSE)
    blocks = [c for c in found if c.sort is not Sort.PROSE]
    return Encoded(
        windows=tuple(_window(front, held) for held in (*head, *tail) if any(held)),
        skipped=Skipped(
            blocks=len(blocks), characters=between + sum(c.end - c.start for c in blocks), clauses=unread
        ),
    )


def _held(text: str, clause: Clause, tokenizer: Tokenizer) -> list[Piece | None]:
    if clause.sort is not Sort.PROSE:
        return [None]
    return [*_pieces(text, clause, tokenizer)]


def _size(piece: Piece | None) -> int:
    return 1 if piece is None else 1 + len(piece.ids)


def _fill(
    text: str, found: list[Clause], tokenizer: Tokenizer, *, limit: int
) -> tuple[list[list[Piece | None]], list[Clause], bool]:
    """Returns windows filled from the start, the clauses not reached, and whether any were left."""
    filled: list[list[Piece | None]] = [[]]
    room = WINDOW_TOKENS
    for at, clause in enumerate(found):
        for number, piece in enumerate(_held(text, clause, tokenizer)):
            if _size(piece) > room:
                if len(filled) == limit:
                    # A clause of which a part was read is not read again from the end.
                    return filled, found[at + (number > 0) :], True
                filled.append([])
                room = WINDOW_TOKENS
            filled[-1].append(piece)
            room -= _size(piece)
    return filled, [], False


def _fill_backwards(
    text: str, found: list[Clause], tokenizer: Tokenizer, *, limit: int
) -> tuple[list[list[Piece | None]], list[Clause]]:
    """Returns windows filled from the end, in reading order, and the clauses not reached."""
    filled: list[list[Piece | None]] = [[]]
    room = WINDOW_TOKENS
    left = list(found)
    while left:
        held = _held(text, left[-1], tokenizer)
        size = sum(_size(p) for p in held)
        if size > room:
            if len(filled) == limit:
                break
            filled.insert(0, [])
            room = WINDOW_TOKENS
        if size > room:
            # A clause longer than a window: its end is read.
            while held and sum(_size(p) for p in held) > room:
                held = held[1:]
            size = sum(_size(p) for p in held)
        filled[0][:0] = held
        room -= size
        left.pop()
    return filled, left
