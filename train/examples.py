"""Reads labelled turns, cuts them with the module that serves, and lays the labels on clauses and tokens."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from asides.writers.encoding import BLOCK, CLS, MARKER, SEP, Window, encode
from asides.writers.spans import KINDS

SALT = "split-1"  # chosen by counts of keep turns alone: 162 train, 41 choose, 88 held-out
CHOOSE, HELD = 0.22, 0.44
FOLDS = 5
IGNORED = -1.0
BORROWED = 0.7  # of our own turns without the agent's words, given those of another turn
JOINED = 0.3  # of short turns, said in one breath with another
SILENT = 0.25  # of turns, shown without the agent's words
HIDDEN = 103  # the token that stands for a hidden word


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One labelled entry, in characters of its turn."""

    start: int
    end: int
    kind: int
    explicit: bool
    sure: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """One labelled turn."""

    id: str
    text: str
    previous: str
    verdict: str
    pool: str
    ours: bool
    spans: tuple[Span, ...]
    row: dict = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One window with its labels; IGNORED stands for no label."""

    ids: np.ndarray
    markers: np.ndarray
    keep: np.ndarray  # for each marker
    begin: np.ndarray
    kind: np.ndarray
    explicit: np.ndarray
    tokens: np.ndarray  # positions with a tag
    inside: np.ndarray
    turn: float
    weight: float  # of a clause that is kept
    soft: bool = False  # a teacher's answers take the place of its labels


def side(project: str) -> str:
    """Returns on which side of the split a project is: train, choose or held."""
    share = int.from_bytes(hashlib.sha256(f"{SALT}:{project}".encode()).digest()[:4], "big") / 2**32
    return "choose" if share < CHOOSE else "held" if share < HELD else "train"


def folds(turns: list[dict], count: int = FOLDS) -> dict[str, int]:
    """Returns the fold of each project, so that the folds hold about as many turns with something to keep.

    The projects with the most go first, each to the fold that has the fewest; ties go by a hash of the name.
    """
    kept = Counter(r["project"] for r in turns if r["verdict"] == "keep")
    total = Counter(r["project"] for r in turns)
    order = sorted(
        total,
        key=lambda p: (-kept[p], -total[p], hashlib.sha256(f"{SALT}:{p}".encode()).hexdigest()),
    )
    held: list[tuple[int, int]] = [(0, 0)] * count
    found = {}
    for project in order:
        fold = min(range(count), key=lambda n: (held[n], n))
        found[project] = fold
        held[fold] = (held[fold][0] + kept[project], held[fold][1] + total[project])
    return found


def rows(path: Path) -> list[dict]:
    """Returns the lines of a labelled file; none where there is no such file."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def labelled(row: dict, *, ours: bool) -> Labelled:
    """Returns one line with its spans found in the message.

    Raises ValueError where a span is not in the message.
    """
    text = row["user_text"]
    spans = []
    taken = 0
    for entry in row["entries"]:
        at = text.find(entry["span"], taken)
        at = text.find(entry["span"]) if at < 0 else at
        if at < 0:
            raise ValueError(f"{row['id']}: the span is not in the message: {entry['span']!r}")
        end = at + len(entry["span"])
        taken = end
        spans.append(
            Span(
                start=at,
                end=end,
                kind=[k.value for k in KINDS].index(entry["kind"]),
                explicit=entry.get("framing") == "explicit",
                sure=entry.get("sure", 3),
            )
        )
    return Labelled(
        id=row["id"],
        text=text,
        previous=row.get("prev", ""),
        verdict=row["verdict"],
        pool=row.get("pool", "written"),
        ours=ours,
        spans=tuple(spans),
        row=row,
    )


def relabelled(row: dict, label: dict) -> Labelled:
    """Returns a real turn with a label of our own, which says where its spans are."""
    spans = tuple(
        Span(
            start=e["start"],
            end=e["end"],
            kind=[k.value for k in KINDS].index(e["kind"]),
            explicit=e["framing"] == "explicit",
            sure=e.get("sure", 3),
        )
        for e in label["entries"]
    )
    return Labelled(
        id=row["id"],
        text=row["user_text"],
        previous=row.get("prev", ""),
        verdict=label["verdict"],
        pool=row.get("pool", "further"),
        ours=False,
        spans=spans,
        row=row,
    )


