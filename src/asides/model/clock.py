"""Time as a value that is handed in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def now() -> datetime:
    """Returns the present moment in UTC."""
    return datetime.now(UTC)


def stamp(moment: datetime) -> str:
    """Returns a moment as ISO 8601 with milliseconds and Z, which sorts as text."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
