"""Everything that one evaluation found, as one value."""

from __future__ import annotations

import resource
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from asides.evaluation.calibration import Calibration, calibration
from asides.evaluation.curve import Point, curve
from asides.evaluation.labels import Labelled
from asides.evaluation.predictions import Prediction, live_only
from asides.evaluation.running import run
from asides.evaluation.scoring import kinds, score
from asides.evaluation.shares import Share
from asides.model.clock import Clock
from asides.model.judgment import Writer

LIVE, BOTH = "live", "live and proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """CPU of one judgment in milliseconds, and the most memory that this process ever held, in MB."""

    p50: float
    p95: float
    most: float
    peak_memory: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """How one writer judges one file of labelled turns."""

    labels: str
    turns: int
    verdicts: dict[str, int]
    writer: str
    live_threshold: float
    floor: float
    figures: dict[str, dict[str, Share]]  # for LIVE and BOTH: each of scoring.FIGURES
    kinds: dict[str, dict[str, int]]  # labelled kind: kinds that it was taken for, live and proposed
    calibration: Calibration
    curve: tuple[Point, ...]
    refusals: dict[str, int]  # drafts, by the first reason against each
    quiet: dict[str, int]  # turns of which nothing was kept, by reason
    cost: Cost


def evaluate(
    turns: tuple[Labelled, ...],
    writer: Writer,
    *,
    labels: str,
    now: Clock,
    told: Callable[[], None] = lambda: None,
) -> tuple[Report, tuple[Prediction, ...]]:
    """Returns the report and the predictions that it scores; `labels` names the turns."""
    done = run(turns, writer, now=now, told=told)
    thresholds = (writer.floor, writer.live_threshold)
    report = Report(
        labels=labels,
        turns=len(turns),
        verdicts=dict(Counter(str(turn.verdict) for turn in turns).most_common()),
        writer=writer.identity,
        live_threshold=writer.live_threshold,
        floor=writer.floor,
        figures={
            LIVE: score(turns, live_only(done.predictions)),
            BOTH: score(turns, done.predictions),
        },
        kinds=kinds(turns, done.predictions),
        calibration=calibration(turns, done.every),
        curve=curve(turns, done.every, also=thresholds),
        refusals=done.refusals,
        quiet=done.quiet,
        cost=_cost(done.cpu),
    )
    return report, done.predictions


def _cost(cpu: tuple[float, ...]) -> Cost:
    costs = sorted(seconds * 1000 for seconds in cpu) or [0.0]
    return Cost(
        p50=costs[len(costs) // 2],
        p95=costs[min(int(len(costs) * 0.95), len(costs) - 1)],
        most=costs[-1],
        peak_memory=_peak_memory(),
    )


def _peak_memory() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)  # macOS counts bytes, others kilobytes
