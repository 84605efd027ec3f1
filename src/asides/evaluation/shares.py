"""A share with its denominator and its 95% interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

Z = 1.959964  # of the normal distribution, for 95%


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many of how many. Without a denominator there is neither a share nor an interval."""

    hits: int
    of: int
    share: float | None
    low: float | None  # Wilson's interval, 95%
    high: float | None


def share(hits: int, of: int) -> Share:
    """Returns `hits` of `of` with Wilson's 95% interval."""
    if of == 0:
        return Share(hits=0, of=0, share=None, low=None, high=None)
    p = hits / of
    scale = 1 + Z * Z / of
    middle = (p + Z * Z / (2 * of)) / scale
    half = Z * math.sqrt(p * (1 - p) / of + Z * Z / (4 * of * of)) / scale
    return Share(hits=hits, of=of, share=p, low=max(0.0, middle - half), high=min(1.0, middle + half))


def percent(value: Share) -> str:
    """Returns a share as people read it: `41.2% [35, 48]`, or `n/a`."""
    if value.share is None or value.low is None or value.high is None:
        return "n/a"
    return f"{100 * value.share:.1f}% [{100 * value.low:.0f}, {100 * value.high:.0f}]"
