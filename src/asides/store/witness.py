"""The half of a store that follows entries: their subjects, and what happened when they mattered."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Literal

from asides.model.anchor import Subject
from asides.model.delivery import Occasion
from asides.model.entry import Entry, EntryId, Standing
from asides.model.turn import SessionId, TurnId
from asides.store.moments import Cued, Firing, Repeat, Tracked
from asides.store.shelf import Shelf


class Witness(ABC):
    """See `contract.Store` for what each method promises."""

    _shelf: Shelf

    @abstractmethod
    def get(self, name: str) -> Entry:
        """Returns the entry that an id or prefix names."""

    @abstractmethod
    def _resolve(self, name: str, *, logged: bool) -> EntryId:
        """Returns the one id that begins so."""

    def subjects(self) -> tuple[Tracked, ...]:
        """Returns the subjects of entries that stand, and of those retired because theirs went."""
        found = []
        for one in self._shelf.subjects():
            entry = self._shelf.entry(one.entry)
            standing = entry.standing if entry else None
            if standing in (Standing.LIVE, Standing.PROPOSED) or (
                standing is Standing.RETIRED and one.gone_at
            ):
                found.append(one)
        return tuple(found)

    def put_subject(self, name: str, subject: Subject, *, gone_at: str = "") -> None:
        """Writes down what an entry is about now, beside how it was when it was said."""
        with self._shelf.transaction():
            entry = self.get(name).id
            known = self._shelf.subject(entry)
            said = known.said if known else subject
            self._shelf.put_subject(Tracked(entry=entry, subject=subject, said=said, gone_at=gone_at))

    def drop_subject(self, name: str) -> None:
        """Forgets what an entry is about."""
        with self._shelf.transaction():
            self._shelf.drop_subject(self.get(name).id)

    def note_cue(self, cue: Cued) -> None:
        """Records once that an entry was put before an agent."""
        with self._shelf.transaction():
            self._shelf.add_cue(cue)

    def cues(self, name: str | None = None) -> tuple[Cued, ...]:
        """Returns cues, oldest first."""
        return self._shelf.cues(self._whole(name))

    def note_firing(self, firing: Firing) -> None:
        """Records once that an added line broke an entry."""
        with self._shelf.transaction():
            self._shelf.add_firing(firing)

    def firings(self, name: str | None = None) -> tuple[Firing, ...]:
        """Returns firings, oldest first."""
        return self._shelf.firings(self._whole(name))

    def open_firings(self, session: SessionId) -> tuple[Firing, ...]:
        """Returns the firings of a session of which nothing is known yet."""
        return tuple(
            one for one in self._shelf.firings(None) if one.session == session and one.outcome == "open"
        )

    def settle_firing(self, firing: Firing, outcome: Literal["heeded", "broken"], at: str) -> None:
        """Records what came of a firing; what is settled stays."""
        with self._shelf.transaction():
            self._shelf.settle_firing(replace(firing, outcome=outcome, settled_at=at))

    def repeats(self, name: str | None = None) -> tuple[Repeat, ...]:
        """Returns repeats, oldest first."""
        return self._shelf.repeats(self._whole(name))

    def _said_anew(self, entry: EntryId) -> None:
        """From now on the entry is about its subject as it is now."""
        known = self._shelf.subject(entry)
        if known is not None:
            self._shelf.put_subject(replace(known, said=known.subject))

    def _note_repeat(self, entry: EntryId, turn: TurnId, session: SessionId, at: str) -> None:
        told = [
            one.at
            for one in self._shelf.deliveries_of(entry)
            if one.session == session and one.left is None and one.occasion is not Occasion.SUBAGENT
        ]
        told += [one.at for one in self._shelf.cues(entry) if one.session == session]
        before = any(moment <= at for moment in told)
        self._shelf.add_repeat(Repeat(entry=entry, turn=turn, session=session, at=at, delivered=before))

    def _whole(self, name: str | None) -> EntryId | None:
        return None if name is None else self._resolve(name, logged=True)
