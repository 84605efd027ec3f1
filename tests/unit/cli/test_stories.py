"""What `asides why` says of judged messages."""

from __future__ import annotations

import subprocess
from dataclasses import replace

from asides.cli.common import drawn
from asides.cli.stories import draw_turns
from asides.daemon.app import App
from asides.daemon.desk import Desk
from asides.daemon.views import CheckView, DraftView, TurnStory
from asides.model import clock
from asides.model.entry import Entry, Kind, Standing
from asides.paths import places
from asides.store.contract import Statement
from tests.support.console import RUN, Console

UNSURE = DraftView(
    body="use tabs",
    kind="law",
    score=0.13,
    writer="encoder-1",
    kept=True,
    standing="proposed",
    entry="abcdefghi",
    said_at="2026-01-05T10:00:00Z",
    judged_at="2026-01-05T10:00:03Z",
    session="s-1",
    turn="t-1",
    excerpt="please use tabs",
    relation="",
    checks=(
        CheckView(check="verbatim", passed=True, reason="ok", measure=None, detail=""),
        CheckView(check="live", passed=True, reason="below_live", measure=0.13, detail="live from 0.45"),
    ),
)
QUESTION = replace(
    UNSURE,
    kept=False,
    entry="",
    checks=(CheckView(check="question", passed=False, reason="question", measure=None, detail=""),),
)
TURN = TurnStory(
    turn="t-1",
    said_at="2026-01-05T10:00:00Z",
    session="s-1",
    message="please use tabs",
    outcome="1 kept",
    told="1 proposed",
    writer="encoder-1",
    seconds=0.1,
    drafts=(UNSURE, QUESTION),
)


def test_what_is_only_proposed_is_never_called_kept() -> None:
    assert drawn((TURN,), draw_turns).splitlines() == [
        "2026-01-05T10:00:00  1 proposed",
        "  “please use tabs”",
        "    proposed as abcdefghi: law “use tabs”",
        "      score 0.13, live from 0.45",
        "    not kept: law “use tabs”",
        "      a question",
    ]


def test_verbose_shows_every_check() -> None:
    shown = drawn((TURN,), lambda turns, console: draw_turns(turns, console, verbose=True))
    assert "verbatim       passed" in shown
    assert "question       FAILED" in shown


def propose(console: Console, body: str) -> Entry:
    """Lets the writer propose something in the console's project."""
    app = App(places(console.environment["ASIDES_HOME"]), clock=clock.now)
    try:
        statement = Statement(
            body=body, kind=Kind.LAW, standing=Standing.PROPOSED, writer="encoder-1", score=0.13
        )
        return Desk(app, console.folder).store.keep(statement).entry
    finally:
        app.close()


def test_a_proposed_entry_says_what_makes_it_live(console: Console) -> None:
    proposed = propose(console, "use tabs")
    shown = console.run("why", proposed.id).stdout
    assert "law, proposed" in shown
    assert f"asides confirm {proposed.id}" in shown
    assert "proposed by the writer" in shown
    assert "kept" not in shown
    assert "[proposed]" in console.run("log").stdout


def test_only_proposed_entries_complete_behind_confirm(console: Console) -> None:
    proposed = propose(console, "use tabs")
    live = console.json("add", "never squash migrations")
    assert isinstance(live, dict)

    def completed(command: str) -> str:
        return subprocess.run(
            RUN,
            cwd=console.folder,
            env={
                **console.environment,
                "_ASIDES_COMPLETE": "bash_complete",
                "COMP_WORDS": f"asides {command} ",
                "COMP_CWORD": "2",
            },
            text=True,
            capture_output=True,
            timeout=60,
            check=True,
        ).stdout

    assert completed("confirm") == f"plain,{proposed.id}\n"
    assert f"plain,{live['id']}" in completed("retire")
