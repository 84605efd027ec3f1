"""The audit of what the agent wrote all the same, and what does not stay for ever."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from asides.daemon import marks
from asides.daemon.app import App
from asides.daemon.status import status
from tests.support.scripted_daemon import Cast, cast, writer
from tests.support.stage import Backstage, Hurried, Session, make_project, memory_folder, rule

RULE = rule(1)


@pytest.fixture
def ground() -> Iterator[Path]:
    with memory_folder() as folder:
        yield folder


@pytest.fixture
def project(ground: Path) -> Path:
    return make_project(ground / "shop")


@pytest.fixture
def stage(ground: Path) -> Cast:
    made = cast(ground / "home", phrases=[RULE], poison="poison")
    made.python.unlink()  # no daemon: the test does its work
    return made


@pytest.fixture
def behind(stage: Cast) -> Iterator[Backstage]:
    made = Backstage(stage.where, writer(stage.options))
    yield made
    made.app.close()


def slips(behind: Backstage, project: Path) -> list[tuple[str, str]]:
    return [(Path(slip.path).name, slip.change) for slip in status(behind.app, project).slips]


def test_what_the_agent_wrote_into_its_instructions_is_reported_though_the_whole_turn_came_at_once(
    stage: Cast, project: Path, behind: Backstage
) -> None:
    first = Session(stage.where, project)
    first.turn("Hello.")
    first.end()
    behind.work()
    assert slips(behind, project) == []
    second = Session(stage.where, project)
    prompt = second.prompt("Go on.")
    (project / "CLAUDE.md").write_text("- written by the agent\n", "utf-8")
    second.answer("Done.", prompt)
    behind.work()
    assert slips(behind, project) == [("CLAUDE.md", "added")]


def test_what_the_person_wrote_between_two_turns_is_not_held_against_the_agent(
    stage: Cast, project: Path, behind: Backstage
) -> None:
    session = Session(stage.where, project)
    session.turn("Hello.")
    behind.work()
    (project / "CLAUDE.md").write_text("- written by hand\n", "utf-8")
    prompt = session.prompt("Go on.")
    behind.work()
    session.answer("Done.", prompt)
    behind.work()
    assert slips(behind, project) == []


def test_a_file_name_that_is_no_text_does_not_stop_the_audit(
    stage: Cast, project: Path, behind: Backstage
) -> None:
    rules = project / ".claude" / "rules"
    rules.mkdir(parents=True)
    session = Session(stage.where, project)
    session.turn("Hello.")
    behind.work()
    prompt = session.prompt("Go on.")
    behind.work()
    with open(os.fsencode(rules) + b"/caf\xe9.md", "wb") as file:
        file.write(b"x")
    session.answer("Done.", prompt)
    behind.work()
    assert [change for _, change in slips(behind, project)] == ["added"]
    assert not [row for row in behind.app.ledger.rows("failures", since="") if row[0] == "daemon"]


def test_words_of_old_turns_go_and_what_was_kept_and_why_stays(
    stage: Cast, project: Path, behind: Backstage
) -> None:
    session = Session(stage.where, project)
    session.turn(f"Please look at the importer. {RULE} " + "And then some more. " * 40)
    session.end()
    behind.work()
    (stage.where.given / session.id).write_text("v1\n", "utf-8")
    behind.clock.forward(91 * 86_400)
    behind.app._swept_at = None
    behind.app.round()
    (turn,) = behind.app.ledger.database.rows("SELECT state, length(message), reply FROM turn")
    assert turn == ("judged", 300, "")
    assert behind.app.ledger.database.rows("SELECT count(*) FROM event") == [(0,)]
    assert not (stage.where.given / session.id).exists()
    (entry,) = behind.store().live()
    (finding,) = behind.store().findings(entry=entry.id)
    assert RULE in finding.excerpt


def test_prompts_are_not_kept_twice_once_nobody_asks_for_them(
    stage: Cast, project: Path, behind: Backstage
) -> None:
    session = Session(stage.where, project)
    session.turn(RULE)
    session.end()
    behind.work()
    assert behind.app.ledger.database.rows("SELECT count(*) FROM event WHERE text <> ''") != [(0,)]
    behind.clock.forward(3 * 86_400)
    behind.app._swept_at = None
    behind.app.round()
    assert behind.app.ledger.database.rows("SELECT count(*) FROM event WHERE text <> ''") == [(0,)]


def test_only_the_last_unreadable_hook_runs_are_kept(stage: Cast, behind: Backstage) -> None:
    stage.where.spool.mkdir(parents=True, exist_ok=True)
    for number in range(30):
        (stage.where.spool / f"{number}.json").write_bytes(b"no hook wrote this")
        behind.app.round()
    assert len(list((stage.where.spool / "broken").iterdir())) == 20
    failures = behind.app.ledger.rows("failures", since="")
    assert [row[4] for row in failures if row[0] == "hook"] == [30]


def test_a_daemon_whose_folder_was_taken_away_knows_that_it_is_displaced(stage: Cast) -> None:
    stage.where.run.mkdir(parents=True, exist_ok=True)
    mark = marks.fresh(version="1.0.0", socket=stage.where.socket)
    marks.write(stage.where.run, mark)
    app = App(stage.where, clock=Hurried(), mark=mark, load=writer(stage.options))
    try:
        assert not app.displaced()
        successor = json.loads((stage.where.run / "daemon.json").read_bytes()) | {"nonce": "another"}
        (stage.where.run / "daemon.json").write_text(json.dumps(successor), "utf-8")
        assert app.displaced()
    finally:
        app.close()


def test_a_damaged_ledger_is_put_aside_and_nothing_is_kept_twice(
    stage: Cast, project: Path, behind: Backstage
) -> None:
    session = Session(stage.where, project)
    session.turn(RULE)
    session.end()
    behind.work()
    before = behind.store().all()
    behind.app.close()
    for end in ("-wal", "-shm"):
        stage.where.ledger.with_name("writer.db" + end).unlink(missing_ok=True)
    stage.where.ledger.write_bytes(b"no database any more" * 500)
    stage.where.run.mkdir(parents=True, exist_ok=True)
    mark = marks.fresh(version="1.0.0", socket=stage.where.socket)
    behind.app = App(stage.where, clock=behind.clock, mark=mark, load=writer(stage.options))
    assert [path.read_bytes()[:20] for path in stage.where.state.glob("*.damaged")] == [
        b"no database any more"
    ]
    (failure,) = [row for row in behind.app.ledger.rows("failures", since="") if row[0] == "ledger"]
    assert "begun anew" in str(failure[3])
    session.hook("SessionStart", source="resume")
    session.hook("SessionEnd", reason="other")
    behind.work()
    assert [state for state, _ in behind.turns().values()] == ["judged"]
    assert behind.store().all() == before


def test_prepared_texts_that_somebody_removed_are_there_again_for_the_session_after(
    stage: Cast, project: Path, behind: Backstage
) -> None:
    first = Session(stage.where, project)
    first.turn(RULE)
    first.end()
    behind.work()
    shutil.rmtree(stage.where.ready)
    second = Session(stage.where, project)
    assert second.hook("SessionStart", source="startup") == b""
    behind.work()
    third = Session(stage.where, project)
    assert RULE in third.hook("SessionStart", source="startup").decode()
