"""Runs the whole judge over labelled turns, each alone, in a project where nothing stands yet."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from asides.evaluation.labels import Labelled
from asides.evaluation.matching import bare
from asides.evaluation.predictions import Predicted, Prediction
from asides.judge.judge import judge
from asides.model.anchor import label
from asides.model.clock import Clock
from asides.model.entry import Standing
from asides.model.judgment import Finding, Judgment, Packet, Proposal, Reason, Writer
from asides.model.turn import ProjectId, SessionId, Turn, TurnId, Via
from asides.writers.passing import Passing
from asides.writers.tuned import Tuned

SAID_AT = "2026-01-01T00:00:00.000Z"  # any moment: nothing stands that it could be compared with


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What came of it, turn for turn.

    `every`: what would be kept if no score were too low; live there is what only its score can hold back.
    `refusals`: drafts by the first reason against them. `quiet`: turns of which nothing was kept, by reason.
    `cpu`: CPU seconds of each judgment.
    """

    predictions: tuple[Prediction, ...]
    every: tuple[Prediction, ...]
    refusals: dict[str, int]
    quiet: dict[str, int]
    cpu: tuple[float, ...]


def run(
    turns: Iterable[Labelled],
    writer: Writer,
    *,
    now: Clock,
    told: Callable[[], None] = lambda: None,
    cpu: Callable[[], float] = time.process_time,
) -> Run:
    """Returns what the judge keeps of each turn; `told` hears of each that is done."""
    turns = tuple(turns)
    paths = _paths(turns)
    once = _Once(writer)
    unbarred = Tuned(once, live_threshold=0.0, floor=0.0)
    predictions, every, spent = [], [], []
    refusals: Counter[str] = Counter()
    quiet: Counter[str] = Counter()
    for turn in turns:
        packet = Packet(turn=_turn(turn), tracked=paths[turn.project])
        judgment = judge(packet, writer=once, now=now, cpu=cpu)
        predictions.append(_prediction(turn.id, judgment))
        every.append(_prediction(turn.id, judge(packet, writer=unbarred, now=now, cpu=cpu)))
        spent.append(judgment.seconds)
        refusals.update(_refusal(finding) for finding in judgment.findings if not finding.kept)
        if not judgment.kept:
            quiet[judgment.reason] += 1
        told()
    return Run(
        predictions=tuple(predictions),
        every=tuple(every),
        refusals=dict(refusals.most_common()),
        quiet=dict(quiet.most_common()),
        cpu=tuple(spent),
    )


def at(every: Iterable[Prediction], *, live_threshold: float, floor: float) -> tuple[Prediction, ...]:
    """Returns what is kept under other thresholds, from what would be kept under none.

    It is what the judge would keep: the better of two that say the same, and the best of too many, are
    chosen by score, so that a threshold only cuts the end off.
    """
    return tuple(
        replace(
            one,
            entries=tuple(
                entry if entry.score >= live_threshold else replace(entry, standing=Standing.PROPOSED)
                for entry in one.entries
                if entry.score >= floor
            ),
        )
        for one in every
    )


class _Once(Passing):
    """Asks another writer once for the same message, whoever asks how often in a row."""

    def __init__(self, writer: Writer) -> None:
        super().__init__(writer)
        self._last: tuple[str, str] | None = None
        self._answer: tuple[Proposal, ...] = ()

    def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:
        if self._last != (message, previous):
            self._answer = super().salience(message, previous)
            self._last = (message, previous)
        return self._answer


def _turn(labelled: Labelled) -> Turn:
    return Turn(
        id=TurnId(labelled.id),
        session=SessionId("evaluation"),
        project=ProjectId("evaluation"),
        agent="claude-code",
        via=Via.TYPED,
        said_at=SAID_AT,
        message=labelled.user_text,
        previous=labelled.prev or "",
        reply=labelled.reply or "",
    )


def _paths(turns: Iterable[Labelled]) -> dict[str, frozenset[str]]:
    """Returns what is taken for the files of each project: whatever its labels name as one."""
    named: defaultdict[str, set[str]] = defaultdict(set)
    for turn in turns:
        named[turn.project].update(bare(entry.anchor) for entry in turn.entries if entry.anchor)
    return defaultdict(frozenset, {project: frozenset(names) for project, names in named.items()})


def _prediction(turn: str, judgment: Judgment) -> Prediction:
    return Prediction(id=turn, entries=tuple(_predicted(finding) for finding in judgment.kept))


def _predicted(finding: Finding) -> Predicted:
    draft = finding.draft
    return Predicted(
        kind=draft.kind,
        body=draft.body,
        standing=finding.standing,
        score=draft.score,
        framing=draft.framing,
        source=draft.source,
        anchor=label(finding.anchor),
    )


def _refusal(finding: Finding) -> Reason:
    return next(verdict.reason for verdict in finding.verdicts if not verdict.passed)
