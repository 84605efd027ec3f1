"""Takes one judgment into the store, so that taking it in again changes nothing."""

from __future__ import annotations

from asides.model.entry import Entry, EntryId, Kind, Standing
from asides.model.errors import NoSuchEntry
from asides.model.judgment import Finding, Judgment, New, Sighting, Supersedes
from asides.store.contract import Absorbed, RefusedBefore, Statement, Store


def absorb(store: Store, judgment: Judgment, *, at: str) -> Absorbed:
    """Keeps, sights and supersedes what a judgment found, and records every draft with its verdicts.

    Each finding is one step with its record, so a crash half way leaves whole findings,
    and judging the turn again adds only those that are missing. `at`: when it was judged.
    """
    kept: list[Entry] = []
    sighted: list[Entry] = []
    superseded: list[Entry] = []
    for finding in judgment.findings:
        with store.step():
            done = _absorb_one(store, judgment, finding) if finding.kept else _Done()
            store.note_finding(judgment, finding, at=at, entry=done.entry)
        kept.extend(done.kept)
        sighted.extend(done.sighted)
        superseded.extend(done.superseded)
    return Absorbed(kept=tuple(kept), sighted=tuple(sighted), superseded=tuple(superseded))


class _Done:
    """What one finding changed, and the entry it belongs to."""

    def __init__(
        self,
        entry: EntryId | None = None,
        *,
        kept: tuple[Entry, ...] = (),
        sighted: tuple[Entry, ...] = (),
        superseded: tuple[Entry, ...] = (),
    ) -> None:
        self.entry = entry
        self.kept = kept
        self.sighted = sighted
        self.superseded = superseded


def _absorb_one(store: Store, judgment: Judgment, finding: Finding) -> _Done:
    match finding.relation:
        case Sighting(entry=name):
            if (old := _still_there(store, name)) is not None:
                return _sight(store, judgment, finding, old)
            return _keep(store, judgment, finding)
        case Supersedes(entry=name):
            done = _keep(store, judgment, finding)
            old = _still_there(store, name)
            # A draft under the live threshold must not take out what stands.
            if old is None or not done.kept or done.kept[0].standing is not Standing.LIVE:
                return done
            gone = store.supersede(old.id, done.kept[0].id, why=f"said in turn {judgment.turn.id}")
            return _Done(done.entry, kept=done.kept, superseded=(gone,))
        case New():
            return _keep(store, judgment, finding)


def _sight(store: Store, judgment: Judgment, finding: Finding, old: Entry) -> _Done:
    turn, draft = judgment.turn, finding.draft
    seen = store.sight(
        old.id,
        turn=turn.id,
        start=draft.start,
        end=draft.end,
        said_at=turn.said_at,
        promote=finding.standing is Standing.LIVE,
    )
    return _Done(old.id, sighted=(seen,) if seen != old else ())


def _keep(store: Store, judgment: Judgment, finding: Finding) -> _Done:
    turn, draft = judgment.turn, finding.draft
    statement = Statement(
        body=draft.body,
        kind=Kind(draft.kind),
        source=draft.source,
        framing=draft.framing,
        standing=finding.standing,
        anchor=finding.anchor,
        score=draft.score,
        writer=judgment.writer,
        session=turn.session,
        turn=turn.id,
        start=draft.start,
        end=draft.end,
        said_at=turn.said_at,
    )
    try:
        kept = store.keep(statement)
    except RefusedBefore as refusal:
        # Refused between judging and keeping; the record names the entry that stands against it.
        return _Done(EntryId(str(refusal.facts["entry"])))
    return _Done(kept.entry.id, kept=(kept.entry,) if kept.fresh else ())


def _still_there(store: Store, name: EntryId) -> Entry | None:
    """Returns the entry if it can still be sighted or superseded; it may have changed since judging."""
    try:
        entry = store.get(name)
    except NoSuchEntry:
        return None
    return entry if entry.standing in (Standing.LIVE, Standing.PROPOSED) else None
