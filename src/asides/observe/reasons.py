"""Reasons in plain words: what a check found, what became of a message, who changed what."""

from __future__ import annotations

from asides.model.delivery import Left, Occasion
from asides.model.entry import Act, Actor, Standing
from asides.model.judgment import Reason

# Passed checks that explain why an entry is what it is; all other passed ones say nothing new.
NOTEWORTHY = frozenset(
    {
        Reason.BELOW_LIVE,
        Reason.TAKEN_BACK,
        Reason.TASK_SCOPED,
        Reason.SIGHTING,
        Reason.SUPERSEDES,
        Reason.SAID_BEFORE,
        Reason.NOT_THERE,
        Reason.AMBIGUOUS,
    }
)

_FOUND = {
    Reason.ABANDONED: "left behind: taken back before any answer, or rewound",
    Reason.SCRIPT: "a script's prompt: the same words again and again",
    Reason.MACHINE: "written by tooling, not by a person",
    Reason.EMPTY: "nothing of the person's own was left in it",
    Reason.NOTHING: "the writer pointed at nothing in it",
    Reason.NOT_VERBATIM: "not word for word what was said",
    Reason.NOT_GROUNDED: "its words were not heard in the session",
    Reason.OUR_OWN_WORDS: "only repeats what asides had told the agent",
    Reason.NOT_OWN_WORDS: "pasted, quoted or relayed: not the person's own words",
    Reason.UNKNOWN_KIND: "of a kind that asides does not know",
    Reason.TOO_SHORT: "too short to be understood alone",
    Reason.TOO_LONG: "too long to be delivered whole",
    Reason.QUESTION: "a question",
    Reason.ONLY_SECRETS: "says nothing once its secrets are taken out",
    Reason.BELOW_FLOOR: "the writer holds it for unlikely",
    Reason.REFUSED_BEFORE: "a person refused these words before",
    Reason.SAID_TWICE: "said twice in this message; the surer one counts",
    Reason.OVER_LIMIT: "more than is kept from one message",
    Reason.SIGHTING: "says again what is kept",
    Reason.SUPERSEDES: "changes what was kept",
    Reason.BELOW_LIVE: "not sure enough to be live at once",
    Reason.TAKEN_BACK: "the person took it back",
    Reason.TASK_SCOPED: "binds itself to the task at hand",
    Reason.SAID_BEFORE: "older than what stands now, or than its own end",
    Reason.NAMED_AND_THERE: "names what is there",
    Reason.NOT_NAMED: "names no file and no declaration",
    Reason.NOT_THERE: "names what is not there",
    Reason.AMBIGUOUS: "names what fits several places",
}

_DONE = {
    Act.KEEP: "kept",
    Act.SIGHT: "said again",
    Act.CONFIRM: "confirmed",
    Act.EDIT: "edited",
    Act.ANCHOR: "tied to another place",
    Act.DOUBT: "looked at with its code",
    Act.SUPERSEDE: "superseded",
    Act.RETIRE: "retired",
    Act.REFUSE: "refused",
    Act.RESTORE: "restored",
    Act.UNDO: "undone",
}

_BY = {Actor.PERSON: "by hand", Actor.WRITER: "by the writer", Actor.CHECK: "by a check"}

_GIVEN = {
    Occasion.START: "delivered at its start",
    Occasion.COMPACT: "delivered after compaction",
    Occasion.REPLACE: "delivered when it was resumed",
    Occasion.SUBAGENT: "delivered to a sub-agent",
}

_CUED = {
    "read": "put before the agent when it read the file",
    "edit": "put before the agent when it edited the file",
    "create": "put before the agent when it made the file",
    "delete": "put before the agent when it deleted the file",
    "run": "put before the agent when it ran the command",
    "owed": "the agent was reminded that it is still to be done",
}

_OUTCOMES = {
    "open": "not known yet if it stays",
    "heeded": "heeded: the line is gone again",
    "broken": "not heeded: the line stayed",
}

_LEFT = {
    Left.NOT_LIVE: "not delivered: it was not live",
    Left.COUNT: "not delivered: there were more entries than fit",
    Left.ROOM: "not delivered: the text was full",
    Left.KIND: "not delivered: sub-agents get laws, hazards and corrections only",
}


def is_noteworthy(passed: bool, reason: str) -> bool:
    """Tells whether a check explains anything: it failed, or passed with a consequence."""
    return not passed or reason in NOTEWORTHY


def found(reason: str, *, measure: float | None = None, detail: str = "") -> str:
    """Returns what a check found, in words; a reason of another version as it stands."""
    words = _FOUND[Reason(reason)] if reason in _FOUND else reason
    match reason:
        case Reason.BELOW_LIVE | Reason.BELOW_FLOOR if measure is not None:
            bound = detail.replace("floor ", "kept from ")
            return f"score {measure:.2f}, {bound}" if bound else f"{words} (score {measure:.2f})"
        case _:
            return f"{words} ({detail})" if detail else words


def became(state: str, reason: str) -> str:
    """Returns what became of a message that was not judged, or left nothing."""
    if state == "parked":
        return f"could not be judged: {reason.rstrip('.')}. Try again with `asides daemon retry`"
    return f"nothing kept: {found(reason)}"


def done(act: str, actor: str, standing: str) -> str:
    """Returns what was done to an entry and who did it, e.g. `kept by the writer`.

    `standing`: of the entry after it; what is only proposed is not called kept.
    """
    only_proposed = act == Act.KEEP and standing == Standing.PROPOSED
    return f"{'proposed' if only_proposed else _DONE[Act(act)]} {_BY[Actor(actor)]}"


def taken_back(words: str, *, said_at: str, session: str) -> str:
    """Returns that, when and in which words a person took an entry back, as one sentence.

    `session`: where; empty where that is not known any more.
    """
    where = f" in session {session}" if session else ""
    quoted = f"“{' '.join(words.split())}”"
    return f"The developer took it back on {said_at[:10]} at {said_at[11:19]}{where}, saying {quoted}."


def given(occasion: str, left: str) -> str:
    """Returns how a session got an entry, or why it did not."""
    return _LEFT[Left(left)] if left else _GIVEN[Occasion(occasion)]


def cued(occasion: str, subagent: str) -> str:
    """Returns at which moment an entry was put before an agent; one of another version as it stands.

    `subagent`: its id; empty for the agent that the person speaks with.
    """
    words = _CUED.get(occasion, f"put before the agent: {occasion}")
    return f"{words} (sub-agent {subagent})" if subagent else words


def fired(path: str, line: str, outcome: str) -> str:
    """Returns which added line broke an entry, and what came of saying so."""
    return f"broken in {path} by “{' '.join(line.split())}”, {_OUTCOMES.get(outcome, outcome)}"


def repeated(delivered: bool) -> str:
    """Returns that an entry was said again, and whether the agent had it before."""
    return f"said again, {'although the agent had it' if delivered else 'and the agent did not have it'}"
