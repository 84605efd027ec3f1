"""What a person asks and does from a face: one project, its entries, their stories."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from asides.daemon.app import App
from asides.daemon.gateway import safe
from asides.daemon.placing import place
from asides.daemon.views import (
    ChangeView,
    EntryView,
    Story,
    TurnStory,
    UndoneView,
    WithdrawalView,
    change_view,
    cue_view,
    delivery_view,
    draft_view,
    entry_view,
    firing_view,
    repeat_view,
    undone_view,
    withdrawal_view,
    withdrawn_by,
)
from asides.deliver.choose import choose
from asides.judge.redact import MARKER
from asides.model.anchor import Anchor
from asides.model.clock import stamp
from asides.model.delivery import Occasion
from asides.model.entry import Actor, Entry, Kind, Operation, OperationId, Standing
from asides.model.errors import NoProject, Refused
from asides.model.judgment import Reason, Sighting
from asides.model.turn import Project, TurnId
from asides.observe import reasons
from asides.store.contract import Judged, Statement, Store
from asides.store.withdrawing import parsed

SHOWN = 300  # characters of a message in a list


class NothingToUndo(Refused):
    """There is nothing to undo in {project}."""

    hint = "See what was done with `asides log`."


class NoWords(Refused):
    """No words were given."""

    hint = "Write them behind the command, e.g. `asides add never squash migrations`."


class OnlySecrets(Refused):
    """Nothing is left of these words once secrets and private parts are taken out."""

    hint = "Say it without them; `asides` never stores them."


class Desk:
    """Serves one project. Every change is prepared for delivery before the method returns."""

    def __init__(self, app: App, folder: Path) -> None:
        """Raises NoProject when the folder belongs to none."""
        self._app = app
        self._folder = folder
        project = app.projects.of(str(folder))
        if project is None:
            raise NoProject(path=folder, why=why_none(folder))
        self.project: Project = project

    @property
    def store(self) -> Store:
        """The project's store, made when there is none."""
        return self._app.shelves.of(self.project.id)

    # asking

    def entries(self, standings: Collection[Standing] | None) -> tuple[EntryView, ...]:
        """Returns the entries of these standings (None: all), the oldest first."""
        if not self._app.shelves.exists(self.project.id):
            return ()
        choice = choose(self.store.live(), Occasion.START, self._app.clock())
        left = {entry.id: str(reason) for entry, reason in choice.left}
        return tuple(
            replace(entry_view(entry), left_out=left.get(entry.id, "")) for entry in self.store.all(standings)
        )

    def entry(self, name: str) -> EntryView:
        """Returns the entry that an id or prefix names."""
        return self._told_of(self.store.get(name))[0]

    def story(self, name: str) -> Story:
        """Returns everything that is stored about one entry; nothing is computed anew."""
        store = self.store
        entry = store.get(name)
        view, withdrawal = self._told_of(entry)
        return Story(
            entry=view,
            withdrawal=withdrawal,
            drafts=tuple(draft_view(each) for each in store.findings(entry=entry.id)),
            changes=tuple(change_view(each) for each in store.history(entry.id)),
            deliveries=tuple(delivery_view(each) for each in store.deliveries(entry.id)),
            cues=tuple(cue_view(each) for each in store.cues(entry.id)),
            firings=tuple(firing_view(each) for each in store.firings(entry.id)),
            repeats=tuple(repeat_view(each) for each in store.repeats(entry.id)),
        )

    def _told_of(self, entry: Entry) -> tuple[EntryView, WithdrawalView | None]:
        """Returns an entry, and what took it back if anything did; its note then says so in a sentence."""
        shown = entry_view(entry)
        if entry.standing is not Standing.RETIRED or not (taken := parsed(entry.note)):
            return shown, None
        ended = [one for one in self.store.history(entry.id) if withdrawn_by(one) == taken]
        if not ended:
            return shown, None
        kept = self._app.ledger.turn(taken.turn)
        withdrawal = withdrawal_view(
            taken,
            said_at=(kept.turn.said_at if kept else "") or ended[-1].at,
            session=kept.turn.session if kept else "",
        )
        return replace(shown, note=withdrawal.told), withdrawal

    def turns(self, limit: int) -> tuple[TurnStory, ...]:
        """Returns what became of the latest messages, newest first."""
        judged = self._app.ledger.rows("recent_judgments", project=self.project.id, limit=limit)
        skipped = self._app.ledger.rows("skipped_turns", project=self.project.id, limit=limit)
        stories = []
        for turn, _, writer, reason, kept, _, seconds, message, said_at, session in judged:
            drafts = self.store.findings(turn=TurnId(str(turn)))
            stories.append(
                TurnStory(
                    turn=str(turn),
                    said_at=str(said_at),
                    session=str(session),
                    message=_short(str(message)),
                    outcome=f"{kept!s} kept" if reason == Reason.OK else str(reason),
                    told=_told(drafts) if reason == Reason.OK else reasons.became("judged", str(reason)),
                    writer=str(writer),
                    seconds=float(str(seconds)),
                    drafts=tuple(draft_view(each) for each in drafts),
                )
            )
        for turn, said_at, state, reason, message, session in skipped:
            stories.append(
                TurnStory(
                    turn=str(turn),
                    said_at=str(said_at),
                    session=str(session),
                    message=_short(str(message)),
                    outcome=f"{state!s}: {reason!s}",
                    told=reasons.became(str(state), str(reason)),
                    writer="",
                    seconds=0.0,
                    drafts=(),
                )
            )
        return tuple(sorted(stories, key=lambda story: story.said_at, reverse=True)[:limit])

    def log(self, limit: int) -> tuple[ChangeView, ...]:
        """Returns the latest operations, newest first."""
        return tuple(change_view(each) for each in self.store.operations(limit))

    # doing

    def add(self, body: str, kind: Kind) -> EntryView:
        """Keeps what a person writes by hand; secrets are replaced, as everywhere."""
        words = _body(body)
        statement = Statement(
            body=words, kind=kind, said_at=stamp(self._app.clock()), anchor=self._place(words)
        )
        kept = self.store.keep(statement, actor=Actor.PERSON)
        self._app.following.bind(self.project, str(self._folder))
        return self._done(kept.entry.id)

    def edit(self, name: str, body: str) -> EntryView:
        """Changes the words of an entry, and what it is about if they name something else."""
        words = _body(body)
        with self.store.step():
            entry = self.store.edit(name, words)
            if (place := self._place(words)) != entry.anchor:
                self.store.reanchor(entry.id, place, actor=Actor.PERSON, why="the words were edited")
                self.store.drop_subject(entry.id)
        self._app.following.bind(self.project, str(self._folder))
        return self._done(entry.id)

    def confirm(self, name: str) -> EntryView:
        """Makes a proposed entry live."""
        return self._done(self.store.confirm(name).id)

    def retire(self, name: str, why: str) -> EntryView:
        """Takes an entry out; it may be said again."""
        return self._done(self.store.retire(name, why=_admitted(why)).id)

    def refuse(self, name: str, why: str) -> EntryView:
        """Takes an entry out for good."""
        return self._done(self.store.refuse(name, why=_admitted(why)).id)

    def restore(self, name: str) -> EntryView:
        """Makes an entry live again."""
        return self._done(self.store.restore(name).id)

    def undo(self, count: int) -> tuple[UndoneView, ...]:
        """Undoes the last steps, newest first; returns what was undone."""
        done = self.store.undo_last(count)
        if not done:
            raise NothingToUndo(project=self.project.name, what=self.project.name)
        return self._undone(done)

    def undo_operation(self, number: int) -> tuple[UndoneView, ...]:
        """Undoes one operation with all else of its step; undoing an undo redoes what it undid."""
        return self._undone(self.store.undo(OperationId(number)))

    def _undone(self, done: tuple[Operation, ...]) -> tuple[UndoneView, ...]:
        self._publish()
        return tuple(
            undone_view(undone, undoing)
            for undoing in done
            for undone in self.store.history(undoing.entry)
            if undone.undone_by == undoing.id
        )

    def _done(self, name: str) -> EntryView:
        self._publish()
        return self.entry(name)

    def _place(self, words: str) -> Anchor:
        return place(words, project=self.project, folder=self._folder, projects=self._app.projects)

    def _publish(self) -> None:
        self._app.projects.know(self.project, at=stamp(self._app.clock()))
        self._app.delivering.prepare(self.project.id)


