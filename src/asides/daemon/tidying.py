"""What need not stay: conversations long judged, old rows, marks of sessions that are over."""

from __future__ import annotations

from datetime import datetime, timedelta

from asides.intake.ledger import Ledger
from asides.model.clock import stamp
from asides.paths import Places

# A session that is silent for longer is closed by the sweep, and nothing asks for its prompts again.
WORDS_OF_EVENTS = timedelta(days=2)
# `asides status` counts thirty days; the rest is room for a look back.
ROWS = timedelta(days=90)


def tidy(ledger: Ledger, places: Places, *, now: datetime) -> None:
    """Removes what has served: the entries, their stories and what was judged all stay."""
    with ledger.transaction():
        ledger.run("empty_events", before=stamp(now - WORDS_OF_EVENTS))
        ledger.run("empty_turns", before=stamp(now - ROWS))
        ledger.run("drop_events", before=stamp(now - ROWS))
        ledger.run("drop_heartbeats", before=stamp(now - ROWS))
    if places.given.is_dir():
        for mark in places.given.iterdir():
            if now.timestamp() - mark.stat().st_mtime > ROWS.total_seconds():
                mark.unlink(missing_ok=True)
