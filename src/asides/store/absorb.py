"""Takes one judgment into the store, so that taking it in again changes nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import assert_never

from asides.model.entry import Actor, Entry, EntryId, Kind, Source, Standing
from asides.model.errors import NoSuchEntry
from asides.model.judgment import Finding, Judgment, New, Reason, Sighting, Supersedes, Verdict, Withdrawn
from asides.store.contract import Absorbed, RefusedBefore, Statement, Store
from asides.store.withdrawing import TakenBack, noted


def absorb(store: Store, judgment: Judgment, *, at: str) -> Absorbed:
    """Keeps, sights, supersedes and retires what a judgment found, and records every draft with its verdicts.

    All of it is one step: a crash leaves nothing or everything, and one undo takes back what one judgment
    did. `at`: when it was judged; what claims to be said later than that was said then.
    """
    kept: list[Entry] = []
    sighted: list[Entry] = []
    superseded: list[Entry] = []
    retired: list[Entry] = []
    with store.step():
        for finding in judgment.findings:
            done = _absorb_one(store, judgment, finding, at) if finding.kept else _Done(finding=finding)
            store.note_finding(judgment, done.finding, at=at, entry=done.entry)
            kept.extend(done.kept)
            sighted.extend(done.sighted)
            superseded.extend(done.superseded)
        for withdrawn in judgment.withdrawn:
            retired.extend(_retire(store, judgment, withdrawn, min(judgment.turn.said_at, at)))
    return Absorbed(
        kept=tuple(kept), sighted=tuple(sighted), superseded=tuple(superseded), retired=tuple(retired)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Done:
    """What one finding changed, the entry it belongs to, and the finding as it is recorded."""

    finding: Finding
    entry: EntryId | None = None
    kept: tuple[Entry, ...] = ()
    sighted: tuple[Entry, ...] = ()
    superseded: tuple[Entry, ...] = ()


def _absorb_one(store: Store, judgment: Judgment, finding: Finding, at: str) -> _Done:
    said_at = min(judgment.turn.said_at, at)
    match finding.relation:
        case Sighting(entry=name):
            if (old := _still_there(store, name)) is not None:
                return _sight(store, judgment, finding, old, said_at)
            return _keep(store, judgment, finding, said_at)
        case Supersedes(entry=name, also=also):
            old = _still_there(store, name)
            if old is not None and _said_since(store, old, said_at):
                return _keep(store, judgment, _outdated(finding, old.id), said_at)
            done = _keep(store, judgment, finding, said_at)
            # A draft under the live threshold must not take out what stands.
            if not done.kept or done.kept[0].standing is not Standing.LIVE:
                return done
            others = (_still_there(store, one) for one in also)
            ended = [old, *(one for one in others if one and not _said_since(store, one, said_at))]
            why = f"said in turn {judgment.turn.id}"
            gone = [store.supersede(one.id, done.kept[0].id, why=why) for one in ended if one]
            return replace(done, superseded=tuple(gone))
        case New():
            return _keep(store, judgment, finding, said_at)
        case _:
            assert_never(finding.relation)


def _sight(store: Store, judgment: Judgment, finding: Finding, old: Entry, said_at: str) -> _Done:
    seen = store.sight(
        old.id,
        turn=judgment.turn.id,
        session=judgment.turn.session if finding.draft.source is Source.HUMAN else None,
        start=finding.draft.start,
        end=finding.draft.end,
        said_at=said_at,
        promote=finding.standing is Standing.LIVE,
    )
    return _Done(finding=finding, entry=old.id, sighted=(seen,) if seen != old else ())


def _keep(store: Store, judgment: Judgment, finding: Finding, said_at: str) -> _Done:
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
        said_at=said_at,
    )
    if said_at and (ended := store.ended(draft.body, said_at)) is not None:
        return _Done(finding=_refused(finding, "ended", Reason.SAID_BEFORE, ended), entry=ended)
    try:
        kept = store.keep(statement)
    except RefusedBefore as refusal:
        # Refused between judging and keeping; the record names the entry that stands against it.
        against = EntryId(str(refusal.facts["entry"]))
        return _Done(finding=_refused(finding, "refused", Reason.REFUSED_BEFORE, against), entry=against)
    return _Done(finding=finding, entry=kept.entry.id, kept=(kept.entry,) if kept.fresh else ())


def _retire(store: Store, judgment: Judgment, withdrawn: Withdrawn, said_at: str) -> tuple[Entry, ...]:
    """Takes out what the developer took back, unless it was said or brought back since."""
    old = _still_there(store, withdrawn.entry)
    if old is None or _said_since(store, old, said_at):
        return ()
    why = noted(TakenBack(turn=judgment.turn.id, words=withdrawn.words))
    return (store.retire(old.id, actor=Actor.WRITER, why=why),)


def _still_there(store: Store, name: EntryId) -> Entry | None:
    """Returns the entry if it can still be sighted or superseded; it may have changed since judging."""
    try:
        entry = store.get(name)
    except NoSuchEntry:
        return None
    return entry if entry.standing in (Standing.LIVE, Standing.PROPOSED) else None


def _said_since(store: Store, entry: Entry, said_at: str) -> bool:
    """Tells whether an entry was said, or confirmed, edited or brought back by a person, after a moment."""
    by_hand = (
        one.at for one in store.history(entry.id) if one.actor is Actor.PERSON and one.undone_by is None
    )
    return bool(said_at) and said_at < max(entry.said_at, entry.last_seen_at, *by_hand)


def _outdated(finding: Finding, by: EntryId) -> Finding:
    """Returns a finding that is proposed only, because what it would change was said later."""
    verdict = Verdict(check="relation", passed=True, reason=Reason.SAID_BEFORE, detail=by)
    return replace(finding, standing=Standing.PROPOSED, relation=New(), verdicts=(*finding.verdicts, verdict))


def _refused(finding: Finding, check: str, reason: Reason, against: EntryId) -> Finding:
    verdict = Verdict(check=check, passed=False, reason=reason, detail=against)
    return replace(finding, kept=False, standing=Standing.PROPOSED, verdicts=(*finding.verdicts, verdict))