def why_none(folder: Path) -> str:
    """Returns why a folder belongs to no project."""
    try:
        if not folder.exists():
            return "there is no such folder"
        if not folder.is_dir():
            return "it is a file"
    except PermissionError:
        return "it may not be read"
    if not os.access(folder, os.R_OK | os.X_OK):
        return "it may not be read"
    if any(
        (place / "HEAD").is_file() and (place / "objects").is_dir() for place in (folder, *folder.parents)
    ):
        return "a bare repository has no files to work on"
    return "home and temporary folders, and what holds them, never are"


def _admitted(text: str) -> str:
    """Returns a person's words as they may be stored: through the one gateway (hazard B-223)."""
    return safe(text).strip()


def _body(text: str) -> str:
    """Returns words that can be an entry. Raises NoWords, and OnlySecrets where nothing else is in them."""
    if not text.strip():
        raise NoWords
    body = _admitted(text)
    if not re.search(r"\w", MARKER.sub(" ", body)):
        raise OnlySecrets
    return body


def _told(drafts: tuple[Judged, ...]) -> str:
    """Returns how many of a message's drafts became what."""
    kept = [draft for draft in drafts if draft.kept]
    again = sum(isinstance(draft.relation, Sighting) for draft in kept)
    live = sum(draft.standing is Standing.LIVE for draft in kept if not isinstance(draft.relation, Sighting))
    counts = {"kept": live, "proposed": len(kept) - again - live, "said again": again}
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing kept"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"
