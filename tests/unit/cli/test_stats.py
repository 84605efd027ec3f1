"""What `asides stats` counts, and its whole screens."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from asides.cli.common import drawn
from asides.cli.stats import draw_stats
from asides.cli.stories import draw_moments
from asides.daemon.app import App
from asides.daemon.desk import Desk
from asides.daemon.stats import Figures, counted
from asides.model import clock
from asides.model.delivery import Choice, Occasion
from asides.model.entry import EntryId
from asides.model.turn import SessionId, TurnId
from asides.paths import places
from asides.store.contract import Store
from asides.store.moments import Cued, Firing
from asides.store.ram import open_ram
from tests.support.console import Console
from tests.support.stores import PROJECT, counting_words, statement, ticking

NOW = datetime(2026, 12, 10, 9, 0, tzinfo=UTC)  # a Thursday
IDLE = "use tabs"


def given(store: Store, session: str, at: str, *, occasion: Occasion = Occasion.START) -> None:
    store.note_delivery(SessionId(session), occasion, "v1", at)


def said_again(store: Store, entry: EntryId, turn: str, session: str, at: str) -> None:
    store.sight(entry, turn=TurnId(turn), session=SessionId(session), end=9, said_at=at)


@pytest.fixture
def store() -> Store:
    """A store with two entries that had something happen to them in three weeks, and one that had not."""
    store = open_ram(PROJECT, now=ticking(), word=counting_words())
    axios = store.keep(statement()).entry
    squash = store.keep(statement("never squash migrations, not even the small ones here", start=20)).entry
    chosen = (axios, squash)
    store.note_prepared("v1", [Choice(occasion=one, chosen=chosen, left=()) for one in Occasion])
    store.keep(statement(IDLE, turn="turn-8"))
    given(store, "s-1", "2026-11-30T00:00:00.000Z")
    given(store, "s-1", "2026-11-30T01:00:00.000Z", occasion=Occasion.COMPACT)
    given(store, "s-2", "2026-12-06T23:59:59.999Z")
    given(store, "s-3", "2026-12-07T00:00:00.000Z")
    given(store, "agent", "2026-12-07T00:00:00.000Z", occasion=Occasion.SUBAGENT)
    store.note_cue(
        Cued(
            entry=axios.id,
            session=SessionId("s-3"),
            subagent="",
            occasion="edit",
            at="2026-12-07T01:00:00.000Z",
        )
    )
    for line, outcome in (("import axios", "heeded"), ("axios()", "broken"), ("axios.get()", "open")):
        firing = Firing(
            entry=axios.id, session=SessionId("s-3"), path="a.ts", line=line, at="2026-12-07T02:00:00.000Z"
        )
        store.note_firing(firing)
        if outcome in ("heeded", "broken"):
            store.settle_firing(firing, outcome, "2026-12-07T03:00:00.000Z")
    said_again(store, axios.id, "turn-2", "s-2", "2026-12-07T04:00:00.000Z")
    said_again(store, squash.id, "turn-3", "s-9", "2026-12-01T04:00:00.000Z")
    said_again(store, axios.id, "turn-4", "s-9", "2026-12-08T04:00:00.000Z")
    return store


def test_the_screen_says_first_what_had_to_be_said_again(store):
    first, second = (row.entry for row in counted(store, project="shop", now=NOW).entries)
    assert drawn(counted(store, project="shop", now=NOW), draw_stats).splitlines() == [
        "Said again: 3 times, 1 with the entry before the agent in that session, 2 without.",
        "",
        "entry       repeats  sessions  cues  heeded  broken  open",
        f"{first}         2         3     1       1       1     1  never use axios",
        f"{second}         1         3     -       -       -     -"
        "  never squash migrations, not even the small one…",
        "1 live entry has no figures yet.",
        "",
        "week of     repeats  sessions  cues  heeded  broken  open",
        "2026-10-19        -         -     -       -       -     -",
        "2026-10-26        -         -     -       -       -     -",
        "2026-11-02        -         -     -       -       -     -",
        "2026-11-09        -         -     -       -       -     -",
        "2026-11-16        -         -     -       -       -     -",
        "2026-11-23        -         -     -       -       -     -",
        "2026-11-30        1         2     -       -       -     -",
        "2026-12-07        2         1     1       1       1     1",
    ]


def test_entries_and_weeks_add_up_to_the_total(store):
    found = counted(store, project="shop", now=NOW)
    assert found.total == Figures(sessions=3, cues=1, heeded=1, broken=1, open=1, repeats=3, delivered=1)
    for name in ("cues", "heeded", "broken", "open", "repeats", "delivered"):
        whole = getattr(found.total, name)
        assert sum(getattr(row.figures, name) for row in found.entries) == whole
        assert sum(getattr(week.figures, name) for week in found.weeks) == whole


def test_what_happened_before_the_last_weeks_counts_for_entries_only(store):
    found = counted(store, project="shop", now=datetime(2027, 6, 1, tzinfo=UTC))
    assert found.total.repeats == 3
    assert {week.figures for week in found.weeks} == {Figures()}


def test_an_entry_whose_keeping_was_undone_counts_nowhere(store):
    keeping = store.history(counted(store, project="shop", now=NOW).entries[0].entry)[0]
    store.undo(keeping.id)
    found = counted(store, project="shop", now=NOW)
    assert [row.figures.repeats for row in found.entries] == [1]
    assert (found.total.repeats, found.total.cues) == (1, 0)


def test_an_entry_that_ended_keeps_its_figures(store):
    first = counted(store, project="shop", now=NOW).entries[0]
    store.retire(first.entry)
    again = counted(store, project="shop", now=NOW)
    assert again.entries[0].standing == "retired"
    assert (again.total.repeats, again.idle) == (3, 1)


def test_without_a_store_the_screen_says_what_is_missing(console: Console) -> None:
    console.session("""
