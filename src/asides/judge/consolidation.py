"""Whether a draft repeats, changes or adds to what stands. Precision first: what is unsure is new.

Fixed forms come first (`likeness`, `reversal`); what none of them fits is weighed (`kinship`). A weighed
repeat of what is only proposed needs less certainty than one of what is live: nothing is lost by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from asides.judge.kinship import Closeness, Kinship, kinship
from asides.judge.likeness import Reading, changed, flipped, likeness, read, same
from asides.judge.reversal import reverses
from asides.model.entry import Entry, Kind, Source, Standing
from asides.model.judgment import Draft, New, Reason, Relation, Sighting, Supersedes, Verdict

RELATION = "relation"  # the check

# From the curves of train/kinship.py, by leaving out groups of entries.
SAME_LIVE = 0.90  # 53% of repeats are found, 97% of what is found is one: a mistake loses a rule
SAME_PROPOSED = 0.50  # 75% are found, 91% right
ENDS = 0.75  # 60% of changes are found, 97% of what is found is one
# From here a writer that can be asked may say so; a repeat of what is live from SAME_PROPOSED. Of 152 repeats
# and 120 changes that the bars above miss (train/data/pairs.jsonl, dev and test) 40% and 68% reach it; of
# narrower and other sayings 12% and 3%, of strangers 0.04%.
POSSIBLE = 0.10


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """How a draft stands to the entries of the project, and the verdicts that say why.

    `outdated`: something live that contradicts it was said later. `twin`: the proposed entry that says the
    same, for a draft that turns out too unsure to supersede. `by_writer`: the relation is the writer's word.
    """

    relation: Relation
    verdicts: tuple[Verdict, ...]
    outdated: bool = False
    twin: Sighting | None = None
    by_writer: bool = False


def relate(
    draft: Draft,
    standing: tuple[Entry, ...],
    refused: tuple[Entry, ...],
    *,
    said_at: str,
    gone: tuple[tuple[Entry, str], ...] = (),
    closeness: Closeness | None = None,
) -> Related:
    """Returns how a draft stands to the entries of the project.

    What a person refused comes first: its near duplicate does not pass. Then what stands no longer: words
    said before the end of the entry that held them do not pass (`gone`: such entries, each with the moment of
    its end). Then the live entry that says the same, then those that are changed, then the proposed one that
    says the same. An agent's draft never changes what a person said, nor an older saying a newer one.

    `said_at`: when the draft was said; moments are ISO 8601 in UTC and compare as text. `closeness`: how near
    texts are in meaning; without it words alone are weighed.
    """
    reading = read(draft.body)
    near = _Near(draft.body, closeness)
    near.look_at([*refused, *standing])
    for entry in refused:
        if (measure := _repeats(reading, entry, near)) is not None:
            verdict = Verdict(
                check="refused", passed=False, reason=Reason.REFUSED_BEFORE, measure=measure, detail=entry.id
            )
            return Related(relation=New(), verdicts=(verdict,))
    fresh = Verdict(check="refused", passed=True, reason=Reason.OK)
    there = [(entry, read(entry.body)) for entry in standing if _stands(entry)]
    before = [(entry, until) for entry, until in gone if said_at < until]
    if before and any(_repeats(reading, entry, near) is not None for entry, _ in there):
        before = []
    near.look_at([entry for entry, _ in before])
    for entry, _ in before:
        if (measure := _repeats(reading, entry, near)) is not None:
            verdict = Verdict(
                check="ended", passed=False, reason=Reason.SAID_BEFORE, measure=measure, detail=entry.id
            )
            return Related(relation=New(), verdicts=(fresh, verdict))
    found = _among(draft, reading, there, said_at, near)
    return replace(found, verdicts=(fresh, *found.verdicts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Possible:
    """An entry, and how likely, 0 to 1, a draft repeats it or ends it; 0 where that cannot be."""

    entry: Entry
    same: float
    ends: float


def possible(
    draft: Draft, standing: tuple[Entry, ...], *, said_at: str, closeness: Closeness | None
) -> tuple[Possible, ...]:
    """Returns the entries that a draft may repeat or end, the likeliest first: what may be asked about it.

    An agent's draft ends nothing that a person said, nor an older saying a newer one.
    """
    there = [entry for entry in standing if _stands(entry)]
    near = _Near(draft.body, closeness)
    near.look_at(there)
    found = []
    for entry in there:
        kin = near.kin(entry)
        may_end = _may_end(draft) and said_at >= _last_said(entry) and _yields(entry, draft)
        ends = kin.ends if may_end and kin.ends >= POSSIBLE else 0.0
        bar = SAME_PROPOSED if entry.standing is Standing.LIVE else POSSIBLE
        same = kin.same if kin.same >= bar else 0.0
        if same or ends:
            found.append(Possible(entry=entry, same=round(same, 3), ends=round(ends, 3)))
    return tuple(sorted(found, key=lambda one: -max(one.same, one.ends)))


def related_as(found: Related, relation: Sighting | Supersedes) -> Related:
    """Returns what was found with another relation in its place: the writer's word."""
    reason = Reason.SIGHTING if isinstance(relation, Sighting) else Reason.SUPERSEDES
    others = tuple(one for one in found.verdicts if one.check != RELATION)
    verdict = _verdict(reason, relation.likeness, relation.entry)
    return replace(found, relation=relation, verdicts=(*others, verdict), by_writer=True)


