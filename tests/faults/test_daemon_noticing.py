"""What the hook said at the moment it mattered is recorded once, and so is what came of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from asides.model.clock import stamp
from asides.model.entry import Entry
from asides.store.moments import Firing
from tests.support.scripted_daemon import Cast, cast, writer
from tests.support.stage import Backstage, Session, make_project, memory_folder

PURE = "total() stays pure"
AXIOS = "don't use axios in anything new"
IMPORT = "import axios from 'axios'"


@pytest.fixture
def ground() -> Iterator[Path]:
    with memory_folder() as folder:
        yield folder


@pytest.fixture
def shop(ground: Path) -> Path:
    return make_project(ground / "shop")


@pytest.fixture
def stage(ground: Path) -> Cast:
    made = cast(ground / "home", phrases=[PURE, AXIOS], poison="poison")
    made.python.unlink()
    return made


@pytest.fixture
def behind(stage: Cast, shop: Path) -> Iterator[Backstage]:
    made = Backstage(stage.where, writer(stage.options))
    session = Session(stage.where, shop)
    session.turn(PURE)
    session.turn(AXIOS)
    session.end()
    made.work()
    yield made
    made.app.close()


@pytest.fixture
def session(stage: Cast, shop: Path, behind: Backstage) -> Session:
    made = Session(stage.where, shop)
    made.hook("SessionStart", source="startup")
    behind.work()
    return made


def entry(behind: Backstage, body: str) -> Entry:
    return next(one for one in behind.store().all() if one.body == body)


def write(session: Session, path: str, text: str) -> str:
    """The agent writes a file; returns what the hook told it."""
    file = session.project / path
    file.write_text(text)
    return session.hook(
        "PostToolUse",
        tool_name="Write",
        tool_input={"file_path": str(file), "content": text},
        tool_response={"type": "create", "filePath": str(file), "content": text, "originalFile": None},
    ).decode()


def stop(session: Session, behind: Backstage) -> None:
    session.hook("Stop", stop_hook_active=False, last_assistant_message="Done.")
    behind.work()


def firings(behind: Backstage) -> list[tuple[str, str, str]]:
    def told(one: Firing) -> tuple[str, str, str]:
        return one.path, one.line, one.outcome

    return [told(one) for one in behind.store().firings()]


def test_a_cue_is_recorded_with_its_session_and_occasion(session: Session, behind: Backstage) -> None:
    for _ in range(2):
        session.hook(
            "PreToolUse", tool_name="Read", tool_input={"file_path": str(session.project / "app.py")}
        )
    behind.work()
    (cue,) = behind.store().cues()
    assert (cue.entry, cue.session, cue.subagent, cue.occasion) == (
        entry(behind, PURE).id,
        session.id,
        "",
        "read",
    )


def test_a_cue_before_a_sub_agent_is_its_own(session: Session, behind: Backstage) -> None:
    for agent in ("", "a1"):
        session.hook(
            "PreToolUse",
            tool_name="Read",
            tool_input={"file_path": str(session.project / "app.py")},
            **({"agent_id": agent} if agent else {}),
        )
    behind.work()
    assert [one.subagent for one in behind.store().cues()] == ["", "a1"]


def test_a_line_that_stays_broke_the_entry_and_one_that_goes_was_heeded(
    session: Session, behind: Backstage
) -> None:
    assert AXIOS in write(session, "a.ts", f"{IMPORT}\n")
    assert AXIOS in write(session, "b.ts", f"{IMPORT}\n")
    behind.work()
    assert firings(behind) == [("a.ts", IMPORT, "open"), ("b.ts", IMPORT, "open")]
    (session.project / "a.ts").write_text("export {}\n")
    stop(session, behind)
    assert firings(behind) == [("a.ts", IMPORT, "heeded"), ("b.ts", IMPORT, "broken")]


def test_a_file_that_is_gone_holds_nothing_against_the_agent(session: Session, behind: Backstage) -> None:
    write(session, "a.ts", f"{IMPORT}\n")
    (session.project / "a.ts").unlink()
    stop(session, behind)
    assert firings(behind) == [("a.ts", IMPORT, "heeded")]


def test_a_secret_in_a_line_is_replaced_and_the_line_still_found(session: Session, behind: Backstage) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    write(session, "a.ts", f"{IMPORT} // {secret}\n")
    stop(session, behind)
    ((_, line, outcome),) = firings(behind)
    assert secret not in line
    assert outcome == "broken"


def test_taken_in_twice_it_is_recorded_once(stage: Cast, session: Session, behind: Backstage) -> None:
    write(session, "a.ts", f"{IMPORT}\n")
    (spooled,) = stage.where.spool.glob("*.json")
    raw, status = spooled.read_bytes(), spooled.stat()
    behind.work()
    spooled.write_bytes(raw)
    os.utime(spooled, ns=(status.st_atime_ns, status.st_mtime_ns))
    behind.again()
    behind.work()
    assert len(firings(behind)) == 1


def test_what_was_said_again_is_a_repeat_with_whether_it_was_delivered(
    stage: Cast, shop: Path, behind: Backstage
) -> None:
    behind.clock.forward(300)
    told, untold = Session(stage.where, shop), Session(stage.where, shop)
    told.hook("SessionStart", source="startup")
    (started,) = stage.where.spool.glob("*.json")
    minute = started.stat().st_mtime + 60
    os.utime(started, (minute, minute))  # behind what the hurried clock has written so far
    behind.work()
    said_at = stamp(datetime.fromtimestamp(minute + 60, UTC))
    for session, words in ((told, AXIOS), (untold, PURE)):
        session.answer("Done.", session.prompt(words, timestamp=said_at))
        session.end()
    behind.work()
    assert {(one.entry, one.delivered) for one in behind.store().repeats()} == {
        (entry(behind, AXIOS).id, True),
        (entry(behind, PURE).id, False),
    }


def test_a_cue_of_an_entry_that_is_no_more_is_left_out(session: Session, behind: Backstage) -> None:
    write(session, "a.ts", f"{IMPORT}\n")
    keeping = behind.store().history(entry(behind, AXIOS).id)[0]
    behind.store().undo(keeping.id)
    behind.work()
    assert behind.store().firings() == ()
