"""Compiles an entry into its watch."""

from __future__ import annotations

from asides.model.entry import Entry
from asides.model.watch import Watch
from asides.watch.checks import check
from asides.watch.ground import ground
from asides.watch.places import places
from asides.watch.proofs import proof
from asides.watch.triggers import triggers


def compile_watch(entry: Entry, *, tracked: frozenset[str]) -> Watch:
    """Returns what an entry is watched by in a checkout.

    Where its words leave a doubt, there is no trigger, no proof and no check.

    Args:
        entry: the entry, as it was said.
        tracked: the files of the checkout, from its root, with slashes.
    """
    here = ground(tracked)
    moments = triggers(entry, here)
    return Watch(
        entry=entry.id,
        places=places(entry.anchor, tracked=tracked),
        triggers=tuple(moment.trigger for moment in moments),
        proof=proof(entry, moments, here),
        check=check(entry, here),
    )
