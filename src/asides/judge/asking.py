"""What rules leave open is asked of the writer, where it can be asked: a place, and what stands.

The writer's word alone decides nothing. It may tie an entry only to a file of the turn that the entry names,
and repeat or change only what the weights hold for possible; what it takes for a repeat is not live by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asides.judge.anchoring import named, touched
from asides.judge.consolidation import Possible, Related, possible, related_as
from asides.judge.kinship import Closeness
from asides.model.anchor import Anchor, File, General, label
from asides.model.entry import Entry
from asides.model.judgment import Draft, Finding, New, Packet, Reason, Relation, Sighting, Supersedes, Verdict
from asides.writers.further import Further

CHECK = "asked"


class Asking:
    """The further questions of one judgment; `asked` counts them."""

    def __init__(self, further: Further, *, said_at: str, closeness: Closeness | None) -> None:
        self._further = further
        self._said_at = said_at
        self._closeness = closeness
        self.asked = 0

    def settled(self, draft: Draft, found: Related, standing: tuple[Entry, ...]) -> Related:
        """Returns how a draft stands to what stands, where rules found it new and hold more for possible."""
        if not isinstance(found.relation, New) or found.outdated:
            return found
        likely = possible(draft, standing, said_at=self._said_at, closeness=self._closeness)
        if not likely:
            return found
        self.asked += 1
        answer = self._further.relation(draft, [one.entry for one in likely])
        return _settled(found, answer, likely)

    def tied(self, findings: tuple[Finding, ...], packet: Packet, *, root: str | None) -> tuple[Finding, ...]:
        """Returns the findings, those that are kept as general tied to a file of the turn that they name."""
        general = [one for one in findings if one.kept and one.anchor == General() and not _again(one)]
        files = touched(packet, root) if general else ()
        # Only a file that is named can be the answer; without one there is nothing to ask.
        open_ = [one for one in general if any(named(one.draft.body, path) for path in files)]
        if not open_:
            return findings
        files = tuple(sorted(files, key=lambda path: not any(named(one.draft.body, path) for one in open_)))
        self.asked += 1
        answer = self._further.places([one.draft for one in open_], [File(path=path) for path in files])
        if answer is None:
            return findings
        chosen = {id(one): place for one, place in zip(open_, answer, strict=True)}
        return tuple(_tied(one, chosen[id(one)], files) if id(one) in chosen else one for one in findings)


def _settled(found: Related, answer: Relation | None, likely: Sequence[Possible]) -> Related:
    match answer:
        case None:
            return _noted(found, "its answer is of no use")
        case New():
            return _noted(found, "the writer holds it for new")
        case Sighting(entry=name):
            said, measures = "repeats", {one.entry.id: one.same for one in likely}
        case Supersedes(entry=name):
            said, measures = "changes", {one.entry.id: one.ends for one in likely}
    measure = measures.get(name, 0.0)
    if not measure:
        return _noted(found, f"the writer says that it {said} {name}, which cannot be")
    return _noted(
        related_as(found, replace(answer, likeness=measure)), f"the writer says that it {said} {name}"
    )


def _noted(found: Related, detail: str) -> Related:
    return replace(found, verdicts=(*found.verdicts, _verdict(detail)))


def _tied(finding: Finding, place: Anchor, files: Sequence[str]) -> Finding:
    if place == General():
        note = _verdict("the writer ties it to no file")
        return replace(finding, verdicts=(*finding.verdicts, note))
    if not isinstance(place, File) or place.path not in files or not named(finding.draft.body, place.path):
        note = _verdict(f"the writer ties it to {label(place)}, no file of the turn that it names")
        return replace(finding, verdicts=(*finding.verdicts, note))
    anchored = Verdict(check="anchor", passed=True, reason=Reason.NAMED_AND_THERE)
    kept = tuple(one for one in finding.verdicts if one.check != "anchor")
    note = _verdict(f"the writer ties it to {place.path}")
    return replace(finding, anchor=place, verdicts=(*kept, anchored, note))


def _again(finding: Finding) -> bool:
    """Tells whether it only counts an entry once more, which has its place."""
    return isinstance(finding.relation, Sighting)


def _verdict(detail: str) -> Verdict:
    return Verdict(check=CHECK, passed=True, reason=Reason.OK, detail=detail[:200])
