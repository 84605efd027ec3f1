"""Keeps each entry tied to its subject as the code changes: follows, doubts, retires, brings back."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from asides.code.changes import Checkout, branch_that_holds, changes_since
from asides.code.drift import edited, follow, identify
from asides.code.git import checkout, head
from asides.daemon.shelves import Shelves
from asides.intake.ledger import Ledger
from asides.model.anchor import Drift, Followed, General, Subject, label
from asides.model.clock import Clock, stamp
from asides.model.entry import Act, Actor, Entry, Standing
from asides.model.health import Heartbeat, Outcome
from asides.model.turn import Project, ProjectId
from asides.store.contract import Store
from asides.store.moments import Tracked

# Share of a subject that is other than when the developer spoke of it, from which the entry may not fit any
# more: half of it. Chosen, not measured.
VERIFY_FROM = 0.5

Looked = tuple[str, tuple[tuple[str, int, int], ...]]  # HEAD, and each anchored file as it was


class Following:
    """One for the daemon."""

    def __init__(self, ledger: Ledger, shelves: Shelves, *, clock: Clock) -> None:
        self._ledger = ledger
        self._shelves = shelves
        self._clock = clock
        self._looked: dict[tuple[ProjectId, str], Looked] = {}

    def look(self, project: Project, folder: str) -> bool:
        """Follows every anchored entry of a project in the checkout that `folder` lies in.

        Returns whether an entry changed. Does nothing while HEAD and the anchored files are as at the last
        look. What cannot be told changes nothing.
        """
        root = checkout(folder) or project.root
        if not self.bind(project, folder):
            return False
        store = self._shelves.of(project.id)
        tracked = store.subjects()
        if not tracked:
            return False
        commit = head(root) if project.git_dir else ""
        now = (commit, _stats(root, {one.subject.anchor.path for one in tracked}))
        if self._looked.get((project.id, root)) == now:
            return False
        followed = follow(
            [one.subject for one in tracked],
            Checkout(root),
            changes=lambda since: changes_since(root, since),
            elsewhere=lambda subject: branch_that_holds(root, subject),
            commit=commit,
        )
        changed = 0
        with store.step():
            for one, found in zip(tracked, followed, strict=True):
                changed += self._settle(store, one, found, commit)
        self._looked[project.id, root] = now
        self._beat(changed, len(tracked), project)
        return bool(changed)

    def bind(self, project: Project, folder: str) -> bool:
        """Writes down what anchored entries are about that nobody looked at yet.

        Returns whether there is anything that could be followed from `folder`.
        """
        root = checkout(folder) or project.root
        if not self._shelves.exists(project.id) or not Path(root).is_dir():
            return False
        store = self._shelves.of(project.id)
        unbound = _unbound(store)
        tree, commit = Checkout(root), head(root) if unbound and project.git_dir else ""
        for entry in unbound:
            assert not isinstance(entry.anchor, General)
            if (subject := identify(entry.anchor, tree, commit=commit)) is not None:
                store.put_subject(entry.id, subject)
        return True

    def _settle(self, store: Store, one: Tracked, found: Followed, commit: str) -> bool:
        """Draws the consequence for one entry; returns whether what is delivered changes."""
        entry = store.get(one.entry)
        if one.gone_at and entry.standing is Standing.RETIRED:
            return _brought_back(store, entry, one, found, commit)
        match found.drift:
            case Drift.SAME | Drift.EDITED | Drift.MOVED if found.subject is not None:
                moved = _moved(store, entry, found, commit)
                if found.subject != one.subject:
                    store.put_subject(entry.id, found.subject)
                return _doubted(store, entry, edited(one.said, found.subject), found.subject) or moved
            case Drift.GONE:
                return self._gone(store, entry, one.subject, commit)
            case _:
                return False

    def _gone(self, store: Store, entry: Entry, subject: Subject, commit: str) -> bool:
        """Retires an entry whose subject is gone; one that a person wanted back holds for everything then."""
        why = f"{label(subject.anchor)} is gone{_since(commit)}"
        if _wanted_back(store, entry):
            store.reanchor(entry.id, General(), why=f"{why}, and the entry was brought back before")
            store.drop_subject(entry.id)
        else:
            store.retire(entry.id, actor=Actor.CHECK, why=why)
            store.put_subject(entry.id, subject, gone_at=stamp(self._clock()))
        return True

    def _beat(self, changed: int, looked_at: int, project: Project) -> None:
        self._ledger.beat(
            Heartbeat(
                what="follow",
                at=stamp(self._clock()),
                outcome=Outcome.OK if changed else Outcome.QUIET,
                event=project.id,
                reason=f"{changed} of {looked_at} anchored entries changed" if changed else "",
            )
        )


def _unbound(store: Store) -> list[Entry]:
    """Returns the entries that stand and are anchored, and whose subject was never looked at."""
    bound = {one.entry for one in store.subjects()}
    standing = store.all((Standing.LIVE, Standing.PROPOSED))
    return [entry for entry in standing if entry.id not in bound and not isinstance(entry.anchor, General)]


def _moved(store: Store, entry: Entry, found: Followed, commit: str) -> bool:
    """Re-anchors an entry whose subject is elsewhere now."""
    assert found.subject is not None
    place = found.subject.anchor
    if found.drift is not Drift.MOVED or place == entry.anchor:
        return False
    how = f", and {found.edited:.0%} of it is other" if found.edited else ""
    store.reanchor(entry.id, place, why=f"{label(entry.anchor)} is {label(place)} now{_since(commit)}{how}")
    return True


def _doubted(store: Store, entry: Entry, share: float, subject: Subject) -> bool:
    """Marks an entry whose subject is much other than when it was spoken of, or takes the mark away."""
    verify = (
        f"{label(subject.anchor)} has changed by {share:.0%} since this was said"
        if share >= VERIFY_FROM
        else ""
    )
    if bool(verify) == bool(entry.verify):
        return False
    store.doubt(entry.id, verify, why=verify or f"{label(subject.anchor)} is again much as it was")
    return True


def _brought_back(store: Store, entry: Entry, one: Tracked, found: Followed, commit: str) -> bool:
    """Restores an entry whose subject is there again, where it was and much as it was."""
    back = found.subject
    if found.drift not in (Drift.SAME, Drift.EDITED) or back is None or found.edited >= VERIFY_FROM:
        return False
    store.restore(entry.id, actor=Actor.CHECK, why=f"{label(one.subject.anchor)} is back{_since(commit)}")
    store.put_subject(entry.id, back)
    return True


def _wanted_back(store: Store, entry: Entry) -> bool:
    """Tells whether a person brought the entry back after we had retired it."""
    retired = False
    for operation in store.history(entry.id):
        if operation.actor is Actor.CHECK and operation.act is Act.RETIRE:
            retired = True
        elif retired and operation.actor is Actor.PERSON and operation.act in (Act.RESTORE, Act.UNDO):
            return True
    return False


def _since(commit: str) -> str:
    return f" as of commit {commit[:12]}" if commit else ""


def _stats(root: str, paths: Iterable[str]) -> tuple[tuple[str, int, int], ...]:
    """Returns each path with its time of change and size, none for what is not there."""
    found = []
    for path in sorted(paths):
        try:
            there = Path(root, path).stat()
        except OSError:  # gone, or closed to us: following tells which
            found.append((path, 0, -1))
        else:
            found.append((path, there.st_mtime_ns, there.st_size))
    return tuple(found)
