"""Whether a draft repeats, changes or adds to what stands. Precision first: what is unsure is new."""

from __future__ import annotations

from dataclasses import dataclass, replace

from asides.judge.likeness import Reading, changed, flipped, likeness, read, same
from asides.judge.reversal import reverses
from asides.model.entry import Entry, Kind, Source, Standing
from asides.model.judgment import Draft, New, Reason, Relation, Sighting, Supersedes, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """How a draft stands to the entries of the project, and the verdicts that say why.

    `outdated`: something live that contradicts it was said later. `twin`: the proposed entry that says the
    same, for a draft that turns out too unsure to supersede.
    """

    relation: Relation
    verdicts: tuple[Verdict, ...]
    outdated: bool = False
    twin: Sighting | None = None


def relate(
    draft: Draft,
    standing: tuple[Entry, ...],
    refused: tuple[Entry, ...],
    *,
    said_at: str,
    gone: tuple[tuple[Entry, str], ...] = (),
) -> Related:
    """Returns how a draft stands to the entries of the project.

    What a person refused comes first: its near duplicate does not pass. Then what stands no longer: words
    said before the end of the entry that held them do not pass (`gone`: such entries, each with the moment of
    its end). Then the live entry that says the same, then those that are changed, then the proposed one that
    says the same. An agent's draft never changes what a person said, nor an older saying a newer one.

    `said_at`: when the draft was said; moments are ISO 8601 in UTC and compare as text.
    """
    reading = read(draft.body)
    for entry in refused:
        other = read(entry.body)
        if same(reading, other):
            measure = likeness(reading, other)
            verdict = Verdict(
                check="refused", passed=False, reason=Reason.REFUSED_BEFORE, measure=measure, detail=entry.id
            )
            return Related(relation=New(), verdicts=(verdict,))
    fresh = Verdict(check="refused", passed=True, reason=Reason.OK)
    there = [(entry, read(entry.body)) for entry in standing if _stands(entry)]
    ended = [] if any(same(reading, other) for _, other in there) else gone
    for entry, until in ended:
        other = read(entry.body)
        if said_at < until and same(reading, other):
            measure = likeness(reading, other)
            verdict = Verdict(
                check="ended", passed=False, reason=Reason.SAID_BEFORE, measure=measure, detail=entry.id
            )
            return Related(relation=New(), verdicts=(fresh, verdict))
    found = _among(draft, reading, there, said_at)
    return replace(found, verdicts=(fresh, *found.verdicts))


def _among(draft: Draft, reading: Reading, there: list[tuple[Entry, Reading]], said_at: str) -> Related:
    twins = [(entry, likeness(reading, other)) for entry, other in there if same(reading, other)]
    twins.sort(key=lambda one: one[0].standing is not Standing.LIVE)
    if twins and twins[0][0].standing is Standing.LIVE:
        return _sighting(*twins[0])
    twin = Sighting(entry=twins[0][0].id, likeness=twins[0][1]) if twins else None
    others = [
        (entry, other)
        for entry, other in there
        if entry.source is not Source.HUMAN or draft.source is Source.HUMAN
    ]
    for entry, other in others:
        if (
            entry.standing is Standing.LIVE
            and said_at < _last_said(entry)
            and _at_odds(draft, reading, entry, other)
        ):
            verdict = _verdict(Reason.SAID_BEFORE, likeness(reading, other), entry.id)
            return Related(relation=twin or New(), verdicts=(verdict,), outdated=True)
    for entry, other in others:
        # What is only proposed, and was said later, neither gives way nor holds back.
        if said_at >= _last_said(entry) and (
            _turned(draft.kind, reading, other) or _reversed(draft, entry, draft.body, entry.body)
        ):
            measure = likeness(reading, other)
            verdict = _verdict(Reason.SUPERSEDES, measure, entry.id)
            return Related(
                relation=Supersedes(entry=entry.id, likeness=measure), verdicts=(verdict,), twin=twin
            )
    if twins:
        return _sighting(*twins[0])
    nearest = max((likeness(reading, other) for _, other in there), default=0.0)
    return Related(relation=New(), verdicts=(_verdict(Reason.OK, nearest),))


def _turned(kind: str, later: Reading, earlier: Reading) -> bool:
    """Tells whether the later saying, of this kind, puts another rule in the place of the earlier."""
    return flipped(later, earlier) or changed(later, earlier, turning=kind == Kind.CORRECTION)


def _at_odds(draft: Draft, reading: Reading, entry: Entry, other: Reading) -> bool:
    if _turned(entry.kind, other, reading) or _turned(draft.kind, reading, other):
        return True
    return _reversed(draft, entry, entry.body, draft.body) or _reversed(draft, entry, draft.body, entry.body)


def _reversed(draft: Draft, entry: Entry, later: str, earlier: str) -> bool:
    """Tells whether the later body turns the earlier round; work that is put off turns nothing."""
    return Kind.LOOP not in (draft.kind, entry.kind) and reverses(later, earlier)


def _sighting(entry: Entry, measure: float) -> Related:
    return Related(
        relation=Sighting(entry=entry.id, likeness=measure),
        verdicts=(_verdict(Reason.SIGHTING, measure, entry.id),),
    )


def _last_said(entry: Entry) -> str:
    return entry.last_seen_at or entry.said_at


def _stands(entry: Entry) -> bool:
    return entry.standing in (Standing.LIVE, Standing.PROPOSED)


def _verdict(reason: Reason, measure: float, detail: str = "") -> Verdict:
    return Verdict(check="relation", passed=True, reason=reason, measure=measure, detail=detail)