class _Near:
    """Weighs the draft against entries, each once."""

    def __init__(self, body: str, closeness: Closeness | None) -> None:
        self._body = body
        self._closeness = closeness
        self._close: dict[str, float] = {}
        self._known: dict[tuple[str, bool], Kinship] = {}

    def look_at(self, entries: Sequence[Entry]) -> None:
        """Asks for all of them at once how near they are."""
        bodies = [entry.body for entry in entries if entry.body not in self._close]
        found = self._closeness(self._body, bodies) if self._closeness and bodies else None
        if found is not None:
            self._close.update(zip(bodies, found, strict=True))

    def kin(self, entry: Entry) -> Kinship:
        """Returns how the draft, said later, stands to an entry."""
        return self._weighed(self._body, entry.body, entry.body, forth=True)

    def kin_back(self, entry: Entry) -> Kinship:
        """Returns how an entry, said later, stands to the draft."""
        return self._weighed(entry.body, self._body, entry.body, forth=False)

    def _weighed(self, later: str, earlier: str, body: str, *, forth: bool) -> Kinship:
        found = self._known.get((body, forth))
        if found is None:
            found = kinship(later, earlier, closeness=self._close.get(body))
            self._known[body, forth] = found
        return found


def _repeats(reading: Reading, entry: Entry, near: _Near, bar: float = SAME_LIVE) -> float | None:
    """Returns how surely the draft says what an entry says, where that is certain enough."""
    other = read(entry.body)
    if same(reading, other):
        return likeness(reading, other)
    weighed = near.kin(entry)
    return round(weighed.same, 3) if weighed.same >= max(bar, weighed.ends) else None


def _among(
    draft: Draft, reading: Reading, there: list[tuple[Entry, Reading]], said_at: str, near: _Near
) -> Related:
    twins = [(entry, likeness(reading, other)) for entry, other in there if same(reading, other)]
    twins.sort(key=lambda one: one[0].standing is not Standing.LIVE)
    if twins and twins[0][0].standing is Standing.LIVE:
        return _sighting(*twins[0])
    others = [(entry, other) for entry, other in there if _yields(entry, draft)]
    twins += _likely(
        reading, [one for one in there if one[0].standing is Standing.PROPOSED], near, SAME_PROPOSED
    )
    twin = Sighting(entry=twins[0][0].id, likeness=twins[0][1]) if twins else None
    for entry, other in others:
        if (
            entry.standing is Standing.LIVE
            and said_at < _last_said(entry)
            and (_at_odds(draft, reading, entry, other) or _weighed_at_odds(draft, entry, near))
        ):
            verdict = _verdict(Reason.SAID_BEFORE, likeness(reading, other), entry.id)
            return Related(relation=twin or New(), verdicts=(verdict,), outdated=True)
    # What is only proposed, and was said later, neither gives way nor holds back.
    older = [(entry, other) for entry, other in others if said_at >= _last_said(entry)]
    for entry, other in older:
        if _turned(draft.kind, reading, other) or _reversed(draft, entry, draft.body, entry.body):
            return _superseding(entry, likeness(reading, other), twin, ending=_ending(draft, older, near))
    live = _likely(reading, [one for one in there if one[0].standing is Standing.LIVE], near, SAME_LIVE)
    if live:
        return _sighting(*live[0])
    ending = _ending(draft, older, near)
    surest = max(ending, key=lambda one: one[1], default=None)
    if surest is not None and surest[1] >= ENDS:
        return _superseding(surest[0], round(surest[1], 3), twin, ending=ending)
    if twins:
        return _sighting(*twins[0])
    nearest = max((likeness(reading, other) for _, other in there), default=0.0)
    return Related(relation=New(), verdicts=(_verdict(Reason.OK, nearest),))


def _likely(
    reading: Reading, there: list[tuple[Entry, Reading]], near: _Near, bar: float
) -> list[tuple[Entry, float]]:
    """Returns the entries that the draft likely repeats, the likeliest first."""
    found = [
        (entry, measure)
        for entry, other in there
        if not same(reading, other) and (measure := _repeats(reading, entry, near, bar)) is not None
    ]
    return sorted(found, key=lambda one: -one[1])


def _ending(draft: Draft, older: list[tuple[Entry, Reading]], near: _Near) -> list[tuple[Entry, float]]:
    """Returns how surely the draft ends each of the older entries."""
    return [(entry, near.kin(entry).ends) for entry, _ in older] if _may_end(draft) else []


def _superseding(
    entry: Entry, measure: float, twin: Sighting | None, *, ending: list[tuple[Entry, float]]
) -> Related:
    """Returns that an entry is superseded, and what else is ended as surely as a repeat has to be."""
    also = [(one, round(ends, 3)) for one, ends in ending if one is not entry and ends >= SAME_LIVE]
    ended = [(entry, measure), *also]
    return Related(
        relation=Supersedes(entry=entry.id, likeness=measure, also=tuple(one.id for one, _ in also)),
        verdicts=tuple(_verdict(Reason.SUPERSEDES, sure, one.id) for one, sure in ended),
        twin=twin,
    )


def _yields(entry: Entry, draft: Draft) -> bool:
    """Tells whether an entry may give way: what a person said does not to what an agent said."""
    return entry.source is not Source.HUMAN or draft.source is Source.HUMAN


def _may_end(draft: Draft) -> bool:
    """Tells whether a draft can change what it does not name by a fixed form; work that is put off cannot."""
    return draft.kind != Kind.LOOP


def _weighed_at_odds(draft: Draft, entry: Entry, near: _Near) -> bool:
    if not _may_end(draft) or entry.kind is Kind.LOOP:
        return False
    return max(near.kin(entry).ends, near.kin_back(entry).ends) >= ENDS


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
    return Verdict(check=RELATION, passed=True, reason=reason, measure=measure, detail=detail)
