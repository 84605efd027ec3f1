"""A real daemon whose writer is a server that takes its time: nobody waits for it, nothing is lost."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from asides.daemon import process
from asides.intake.ledger import Ledger
from tests.support.model_server import Served, said, sending, serving
from tests.support.scripted_daemon import Cast, cast, processes_of, until
from tests.support.stage import Session, make_project, memory_folder

RULE = "never edit the files under generated/ by hand"


@pytest.fixture
def ground() -> Iterator[Path]:
    with memory_folder() as folder:
        yield folder


@pytest.fixture
def release() -> Iterator[threading.Event]:
    made = threading.Event()
    yield made
    made.set()


@pytest.fixture
def served(release: threading.Event) -> Iterator[Served]:
    answer = sending(200, said(f"MEMORY | kind=law | source=human | anchor=general | {RULE}"))

    def reply(handler, asked, server):
        while not (release.wait(0.05) or server.over.is_set()):
            pass
        answer(handler, asked, server)

    with serving(reply) as made:
        yield made


@pytest.fixture
def stage(ground: Path, served: Served) -> Iterator[Cast]:
    made = cast(ground / "home", chosen=True)
    made.where.settings.parent.mkdir(parents=True, exist_ok=True)
    made.where.settings.write_text(
        f'writer = "remote"\nwriter_url = "{served.url}"\nwriter_model = "slow"\nwriter_seconds = 600\n'
    )
    yield made
    made.leave()
    for left in processes_of(Path(made.options.home)):
        os.kill(left, signal.SIGKILL)


def turns(stage: Cast) -> list[tuple[str, int]]:
    """Returns state and tries of every turn."""
    ledger = Ledger(stage.where.ledger)
    try:
        rows = ledger.database.rows("SELECT state, tries FROM turn ORDER BY seq")
        return [(str(state), int(str(tries))) for state, tries in rows]
    finally:
        ledger.close()


def test_while_a_judgment_takes_minutes_hooks_are_answered_and_the_daemon_is_not_taken_for_deaf(
    stage: Cast, ground: Path, served: Served, release: threading.Event
):
    session = Session(stage.where, make_project(ground / "shop"))
    session.hook("SessionStart", source="startup")
    session.turn(f"Fix the typo. And {RULE}.")
    session.hook("SessionEnd", reason="other")
    until(lambda: served.asked, within=60, what="the server was never asked")
    pid = stage.answer().pid
    contender = stage.start()
    assert contender.wait(60) == 0, "who starts another daemon finds one that answers"
    other = Session(stage.where, session.project)
    other.hook("SessionStart", source="startup")
    assert stage.answer().pid == pid
    assert len(served.asked) == 1
    release.set()
    stage.settle()
    assert [state for state, _ in turns(stage)] == ["judged"]
    assert stage.answer().writer.startswith("slow@127.0.0.1:")


def test_a_daemon_that_has_to_leave_does_not_wait_for_the_server_and_the_next_one_judges(
    stage: Cast, ground: Path, served: Served, release: threading.Event
):
    session = Session(stage.where, make_project(ground / "shop"))
    session.hook("SessionStart", source="startup")
    session.turn(f"Fix the typo. And {RULE}.")
    session.hook("SessionEnd", reason="other")
    until(lambda: served.asked, within=60, what="the server was never asked")
    pid = stage.answer().pid
    os.kill(pid, signal.SIGTERM)
    until(lambda: not process.is_running(pid), within=60, what="the daemon waits for the server")
    assert turns(stage) == [("owed", 0)], "nothing is lost, and no try is spent"
    release.set()
    stage.start()
    until(lambda: [s for s, _ in turns(stage)] == ["judged"], within=90, what="the next one does not judge")
    assert len(served.asked) == 2
