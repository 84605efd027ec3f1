"""What a report must reach: `captured>=40%`, `both.clean-turns>=0.92`, `cpu-p95<=50`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from asides.evaluation.report import BOTH, LIVE, Report
from asides.evaluation.scoring import FIGURES
from asides.evaluation.shares import Share
from asides.model.errors import Refused

_FORM = re.compile(r"\s*([a-z0-9.-]+)\s*(>=|<=)\s*([0-9]*\.?[0-9]+)\s*(%?)\s*")
_SECTIONS = {"live": LIVE, "both": BOTH}
_SHARES: Mapping[str, str] = {name.replace(" ", "-"): name for name in FIGURES}
_OTHERS = ("brier", "calibration-error", "cpu-p50", "cpu-p95", "cpu-max", "peak-memory")


class Missed(Refused):
    """{missed}."""

    hint = "The figures are printed above; docs/evaluation.md says what each counts."


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A bound on one figure. Shares are 0 to 1, CPU is in milliseconds, memory in MB."""

    written: str
    section: str  # LIVE or BOTH
    figure: str
    at_least: bool
    bound: float


def parse(written: str) -> Requirement:
    """Returns what a requirement says. Raises ValueError with a sentence for what is none."""
    found = _FORM.fullmatch(written)
    if found is None:
        raise ValueError(f"{written!r} is no requirement. Write it like captured>=40% or both.captured>=0.7")
    name, sign, number, unit = found.groups()
    section, dot, figure = name.rpartition(".")
    if (dot and section not in _SECTIONS) or figure not in (*_SHARES, *_OTHERS):
        raise ValueError(
            f"{name!r} is no figure. There are {', '.join(_SHARES)}, each also as both.NAME "
            f"(live and proposed), and {', '.join(_OTHERS)}"
        )
    bound = float(number) / (100 if unit else 1)
    if figure in _SHARES and bound > 1:
        raise ValueError(f"{written!r}: a share is at most 1, or 100%")
    return Requirement(
        written=written.strip(),
        section=_SECTIONS[section or "live"],
        figure=figure,
        at_least=sign == ">=",
        bound=bound,
    )


def missed(report: Report, requirements: Iterable[Requirement]) -> tuple[str, ...]:
    """Returns a sentence for each requirement that the report does not meet."""
    return tuple(told for one in requirements if (told := _missed(report, one)))


def _missed(report: Report, one: Requirement) -> str:
    if one.figure in _SHARES:
        found = report.figures[one.section][_SHARES[one.figure]]
        value, told = found.share, _told(found)
        distance = f"{100 * abs((value or 0) - one.bound):.1f} points"
    else:
        value = _other(report, one.figure)
        told = "" if value is None else f"{value:.3g}"
        distance = f"{abs((value or 0) - one.bound):.3g}"
    where = f"{_SHARES.get(one.figure, one.figure)} ({one.section})"
    if value is None:
        return f"{one.written} cannot be told: nothing to count for {where}"
    if value >= one.bound if one.at_least else value <= one.bound:
        return ""
    return f"{one.written} is missed by {distance}: {where} is {told}"


def _told(found: Share) -> str:
    return "" if found.share is None else f"{100 * found.share:.1f}% ({found.hits} of {found.of})"


def _other(report: Report, figure: str) -> float | None:
    return {
        "brier": report.calibration.brier,
        "calibration-error": report.calibration.error,
        "cpu-p50": report.cost.p50,
        "cpu-p95": report.cost.p95,
        "cpu-max": report.cost.most,
        "peak-memory": report.cost.peak_memory,
    }[figure]
