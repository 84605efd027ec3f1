"""Whether a draft repeats, changes or adds to what stands. Precision first: what is unsure is new."""

from __future__ import annotations

from asides.judge.likeness import Reading, changed, flipped, likeness, read, same
from asides.model.entry import Entry, Source, Standing
from asides.model.judgment import Draft, New, Reason, Relation, Sighting, Supersedes, Verdict


def relate(
    draft: Draft, standing: tuple[Entry, ...], refused: tuple[Entry, ...]
) -> tuple[Relation, tuple[Verdict, ...]]:
    """Returns how a draft stands to the entries of the project, and the verdicts that say why.

    What a person refused comes first: its near duplicate does not pass. Then the entry that says the same,
    then the one that is changed. An agent's draft never changes what a person said.
    """
    reading = read(draft.body)
    for entry in refused:
        other = read(entry.body)
        if same(reading, other):
            measure = likeness(reading, other)
            verdict = Verdict(
                check="refused", passed=False, reason=Reason.REFUSED_BEFORE, measure=measure, detail=entry.id
            )
            return New(), (verdict,)
    fresh = Verdict(check="refused", passed=True, reason=Reason.OK)
    relation, verdict = _among(draft, reading, [entry for entry in standing if _stands(entry)])
    return relation, (fresh, verdict)


def _among(draft: Draft, reading: Reading, standing: list[Entry]) -> tuple[Relation, Verdict]:
    readings = [(entry, read(entry.body)) for entry in standing]
    for entry, other in readings:
        if same(reading, other):
            measure = likeness(reading, other)
            return Sighting(entry=entry.id, likeness=measure), _verdict(Reason.SIGHTING, measure, entry.id)
    for entry, other in readings:
        if entry.source is Source.HUMAN and draft.source is not Source.HUMAN:
            continue
        if flipped(reading, other) or changed(reading, other, turning=draft.kind == "correction"):
            measure = likeness(reading, other)
            return Supersedes(entry=entry.id, likeness=measure), _verdict(
                Reason.SUPERSEDES, measure, entry.id
            )
    nearest = max((likeness(reading, other) for _, other in readings), default=0.0)
    return New(), _verdict(Reason.OK, nearest)


def _stands(entry: Entry) -> bool:
    return entry.standing in (Standing.LIVE, Standing.PROPOSED)


def _verdict(reason: Reason, measure: float, detail: str = "") -> Verdict:
    return Verdict(check="relation", passed=True, reason=reason, measure=measure, detail=detail)