$ asides stats
Nothing that stands had to be said again.
Nothing is live here, so there is nothing to deliver. See `asides list --all`.
$ asides add "never squash migrations"
ID  law, live
  “never squash migrations”
  said DATE by a person, about general, written by hand
$ asides stats
Nothing that stands had to be said again.
No session was given an entry yet: the next one that starts in this project is.
""")


def test_json_holds_the_same_figures(console: Console) -> None:
    told = console.json("stats")
    assert isinstance(told, dict)
    assert told["project"] == "shop"
    assert told["total"]["repeats"] == 0
    assert len(told["weeks"]) == 8


def test_why_shows_cues_firings_and_repeats_in_the_order_they_happened(console: Console) -> None:
    app = App(places(console.environment["ASIDES_HOME"]), clock=clock.now)
    try:
        store = Desk(app, console.folder).store
        entry = store.keep(statement(said_at="2026-11-28T09:00:00.000Z")).entry
        session, at = SessionId("s-1"), "2026-11-28T10:00:00.000Z"
        store.note_cue(Cued(entry=entry.id, session=session, subagent="", occasion="edit", at=at))
        store.note_firing(
            Firing(
                entry=entry.id,
                session=session,
                path="a.ts",
                line="import axios",
                at="2026-11-28T10:01:00.000Z",
            )
        )
        said_again(store, entry.id, "turn-2", "s-1", "2026-11-28T10:02:00.000Z")
        store.doubt(entry.id, "app.py has changed by 60% since this was said", why="it changed")
        story = Desk(app, console.folder).story(entry.id)
    finally:
        app.close()
    assert drawn(story, draw_moments).splitlines() == [
        "",
        "  moments",
        "    2026-11-28T10:00:00  session s-1: put before the agent when it edited the file",
        "    2026-11-28T10:01:00  session s-1: broken in a.ts by “import axios”, not known yet if it stays",
        "    2026-11-28T10:02:00  session s-1: said again, although the agent had it",
    ]
    shown = console.run("why", entry.id).stdout
    assert "to verify first: app.py has changed by 60% since this was said" in shown
    assert "looked at with its code by a check: it changed" in shown
    assert "doubt" in console.run("log").stdout
