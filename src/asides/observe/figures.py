"""Figures in plain words: what had to be said again, and what is not there yet to be counted."""

from __future__ import annotations


def repeats(count: int, *, delivered: int) -> str:
    """Returns how often something that stood was said again, and whether the agent had it, as a sentence."""
    if not count:
        return "Nothing that stands had to be said again."
    if not delivered:
        had = "never with the entry before the agent in that session"
    elif delivered == count:
        had = "each time with the entry before the agent in that session"
    else:
        had = f"{delivered} with the entry before the agent in that session, {count - delivered} without"
    return f"Said again: {_times(count)}, {had}."


def missing(*, live: int, sessions: int, cues: int, checks: int) -> tuple[str, ...]:
    """Returns what has not happened yet, most telling first; without a live entry or a session, only that.

    `sessions`: that got an entry. `checks`: how often one fired.
    """
    if not live and not sessions:
        return ("Nothing is live here, so there is nothing to deliver. See `asides list --all`.",)
    if not sessions:
        return ("No session was given an entry yet: the next one that starts in this project is.",)
    found = []
    if not cues:
        found.append("No entry was due at a file or command yet.")
    if not checks:
        found.append("No added line broke an entry yet.")
    return tuple(found)


def idle(count: int) -> str:
    """Returns how many live entries have no figures, as a sentence."""
    return f"{count} live {'entry has' if count == 1 else 'entries have'} no figures yet."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
