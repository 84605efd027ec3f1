"""One judgment: what of a finished turn is kept, and every reason why."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from asides.judge.anchoring import Declared, anchor, names_code
from asides.judge.asking import Asking
from asides.judge.consolidation import Related, relate
from asides.judge.joining import grounded, joined
from asides.judge.kinship import Closeness, names_again
from asides.judge.likeness import likeness, read, same
from asides.judge.mask import blanked, merged, not_own_words
from asides.judge.parting import parted
from asides.judge.redact import MARKER
from asides.judge.takeback import taken_back, taken_out
from asides.judge.taskscope import task_scoped
from asides.judge.validation import validate
from asides.judge.words import has_words
from asides.model.anchor import Anchor, General
from asides.model.clock import Clock, stamp
from asides.model.entry import Entry, Kind, Source, Standing
from asides.model.judgment import (
    Draft,
    Finding,
    Judgment,
    New,
    Packet,
    Proposal,
    Reason,
    Sighting,
    Supersedes,
    Verdict,
    Writer,
)
from asides.model.turn import Via
from asides.writers.further import further

Gone = tuple[tuple[Entry, str], ...]

KEPT_AT_MOST = 6  # entries of one turn; the most that labellers found in any of 4,087 turns


@dataclass(frozen=True, slots=True, kw_only=True)
class _World:
    """What lies around the packet."""

    said_at: str
    root: str | None
    tracked: Callable[[], frozenset[str]]
    gone: Callable[[], Gone]
    closeness: Closeness | None
    asking: Asking | None  # of a writer that answers more than what to keep
    declared: Declared | None


def judge(
    packet: Packet,
    *,
    writer: Writer,
    now: Clock,
    root: str | None = None,
    tracked: Callable[[], frozenset[str]] | None = None,
    gone: Callable[[], Gone] | None = None,
    closeness: Closeness | None = None,
    declared: Declared | None = None,
    cpu: Callable[[], float] = time.process_time,
) -> Judgment:
    """Returns what the turn leaves, after one inference and the checks; see `asking` for more inferences.

    The writer sees the message with everything that is not the person's own words blanked, positions kept;
    where nothing is left, it is not asked. What it raises is not caught: the job that asked tries again.

    `root`: the absolute path of the checkout that the turn worked in. `tracked`: gives the paths that exist
    there, asked once at most, when a draft that passed names code (None: those of the packet). `gone`: gives
    the entries that stand no longer, each with the moment of its end, asked once at most, for a draft that
    passed; what was said before that does not bring their words back. A turn without a moment was said `now`.
    `closeness`: how near texts are in meaning (None: words alone say what repeats and what changes).
    `declared`: gives the files of the checkout that declare names, asked for a draft that passed.
    `cpu`: the CPU seconds that this process has used, all its threads together.
    """
    began = cpu()
    turn = packet.turn
    masked = merged((*turn.masked, *not_own_words(turn.message, packet.delivered)))
    seen = replace(packet, turn=replace(turn, masked=masked))
    own = blanked(turn.message, masked)
    if not has_words(MARKER.sub(" ", own)):
        return Judgment(turn=turn, writer=writer.identity, reason=Reason.EMPTY, seconds=cpu() - began)
    spans = grounded(parted(joined(writer.salience(own, turn.previous), own), own), own)
    drafts = [_draft(span, turn.message) for span in spans]
    said_at = turn.said_at or stamp(now())
    more = further(writer)
    asking = Asking(more, said_at=said_at, closeness=closeness) if more else None
    world = _World(
        said_at=said_at,
        root=root,
        tracked=cache(tracked or (lambda: packet.tracked)),
        gone=cache(gone or tuple),
        closeness=closeness,
        asking=asking,
        declared=declared,
    )
    withdrawn = taken_out(own, seen, said_at=world.said_at, closeness=closeness)
    gone_now = {one.entry for one in withdrawn}
    seen = replace(seen, standing=tuple(one for one in seen.standing if one.id not in gone_now))
    findings = _bounded(_single([_find(draft, seen, writer, world) for draft in drafts]))
    if asking:
        findings = asking.tied(findings, seen, root=root)
    return Judgment(
        turn=turn,
        writer=writer.identity,
        reason=_reason(findings),
        findings=findings,
        withdrawn=withdrawn,
        inferences=1 + (asking.asked if asking else 0),
        seconds=cpu() - began,
    )


def _draft(proposal: Proposal, message: str) -> Draft:
    """Copies the span; blanks at its ends are not part of it."""
    start, end = proposal.start, proposal.end
    body = message[max(0, start) : max(0, end)]
    if 0 <= start < end <= len(message):
        start += len(body) - len(body.lstrip())
        body = body.strip()
        end = start + len(body)
    return Draft(
        body=body,
        start=start,
        end=end,
        kind=proposal.kind,
        framing=proposal.framing,
        source=proposal.source,
        score=proposal.score,
    )


def _find(draft: Draft, packet: Packet, writer: Writer, world: _World) -> Finding:
    verdicts = validate(draft, packet, floor=writer.floor)
    refused = Finding(
        draft=draft,
        verdicts=verdicts,
        kept=False,
        standing=Standing.PROPOSED,
        anchor=General(),
        relation=New(),
    )
    if not all(verdict.passed for verdict in verdicts):
        return refused
    place: Anchor = General()
    anchored = Verdict(check="anchor", passed=True, reason=Reason.NOT_NAMED)
    if names_code(draft.body):
        seen = replace(packet, tracked=world.tracked())
        place, anchored = anchor(draft, seen, root=world.root, declared=world.declared)
    related = relate(
        draft,
        packet.standing,
        packet.refused,
        said_at=world.said_at,
        gone=world.gone(),
        closeness=world.closeness,
    )
    passed = (*verdicts, anchored)
    verdicts = (*passed, *related.verdicts)
    if not all(verdict.passed for verdict in related.verdicts):
        return replace(refused, verdicts=verdicts, anchor=place)
    if world.asking:
        related = world.asking.settled(draft, related, packet.standing)
        verdicts = (*passed, *related.verdicts)
    standing, settled = _standing(draft, packet, writer, related)
    relation = related.relation
    if standing is Standing.PROPOSED and isinstance(relation, Supersedes):
        # What is itself unsure does not push aside what stands; the verdict keeps the trace.
        relation = related.twin or New()
    return Finding(
        draft=draft,
        verdicts=(*verdicts, *settled),
        kept=True,
        standing=standing,
        anchor=place,
        relation=relation,
    )


def _standing(
    draft: Draft, packet: Packet, writer: Writer, related: Related
) -> tuple[Standing, tuple[Verdict, ...]]:
    """Returns what the entry becomes: live when the writer is sure, a person said it and let it stand."""
    sure = draft.score >= writer.live_threshold
    threshold = Verdict(
        check="live",
        passed=True,
        reason=Reason.OK if sure else Reason.BELOW_LIVE,
        measure=draft.score,
        detail=f"live from {writer.live_threshold:.2f}",
    )
    withdrawn = taken_back(packet.turn.following)
    bound = "" if draft.kind == Kind.LOOP else task_scoped(draft.body)  # what is put off often names its task
    verdicts = [threshold]
    if bound:
        verdicts.append(Verdict(check="scope", passed=True, reason=Reason.TASK_SCOPED, detail=bound))
    if withdrawn:
        verdicts.append(Verdict(check="following", passed=True, reason=Reason.TAKEN_BACK, detail=withdrawn))
    match related.relation:
        case Sighting(entry=again):
            standing = next(
                (entry.standing for entry in packet.standing if entry.id == again), Standing.PROPOSED
            )
            if standing is Standing.LIVE:
                return Standing.LIVE, tuple(verdicts)
            sure = sure or not related.by_writer  # said twice; a model's word for it was never measured
        case New() | Supersedes():
            pass
    vouched = packet.turn.via is not Via.UNPROVEN and draft.source is Source.HUMAN
    live = sure and vouched and not withdrawn and not bound and not related.outdated
    return (Standing.LIVE if live else Standing.PROPOSED), tuple(verdicts)


def _single(findings: list[Finding]) -> list[Finding]:
    """Keeps one of several drafts that say the same, the one with the best score."""
    kept: list[Finding] = []
    settled: dict[int, Finding] = {}
    for place, finding in sorted(enumerate(findings), key=lambda one: -one[1].draft.score):
        reading = read(finding.draft.body)
        twin = next((k for k in kept if _says_as(finding, k)), None) if finding.kept else None
        if twin is not None:
            finding = _refused(
                finding,
                "said_twice",
                Reason.SAID_TWICE,
                likeness(reading, read(twin.draft.body)),
                f"says the same as {twin.draft.start}-{twin.draft.end} of this message",
            )
        elif finding.kept:
            kept.append(finding)
        settled[place] = finding
    return [settled[place] for place in range(len(findings))]


def _says_as(finding: Finding, other: Finding) -> bool:
    one, two = finding.draft.body, other.draft.body
    return same(read(one), read(two)) or names_again(one, two)


def _bounded(findings: list[Finding]) -> tuple[Finding, ...]:
    """Keeps the best of one turn, up to the limit."""
    best = sorted((f for f in findings if f.kept), key=lambda f: (-f.draft.score, f.draft.start))
    over = {id(finding) for finding in best[KEPT_AT_MOST:]}
    detail = f"the {KEPT_AT_MOST} best of this turn are kept"
    return tuple(
        _refused(f, "most", Reason.OVER_LIMIT, f.draft.score, detail) if id(f) in over else f
        for f in findings
    )


def _refused(finding: Finding, check: str, reason: Reason, measure: float, detail: str) -> Finding:
    verdict = Verdict(check=check, passed=False, reason=reason, measure=measure, detail=detail)
    return replace(finding, kept=False, standing=Standing.PROPOSED, verdicts=(*finding.verdicts, verdict))


def _reason(findings: tuple[Finding, ...]) -> Reason:
    """Returns OK when something is kept, else the first refusal of the likeliest draft, else NOTHING."""
    if any(finding.kept for finding in findings):
        return Reason.OK
    likeliest = max(findings, key=lambda finding: finding.draft.score, default=None)
    if likeliest is None:
        return Reason.NOTHING
    return next(verdict.reason for verdict in likeliest.verdicts if not verdict.passed)
