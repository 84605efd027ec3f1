"""The figures: what was found, how much of what was kept is right, how often nothing was kept of nothing.

A kept entry may cover several labelled ones, and several may cover the same; `maybe` turns count neither way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from asides.evaluation.labels import Expected, Labelled, Verdict
from asides.evaluation.matching import covers, same_place
from asides.evaluation.predictions import Predicted, Prediction
from asides.evaluation.shares import Share, share
from asides.model.entry import Framing, Kind

# In the order of the tables: name, and what it counts.
FIGURES: Mapping[str, str] = {
    "captured": "labelled entries that something kept covers",
    "passing": "of those, the ones said in passing",
    "precision random": "kept entries that are right, turns as they come",
    "precision all": "kept entries that are right, all turns",
    "clean turns": "turns that hold nothing of which nothing was kept, as they come",
    "clean hard": "the same, turns chosen for their directive words",
    "clean foreign": "the same, turns that are pasted or put in by tooling",
    "salience": "turns rightly told apart: something to keep, or nothing",
    "kind": "covered entries of the right kind",
    "framing": "covered entries rightly taken as said explicitly, or in passing",
    "source": "covered entries of the right source",
    "anchor": "covered entries about the right thing, general ones too",
    "anchor named": "the same, only where the label names a file, folder or declaration",
    "verbatim": "kept bodies that are exact copies of the message",
}
_CLEAN = {"random": "clean turns", "directive": "clean hard"}


def score(turns: Iterable[Labelled], predictions: Iterable[Prediction]) -> dict[str, Share]:
    """Returns each of FIGURES; a turn without a prediction had nothing kept."""
    kept = {one.id: one.entries for one in predictions}
    count = _Tally()
    for turn in turns:
        got = kept.get(turn.id, ())
        for entry in got:
            count.add("verbatim", entry.body in turn.user_text)
        match turn.verdict:
            case Verdict.MAYBE:
                continue
            case Verdict.NONE:
                _empty(turn, got, count)
            case Verdict.KEEP:
                _full(turn, got, count)
    return {name: share(*count.of(name)) for name in FIGURES}


def right(entry: Predicted, turn: Labelled) -> bool:
    """Tells whether a kept entry is one that the labels of a `keep` or `none` turn name."""
    return turn.verdict is Verdict.KEEP and any(covers(entry.body, one.span) for one in turn.entries)


def kinds(turns: Iterable[Labelled], predictions: Iterable[Prediction]) -> dict[str, dict[str, int]]:
    """Returns, for each labelled kind, which kinds its covered entries were taken for, and how often."""
    kept = {one.id: one.entries for one in predictions}
    pairs = Counter(
        (want.kind.value, hit.kind)
        for turn in turns
        if turn.verdict is Verdict.KEEP
        for want in turn.entries
        if (hit := _hit(want, kept.get(turn.id, ()))) is not None
    )
    return {kind.value: {other.value: pairs[kind.value, other.value] for other in Kind} for kind in Kind}


def _hit(want: Expected, got: tuple[Predicted, ...]) -> Predicted | None:
    return next((entry for entry in got if covers(entry.body, want.span)), None)


class _Tally:
    def __init__(self) -> None:
        self._hits = dict.fromkeys(FIGURES, 0)
        self._of = dict.fromkeys(FIGURES, 0)

    def add(self, name: str, hit: bool) -> None:
        self._of[name] += 1
        self._hits[name] += hit

    def of(self, name: str) -> tuple[int, int]:
        return self._hits[name], self._of[name]


def _empty(turn: Labelled, got: tuple[Predicted, ...], count: _Tally) -> None:
    count.add("salience", not got)
    if turn.pool in _CLEAN:
        count.add(_CLEAN[turn.pool], not got)
    if turn.authored != "human":
        count.add("clean foreign", not got)
    for _ in got:
        _precision(turn, False, count)


def _full(turn: Labelled, got: tuple[Predicted, ...], count: _Tally) -> None:
    count.add("salience", bool(got))
    for want in turn.entries:
        hit = _hit(want, got)
        count.add("captured", hit is not None)
        if want.framing is Framing.PASSING:
            count.add("passing", hit is not None)
        if hit is not None:
            _covered(want, hit, count)
    for entry in got:
        _precision(turn, right(entry, turn), count)


def _covered(want: Expected, hit: Predicted, count: _Tally) -> None:
    count.add("kind", hit.kind == want.kind)
    if want.framing is not None:
        count.add("framing", hit.framing is want.framing)
    count.add("source", hit.source is want.source)
    placed = same_place(hit.anchor, want.anchor)
    count.add("anchor", placed)
    if want.anchor is not None:
        count.add("anchor named", placed)


def _precision(turn: Labelled, hit: bool, count: _Tally) -> None:
    count.add("precision all", hit)
    if turn.pool == "random":
        count.add("precision random", hit)