def masked(example: Example, share: float, dice: random.Random) -> Example:
    """Returns an example with that share of its words hidden."""
    ids = example.ids.copy()
    for at, word in enumerate(ids):
        if word not in (CLS, SEP, MARKER, BLOCK) and dice.random() < share:
            ids[at] = HIDDEN
    return replace(example, ids=ids)


def joined(first: Labelled, second: Labelled, between: str) -> Labelled:
    """Returns two turns said in one breath."""
    shift = len(first.text) + len(between)
    moved = tuple(replace(s, start=s.start + shift, end=s.end + shift) for s in second.spans)
    return replace(
        first,
        text=first.text + between + second.text,
        verdict="keep" if "keep" in (first.verdict, second.verdict) else first.verdict,
        spans=first.spans + moved,
        ours=first.ours and second.ours,
    )


def examples(turn: Labelled, tokenizer: Tokenizer, *, weight: float, silent: bool = False) -> list[Example]:
    """Returns a turn's windows with labels. `silent` leaves out the agent's previous words."""
    encoded = encode(turn.text, "" if silent else turn.previous, tokenizer)
    return [_example(window, turn, weight) for window in encoded.windows]


def _example(window: Window, turn: Labelled, weight: float) -> Example:
    count = len(window.pieces)
    keep, begin = np.zeros(count, np.float32), np.full(count, IGNORED, np.float32)
    kind, explicit = np.full(count, -1, np.int64), np.full(count, IGNORED, np.float32)
    most = np.zeros(count)
    for span in turn.spans:
        first = True
        for n, piece in enumerate(window.pieces):
            shared = min(span.end, piece.end) - max(span.start, piece.start)
            if shared <= 0 or shared < 0.5 * min(piece.end - piece.start, span.end - span.start):
                continue
            if turn.verdict == "maybe":
                # Reasonable people differ about this clause, and the scorer counts it neither way;
                # the other clauses of the turn are nevertheless sure to be nothing.
                keep[n] = IGNORED
                continue
            keep[n] = 1
            if shared > most[n]:
                most[n] = shared
                kind[n], explicit[n] = span.kind, float(span.explicit)
            if first:
                begin[n] = 1
            elif begin[n] != 1:
                begin[n] = 0
            first = False
    tokens, inside = [], []
    if turn.verdict == "keep":
        for at, piece in zip(window.markers, window.pieces, strict=True):
            for n, (a, b) in enumerate(piece.offsets):
                tokens.append(at + 1 + n)
                inside.append(float(any(s.start <= (a + b) / 2 < s.end for s in turn.spans)))
    held = any(keep == 1)
    return Example(
        ids=window.ids,
        markers=np.array(window.markers, np.int64),
        keep=keep,
        begin=begin,
        kind=kind,
        explicit=explicit,
        tokens=np.array(tokens, np.int64),
        inside=np.array(inside, np.float32),
        turn=IGNORED if turn.verdict == "maybe" else float(held),
        weight=weight,
    )


def epoch_of(
    turns: list[Labelled],
    tokenizer: Tokenizer,
    dice: random.Random,
    weights: tuple[float, float],
    whole: Collection[str] = (),
) -> list[Example]:
    """Returns one epoch: every turn once, some without the agent's words, some in one breath with a turn that
    holds nothing, so that an aside in the middle of other work is learned too.

    What is done to our own turns is done without looking at the label: neither length nor whether the agent's
    words are there may tell it. So those without get some of another turn.
    """
    quiet = [t for t in turns if t.verdict == "none" and len(t.text) < 600]
    spoken = [t.previous for t in turns if t.previous]
    found: list[Example] = []
    for turn in turns:
        weight = weights[0] if turn.ours else weights[1]
        said = turn
        if turn.ours and not turn.previous and dice.random() < BORROWED:
            said = replace(said, previous=dice.choice(spoken))
        both = turn.ours and turn.verdict == "none"
        if (turn.verdict == "keep" or both) and len(turn.text) < 500 and dice.random() < JOINED:
            other, between = dice.choice(quiet), dice.choice([" ", "\n", "\n\n", ". "])
            first, second = (other, said) if dice.random() < 0.5 else (said, other)
            said = replace(joined(first, second, between), previous=said.previous, ours=turn.ours)
        soft = turn.ours and turn.row.get("project") not in whole
        cut = examples(said, tokenizer, weight=weight, silent=dice.random() < SILENT)
        found += [replace(example, soft=soft) for example in cut]
    return found
