"""One judgment: what it may see, what was proposed, what each check found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from asides.model.anchor import Anchor
from asides.model.entry import Entry, EntryId, Framing, Source, Standing
from asides.model.turn import Turn


class Reason(StrEnum):
    """The closed list of why a check passed or refused."""

    # passed
    OK = "ok"
    # a turn that is not judged
    ABANDONED = "abandoned"  # taken back before any answer, or rewound
    SCRIPT = "script"  # the same -p prompt again and again
    MACHINE = "machine"  # tooling, not a person
    EMPTY = "empty"  # nothing left after redaction and masking
    # a judged turn with nothing in it
    NOTHING = "nothing"
    # refusals of a draft
    NOT_VERBATIM = "not_verbatim"
    NOT_GROUNDED = "not_grounded"
    OUR_OWN_WORDS = "our_own_words"  # grounded only in text that asides delivered
    NOT_OWN_WORDS = "not_own_words"  # pasted, quoted or relayed
    UNKNOWN_KIND = "unknown_kind"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    QUESTION = "question"
    ONLY_SECRETS = "only_secrets"
    BELOW_FLOOR = "below_floor"  # under the lower threshold
    REFUSED_BEFORE = "refused_before"
    SAID_TWICE = "said_twice"  # by a surer draft of the same message
    OVER_LIMIT = "over_limit"  # more from one message than is kept
    # outcomes that are not refusals
    SIGHTING = "sighting"
    SUPERSEDES = "supersedes"
    BELOW_LIVE = "below_live"  # between the two thresholds: proposed
    TAKEN_BACK = "taken_back"  # withdrawn by the next message: proposed at most; itself a withdrawal: refused
    TASK_SCOPED = "task_scoped"  # binds itself to the task at hand: proposed at most
    SAID_BEFORE = "said_before"  # older than what stands or than its own end: proposed at most, or refused
    # anchoring
    NAMED_AND_THERE = "named_and_there"
    NOT_NAMED = "not_named"
    NOT_THERE = "not_there"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Outcome of one check, with its measure."""

    check: str
    passed: bool
    reason: Reason
    measure: float | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a writer points at: a span of the message, in characters, half open."""

    start: int
    end: int
    kind: str
    framing: Framing
    score: float  # calibrated probability that it should be kept, 0 to 1
    source: Source = Source.HUMAN


class Writer(Protocol):
    """A model that finds what is worth keeping. Handed text only: no I/O, no clock."""

    @property
    def identity(self) -> str:
        """Name and version of the weights, e.g. `encoder-4`."""
        ...

    @property
    def live_threshold(self) -> float:
        """Score from which a proposal is live at once."""
        ...

    @property
    def floor(self) -> float:
        """Score under which a proposal is dropped; between both it is proposed."""
        ...

    def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:
        """Returns what may be worth keeping in `message`, given the agent's last words.

        Spans never overlap and come in order of `start`. Proposals under `floor` may be
        included; the judge drops and records them. Never raises on any text.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """All that one judgment may see, bounded."""

    turn: Turn
    standing: tuple[Entry, ...] = ()  # live and proposed entries of the project
    refused: tuple[Entry, ...] = ()  # what a person said no to
    delivered: tuple[str, ...] = ()  # texts that asides put before the agent in this session
    tracked: frozenset[str] = frozenset()  # paths from the root that exist in the checkout


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An entry not yet checked."""

    body: str
    start: int
    end: int
    kind: str
    framing: Framing
    source: Source
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class New:
    """Nothing that stands says this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """The developer said again what stands as `entry`."""

    entry: EntryId
    likeness: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersedes:
    """The developer changed what stands as `entry`, and as each of `also` with the same words."""

    entry: EntryId
    likeness: float
    also: tuple[EntryId, ...] = ()  # recorded with the entries that end and in verdicts, not with the finding


Relation = New | Sighting | Supersedes


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A draft with everything that was found out about it."""

    draft: Draft
    verdicts: tuple[Verdict, ...]
    kept: bool
    standing: Standing  # what it becomes when kept
    anchor: Anchor
    relation: Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn:
    """The developer took back what stands as `entry`, in so many words of the message."""

    entry: EntryId
    words: str
    likeness: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgment:
    """What was concluded about one turn."""

    turn: Turn
    writer: str
    reason: Reason  # OK when something was kept, else why nothing was
    findings: tuple[Finding, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()
    inferences: int = 0
    seconds: float = 0.0  # CPU seconds

    @property
    def kept(self) -> tuple[Finding, ...]:
        """The findings that enter the store."""
        return tuple(f for f in self.findings if f.kept)
