"""What became of the subjects of anchors: each is looked for where it was, then in what changed.

A subject is taken for gone only where nothing speaks for it any more: no name, no likeness, no part of it in
what is new, every file read and parsed, and no other branch that holds it. All else is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from asides.code.changes import Changes
from asides.code.freshness import Fresh
from asides.code.namedrift import NameDrift
from asides.code.pathdrift import PathDrift
from asides.code.sketches import likeness
from asides.code.subjects import Look, Tree
from asides.model.anchor import Declaration, Drift, File, Followed, Subject


def identify(anchor: File | Declaration, tree: Tree, *, commit: str) -> Subject | None:
    """Returns what an anchor is about in a tree that stands at `commit` (empty outside git).

    None where it is not there, or, of a declaration, where its file cannot be read. A file that is there and
    cannot be read has a subject without a sketch: only its path can be followed.
    """
    return Look(tree).subject(anchor, commit)


def follow(
    subjects: Sequence[Subject],
    tree: Tree,
    *,
    changes: Callable[[str], Changes | None],
    elsewhere: Callable[[Subject], str | bool | None],
    commit: str = "",
) -> tuple[Followed, ...]:
    """Returns what became of each subject in a tree, in their order.

    `changes`: what is other since a commit, None where nobody knows; asked once for each commit, and only
    where a subject is not found where it was or hardly resembles itself. `elsewhere`: whether another live
    branch still holds a subject at its place, or the name of the one that does; asked before one is called
    gone. `commit`: where the tree stands, written on what is found; without it they keep the one they have.
    """
    look = Look(tree)
    known: dict[str, Fresh] = {}

    def fresh(since: str) -> Fresh:
        if since not in known:
            known[since] = Fresh(look, changes(since) if since else None)
        return known[since]

    return tuple(_settled(subject, _found(subject, look, fresh), elsewhere, commit) for subject in subjects)


def edited(one: Subject, other: Subject) -> float:
    """Returns the share of a subject that is other in a second look at it: 0 the same, 1 nothing left."""
    return 0.0 if one.fingerprint == other.fingerprint else round(1 - likeness(one.sketch, other.sketch), 3)


def _found(subject: Subject, look: Look, fresh: Callable[[str], Fresh]) -> Followed:
    match subject.anchor:
        case Declaration() as anchor:
            return NameDrift(subject, anchor, look, lambda: fresh(subject.commit)).found()
        case File() as anchor:
            return PathDrift(subject, anchor, look, lambda: fresh(subject.commit)).found()


def _settled(
    subject: Subject, found: Followed, elsewhere: Callable[[Subject], str | bool | None], commit: str
) -> Followed:
    """Asks other branches about what is gone, and writes down where the tree stands."""
    if found.drift is Drift.GONE and (holder := elsewhere(subject)):
        name = holder if isinstance(holder, str) else "another branch"
        return Followed(drift=Drift.UNKNOWN, subject=None, why=f"{name} still has it")
    if found.subject is None or not commit:
        return found
    return replace(found, subject=replace(found.subject, commit=commit))
