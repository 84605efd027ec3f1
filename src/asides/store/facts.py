"""What happened around the entries: judged drafts, prepared texts, deliveries, announcements.

It is what `asides why` answers from; nothing here changes an entry.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from datetime import timedelta

from asides.model.clock import Clock, stamp
from asides.model.delivery import Choice, Occasion
from asides.model.entry import Entry, EntryId
from asides.model.judgment import Finding, Judgment
from asides.model.turn import SessionId, TurnId
from asides.store.contract import GIVEN_DAYS, Delivered, Judged
from asides.store.naming import excerpt
from asides.store.shelf import Shelf

UNDELIVERED_VERSIONS = 20  # how many versions nobody got are remembered: hooks lag by seconds, not days


class Facts(ABC):
    """The recording half of a store: see `contract.Store` for what each method promises."""

    _shelf: Shelf
    _now: Clock

    @abstractmethod
    def live(self) -> tuple[Entry, ...]:
        """Returns the entries that are delivered, oldest first."""

    @abstractmethod
    def _resolve(self, name: str, *, logged: bool) -> EntryId:
        """Returns the one id that begins so."""

    def note_finding(
        self, judgment: Judgment, finding: Finding, *, at: str, entry: EntryId | None = None
    ) -> bool:
        """Records a draft with its verdicts, once for each span of a turn."""
        turn, draft = judgment.turn, finding.draft
        judged = Judged(
            turn=turn.id,
            session=turn.session,
            said_at=turn.said_at,
            judged_at=at,
            writer=judgment.writer,
            start=draft.start,
            end=draft.end,
            body=draft.body,
            kind=draft.kind,
            framing=draft.framing,
            source=draft.source,
            score=draft.score,
            kept=finding.kept,
            standing=finding.standing,
            anchor=finding.anchor,
            relation=finding.relation,
            verdicts=finding.verdicts,
            excerpt=excerpt(turn.message, draft.start, draft.end),
            entry=entry,
        )
        with self._shelf.transaction():
            return self._shelf.add_finding(judged)

    def findings(
        self,
        *,
        entry: str | None = None,
        turn: TurnId | None = None,
        kept: bool | None = None,
        limit: int = 100,
    ) -> tuple[Judged, ...]:
        """Returns judged drafts, newest first."""
        whole = None if entry is None else self._resolve(entry, logged=True)
        return self._shelf.judged(entry=whole, turn=turn, kept=kept, limit=limit)

    def note_prepared(
        self, version: str, choices: Iterable[Choice], texts: Mapping[Occasion, str] | None = None
    ) -> None:
        """Remembers a version of the prepared texts: its words, what it holds, and what it leaves out."""
        with self._shelf.transaction():
            self._shelf.put_prepared(version, choices, texts or {}, keep=UNDELIVERED_VERSIONS)

    def note_delivery(self, session: SessionId, occasion: Occasion, version: str, at: str) -> None:
        """Records that a session was given a version."""
        with self._shelf.transaction():
            self._shelf.add_delivery(session, occasion, version, at)

    def deliveries(self, name: str) -> tuple[Delivered, ...]:
        """Returns each session that got an entry, or did not and why, oldest first."""
        return self._shelf.deliveries_of(self._resolve(name, logged=True))

    def delivered_to(self, session: SessionId) -> tuple[str, ...]:
        """Returns the texts put before one session."""
        return self._shelf.delivered_texts(session)

    def versions_given(self, *, since: str | None = None) -> tuple[str, ...]:
        """Returns which versions the known sessions hold."""
        lately = self._now() - timedelta(days=GIVEN_DAYS)
        return self._shelf.last_versions(stamp(lately) if since is None else since)

    def unannounced(self) -> tuple[Entry, ...]:
        """Returns live entries that a writer kept and no person was told of, oldest first."""
        told = self._shelf.announced()
        return tuple(one for one in self.live() if one.writer != "person" and one.id not in told)

    def mark_announced(self, entries: Iterable[EntryId]) -> None:
        """Records that a person was told of these entries."""
        with self._shelf.transaction():
            self._shelf.add_announced(entries, stamp(self._now()))
