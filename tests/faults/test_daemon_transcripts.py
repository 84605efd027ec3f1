"""Whatever becomes of a transcript, each statement of a person is judged once, and nobody else's is."""

from __future__ import annotations

import json
import os
import random
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from asides.db.connection import open_database
from asides.model.judgment import Reason
from asides.store.contract import Judged
from tests.support.scripted_daemon import Cast, cast, writer
from tests.support.stage import Backstage, Session, make_project, memory_folder, rule

RULES = [rule(number) for number in range(12)]
SCRIPT = f"You are a release robot. Read the open issues, label every one of them and report. {RULES[0]}"


@pytest.fixture
def ground() -> Iterator[Path]:
    with memory_folder() as folder:
        yield folder


@pytest.fixture
def project(ground: Path) -> Path:
    return make_project(ground / "shop")


@pytest.fixture
def stage(ground: Path) -> Cast:
    made = cast(ground / "home", phrases=RULES, poison="poison")
    # No daemon: the hook must not find an interpreter, the test does the daemon's work.
    made.python.unlink()
    return made


@pytest.fixture
def behind(stage: Cast) -> Iterator[Backstage]:
    made = Backstage(stage.where, writer(stage.options))
    yield made
    made.app.close()


def judged(behind: Backstage, session: Session) -> list[str]:
    """Returns the states of the turns of the lines that a person wrote in this session."""
    turns = behind.turns()
    return [turns[uuid][0] if uuid in turns else "lost" for uuid in session.said]


def findings(behind: Backstage) -> tuple[Judged, ...]:
    return behind.store().findings(limit=1000)


def test_a_transcript_that_is_rotated_within_its_folder_is_read_to_its_end_and_then_the_new_one(
    stage: Cast, project: Path, behind: Backstage
):
    session = Session(stage.where, project)
    session.turn(RULES[0])
    behind.work()
    session.turn(RULES[1])  # nobody has read this one when the file moves away
    session.transcript.rename(session.transcript.with_suffix(".1"))
    session.turn(RULES[2])
    behind.work()
    session.turn(RULES[3])
    session.end()
    behind.work()
    assert judged(behind, session) == ["judged"] * 4
    assert behind.bodies() == dict.fromkeys(RULES[:4], "live")
    assert len(findings(behind)) == 4


def test_a_transcript_that_is_written_anew_with_old_lines_loses_no_turn_that_was_still_open(
    stage: Cast, project: Path, behind: Backstage
):
    session = Session(stage.where, project)
    session.turn(RULES[0])
    session.turn(RULES[1])
    behind.work()
    first = session.transcript.read_text().splitlines(keepends=True)[:2]
    session.transcript.unlink()
    session.transcript.write_text("".join(first))  # the second turn, still open, is not in it
    session.turn(RULES[2])
    session.end()
    behind.work()
    assert judged(behind, session) == ["judged"] * 3
    assert behind.bodies() == dict.fromkeys(RULES[:3], "live")


def test_what_was_said_behind_a_transcript_that_is_gone_is_kept_as_a_proposal_at_most(
    stage: Cast, project: Path, behind: Backstage
):
    session = Session(stage.where, project)
    session.turn(RULES[0])
    session.turn("Go on.")
    behind.work()
    session.turn(RULES[1])
    session.transcript.unlink()
    session.end()
    behind.work()
    assert behind.bodies() == {RULES[0]: "live", RULES[1]: "proposed"}
    assert [body.body for body in findings(behind)].count(RULES[0]) == 1


def test_what_was_said_without_any_transcript_is_kept_as_a_proposal_at_most(
    stage: Cast, project: Path, behind: Backstage
):
    session = Session(stage.where, project)
    session.transcript = project.parent / "transcripts" / "nobody-writes-this.jsonl"
    session.hook("UserPromptSubmit", prompt_id="p1", prompt=RULES[0])
    session.hook("Stop", prompt_id="p1", last_assistant_message="Done.")
    session.hook("UserPromptSubmit", prompt_id="p2", prompt="<task-notification>\n" + RULES[1])
    session.end()
    behind.work()
    assert behind.bodies() == {RULES[0]: "proposed"}
    (kept,) = findings(behind)
    assert kept.entry is not None
    assert [state for state, _ in behind.turns().values()] == ["judged"]
    # And a transcript that appears after all says nothing twice.
    session.line(RULES[0], promptId="p1")
    session.reply("Done.")
    session.hook("SessionStart", source="resume")
    session.end()
    behind.work()
    assert behind.bodies() == {RULES[0]: "proposed"}
    assert behind.store().get(kept.entry).sightings == 1


def test_a_fork_of_a_judged_session_is_not_judged_again(stage: Cast, project: Path, behind: Backstage):
    session = Session(stage.where, project)
    session.turn(RULES[0])
    session.turn(RULES[1])
    session.end()
    behind.work()
    fork = Session(stage.where, project)
    shutil.copy(session.transcript, fork.transcript)
    fork.hook("SessionStart", source="fork")
    fork.turn(RULES[2])
    fork.end()
    behind.work()
    imported = Session(stage.where, project)
    text = fork.transcript.read_text().replace(session.id, imported.id).replace(fork.id, imported.id)
    imported.transcript.write_text(text)
    imported.hook("SessionStart", source="resume")
    imported.end()
    behind.work()
    assert len(behind.turns()) == 3
    assert judged(behind, session) + judged(behind, fork) == ["judged"] * 3
    assert {entry.sightings for entry in behind.store().all()} == {1}
    assert len(findings(behind)) == 3


def test_a_resumed_session_goes_on_where_it_ended(stage: Cast, project: Path, behind: Backstage):
    session = Session(stage.where, project)
    session.turn(RULES[0])
    session.end()
    behind.work()
    behind.again()
    session.hook("SessionStart", source="resume")
    session.turn(RULES[1])
    session.end()
    behind.work()
    assert judged(behind, session) == ["judged"] * 2
    assert len(findings(behind)) == 2


def test_a_sub_agent_neither_closes_nor_advances_its_parents_turn(
    stage: Cast, project: Path, behind: Backstage
):
    session = Session(stage.where, project)
    prompt_id = session.prompt(RULES[0])
    behind.work()
    before = behind.app.ledger.one("session", session.id)
    inside: dict[str, Any] = {"prompt_id": prompt_id, "agent_id": "a1", "agent_type": "general-purpose"}
    session.hook("SubagentStart", **inside)
    changed = str(project / "app.py")
    session.hook(
        "PostToolUse",
        tool_name="Write",
        tool_input={"file_path": changed},
        tool_response={"type": "update", "filePath": changed},
        **inside,
    )
    session.write(
        "user",
        {"role": "user", "content": RULES[1]},
        isSidechain=True,
        origin={"kind": "human"},
        promptSource="typed",
    )
    session.hook("SubagentStop", last_assistant_message="It is done.", stop_hook_active=False, **inside)
    # Clients differ in which of their own events they send from inside one.
    session.hook("UserPromptSubmit", prompt=RULES[2], **inside)
    session.hook("Stop", last_assistant_message="It is done.", **inside)
    behind.work()
    after = behind.app.ledger.one("session", session.id)
    assert after == before
    assert behind.turns() == {session.said[0]: ("open", "")}
    session.answer("Done.", prompt_id)
    session.end()
    behind.work()
    assert behind.turns() == {session.said[0]: ("judged", Reason.OK)}
    kept = behind.app.ledger.turn(next(iter(behind.turns())))  # type: ignore[arg-type]
    assert kept is not None
    assert kept.turn.files == (changed,)
    assert kept.turn.reply == "Done."


def test_a_prompt_typed_while_the_agent_works_is_a_statement_of_its_own(
    stage: Cast, project: Path, behind: Backstage
):
    session = Session(stage.where, project)
    prompt_id = session.prompt(RULES[0])
    session.hook("UserPromptSubmit", prompt_id=prompt_id, prompt=RULES[1])
    queued = {"type": "queued_command", "prompt": RULES[1], "commandMode": "prompt"}
    session.write("attachment", {}, attachment=queued | {"origin": {"kind": "human"}})
    note = "<task-notification>" + RULES[2]
    session.write("attachment", {}, attachment=queued | {"prompt": note, "origin": {"kind": "task"}})
    session.answer("Both are done.", prompt_id)
    session.end()
    behind.work()
    assert behind.bodies() == dict.fromkeys(RULES[:2], "live")
    assert [state for state, _ in behind.turns().values()] == ["judged"] * 2


@pytest.mark.parametrize("crashed", [False, True])
def test_a_prompt_that_was_taken_back_is_skipped_with_its_reason(
    stage: Cast, project: Path, behind: Backstage, crashed: bool
):
    session = Session(stage.where, project)
    session.turn("Go on.")
    top = session.reply("What next?")
    session.hook("UserPromptSubmit", prompt_id="p1", prompt=RULES[0])
    session.line(RULES[0], promptId="p1")
    behind.work()
    if crashed:
        behind.again()
    session.hook("UserPromptSubmit", prompt_id="p2", prompt=RULES[1])
    session.line(RULES[1], promptId="p2", after=top)
    session.answer("Done.", "p2")
    session.end()
    behind.work()
    states = [behind.turns()[uuid] for uuid in session.said]
    assert states == [("judged", "nothing"), ("skipped", Reason.ABANDONED), ("judged", "ok")]
    assert behind.bodies() == {RULES[1]: "live"}


def test_a_prompt_that_scripts_repeat_is_unmasked_and_what_was_kept_of_it_retired(
    stage: Cast, project: Path, behind: Backstage
):
    sessions = []
    for _ in range(4):
        session = Session(stage.where, project)
        session.hook("UserPromptSubmit", prompt_id="p1", prompt=SCRIPT)
        session.line(SCRIPT, source="sdk", human=False, promptId="p1")
        session.answer("Labelled.", "p1")
        session.end()
        behind.work()
        sessions.append(behind.bodies())
    assert sessions == [{RULES[0]: "live"}] * 2 + [{RULES[0]: "retired"}] * 2
    assert [reason for _, reason in behind.turns().values()] == ["ok", "ok", Reason.SCRIPT, Reason.SCRIPT]


def test_what_tooling_says_in_the_persons_place_is_never_judged(
    stage: Cast, project: Path, behind: Backstage
):
    session = Session(stage.where, project)
    session.turn(RULES[0])
    note = f"<task-notification>\n<summary>{RULES[1]}</summary>\n</task-notification>"
    session.hook("UserPromptSubmit", prompt_id="p2", prompt=note)
    session.line(note, source=None, human=False, promptId="p2", origin={"kind": "task-notification"})
    session.line(RULES[2], source=None, human=False, isMeta=True)
    session.line(RULES[3], source=None, human=False)
    session.answer("Noted.", "p2")
    session.end()
    behind.work()
    assert list(behind.turns()) == session.said
    assert behind.bodies() == {RULES[0]: "live"}


def test_a_session_whose_end_was_never_told_is_closed_by_the_sweep(
    stage: Cast, project: Path, behind: Backstage
):
    session = Session(stage.where, project)
    session.turn(RULES[0])
    behind.work()
    assert judged(behind, session) == ["open"]
    behind.work(ahead=behind.app.settings.sweep_after + 1.0)
    assert judged(behind, session) == ["judged"]
    assert behind.app.next_due() is None, "the sweep would wake the daemon for nothing"
    session.turn(RULES[1])  # it was only silent
    session.end()
    behind.work()
    assert judged(behind, session) == ["judged"] * 2


@pytest.mark.parametrize("seed", range(12))
def test_neither_the_order_of_events_nor_lost_ones_nor_crashes_change_what_is_judged(
    stage: Cast, project: Path, behind: Backstage, ground: Path, seed: int
):
    chance = random.Random(seed)
    sessions = [Session(stage.where, project) for _ in range(3)]
    aside = ground / "aside"
    aside.mkdir()
    told: list[Path] = []
    for place, session in enumerate(sessions):
        session.hook("SessionStart", source="startup")
        for number in range(4):
            session.turn(RULES[4 * place + number])
        session.end()
        fresh = sorted(stage.where.spool.iterdir())
        kept = chance.sample(fresh, chance.randint(1, len(fresh)))  # at least one hook was heard of
        for path in fresh:
            if path in kept:
                told.append(path.rename(aside / f"{place}-{path.name}"))
            else:
                path.unlink()
    chance.shuffle(told)
    for path in told:
        path.rename(stage.where.spool / path.name)
        for _ in range(chance.choice([0, 0, 1, 5])):
            behind.app.round()
        behind.clock.forward(chance.choice([0.0, 0.0, 1.1, 2.0]))
        if chance.random() < 0.2:
            behind.again()
    behind.work(ahead=behind.app.settings.sweep_after + 10.0)
    assert [judged(behind, session) for session in sessions] == [["judged"] * 4] * 3
    assert len(behind.turns()) == 12
    assert behind.bodies() == dict.fromkeys(RULES, "live")
    assert {entry.sightings for entry in behind.store().all()} == {1}
    assert len(findings(behind)) == 12
    assert list(stage.where.spool.iterdir()) == []
    assert behind.app.next_due() is None


def test_a_crash_before_spool_files_are_gone_takes_none_of_them_in_twice(
    stage: Cast, project: Path, behind: Backstage, ground: Path
):
    session = Session(stage.where, project)
    session.hook("SessionStart", source="startup")
    session.turn(RULES[0])
    session.end()
    (stage.where.spool / "999999.tmp").write_bytes(b'{"half')
    (stage.where.spool / "77.json").write_bytes(b"no notes at all")
    runs = sorted(stage.where.spool.iterdir())
    aside = ground / "aside"
    aside.mkdir()
    for path in runs:
        shutil.copy2(path, aside / path.name)
    behind.work()
    before = list(behind.app.ledger.rows("beats", since="", today=""))
    assert {path.name for path in stage.where.spool.iterdir()} == {"broken"}
    for path in runs:
        shutil.copy2(aside / path.name, path)
    behind.again()
    behind.work()
    after = list(behind.app.ledger.rows("beats", since="", today=""))
    told = [[row for row in rows if row[0] in ("hook", "judge")] for rows in (before, after)]
    assert told[0] == told[1]
    assert sum(int(str(row[3])) for row in told[0] if row[0] == "hook") == session.runs + 2
    assert {path.name for path in stage.where.spool.iterdir()} == {"broken"}


def test_a_crash_between_the_store_and_the_ledger_keeps_and_counts_nothing_twice(
    stage: Cast, project: Path, behind: Backstage
):
    session = Session(stage.where, project)
    session.turn(f"{RULES[0]} {RULES[1]}")
    session.end()
    behind.work()
    operations = behind.store().operations()
    ready = sorted((path, path.read_bytes()) for path in stage.where.ready.rglob("*.json"))
    # What a crash at that moment leaves: the store has it all, the ledger does not know yet.
    behind.app.ledger.database.run("DELETE FROM judgment")
    behind.app.ledger.database.run("UPDATE turn SET state = 'owed'")
    behind.again()
    behind.work()
    assert judged(behind, session) == ["judged"]
    assert behind.store().operations() == operations
    assert len(findings(behind)) == 2
    assert sorted((path, path.read_bytes()) for path in stage.where.ready.rglob("*.json")) == ready


def test_a_judgment_is_stored_with_its_heartbeat_or_not_at_all(stage: Cast, project: Path, behind: Backstage):
    session = Session(stage.where, project)
    session.turn(RULES[0])
    session.end()
    database = behind.app.ledger.database
    database.run(
        "CREATE TRIGGER broken BEFORE INSERT ON heartbeat WHEN new.what = 'judge' AND new.outcome = 'kept'"
        " BEGIN SELECT RAISE(ABORT, 'broken'); END"
    )
    behind.work()
    assert judged(behind, session) == ["owed"]
    assert database.rows("SELECT count(*) FROM judgment") == [(0,)]
    assert not list(stage.where.ready.rglob("version"))
    database.run("DROP TRIGGER broken")
    behind.work(ahead=60)
    assert judged(behind, session) == ["judged"]
    assert database.rows("SELECT count(*) FROM heartbeat WHERE what = 'judge' AND outcome = 'kept'") == [(1,)]
    assert {entry.sightings for entry in behind.store().all()} == {1}
    assert list(stage.where.ready.rglob("version")), "what was kept at the first try is never delivered"


def test_what_the_store_does_not_take_is_still_owed(stage: Cast, project: Path, behind: Backstage):
    session = Session(stage.where, project)
    session.turn("Go on.")
    session.turn(RULES[0])
    behind.work()
    path = stage.where.store(behind.app.ledger.projects()[0].id)
    database = open_database(path, durable=False)
    database.run("CREATE TRIGGER broken BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'broken'); END")
    session.end()
    behind.work()
    assert judged(behind, session) == ["judged", "owed"]
    database.run("DROP TRIGGER broken")
    database.close()
    behind.work(ahead=60)
    assert judged(behind, session) == ["judged", "judged"]
    assert behind.bodies() == {RULES[0]: "live"}


def test_a_store_that_is_busy_costs_a_turn_none_of_its_tries(stage: Cast, project: Path, behind: Backstage):
    session = Session(stage.where, project)
    session.turn("Go on.")
    session.turn(RULES[0])
    behind.work()
    database = behind.app.ledger.database
    database.run("UPDATE turn SET tries = 2 WHERE state = 'open'")
    path = stage.where.store(behind.app.ledger.projects()[0].id)
    behind.again()
    aside = path.rename(path.with_name("aside"))
    path.mkdir()  # it cannot be opened just now
    session.end()
    behind.work(ahead=100)
    assert judged(behind, session) == ["judged", "owed"]
    path.rmdir()
    aside.rename(path)
    behind.work(ahead=60)
    assert judged(behind, session) == ["judged", "judged"]
    assert behind.bodies() == {RULES[0]: "live"}


def test_a_start_owes_texts_to_every_project_and_answers_before_it_has_prepared_them(
    stage: Cast, project: Path, behind: Backstage, ground: Path
):
    for place, folder in enumerate((project, make_project(ground / "bakery"), make_project(ground / "bank"))):
        session = Session(stage.where, folder)
        session.turn(RULES[place])
        session.end()
    behind.work()
    ready = sorted(stage.where.ready.rglob("start.json"))
    assert len(ready) == 3
    shutil.rmtree(stage.where.ready)  # as if they had been prepared by a version that wrote others
    behind.again()
    behind.app.began("again")
    assert not list(stage.where.ready.rglob("start.json"))
    behind.work()
    assert sorted(stage.where.ready.rglob("start.json")) == ready


def test_a_poisoned_turn_is_parked_after_three_tries_and_counted_while_others_go_on(
    stage: Cast, project: Path, behind: Backstage
):
    session = Session(stage.where, project)
    session.turn(f"poison. {RULES[0]}")
    session.turn(RULES[1])
    session.end()
    behind.work()
    assert judged(behind, session) == ["owed", "judged"]
    behind.work(ahead=120)
    assert judged(behind, session) == ["parked", "judged"]
    rows = behind.app.ledger.rows("failures", since="")
    assert [(what, count) for what, _, _, _, count, _ in rows] == [("judge", 3)]
    assert behind.app.next_due() is None
    assert behind.bodies() == {RULES[1]: "live"}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b'{"cut": \n#asides 1\nagent claude-code\nevent Stop\nend\n',
        b"[" * 100_000 + b"\n#asides 1\nagent claude-code\nevent Stop\nend\n",
        b'{"session_id": 7}\n#asides 1\nagent claude-code\nevent Stop\nend\n',
        None,  # a folder
    ],
)
def test_a_spool_file_that_cannot_be_read_is_kept_and_counted_once_and_holds_up_nobody(
    stage: Cast, project: Path, behind: Backstage, content: bytes | None
):
    bad = stage.where.spool / "1.json"
    if content is None:
        bad.mkdir()
    else:
        bad.write_bytes(content)
    os.utime(bad, (1, 1))  # the oldest, so it comes first
    session = Session(stage.where, project)
    session.turn(RULES[0])
    session.end()
    behind.work()
    behind.again()
    behind.work()
    assert judged(behind, session) == ["judged"]
    assert [path.name[:2] for path in (stage.where.spool / "broken").iterdir()] == ["1-"]
    rows = [row for row in behind.app.ledger.rows("beats", since="", today="") if row[0] == "hook"]
    counts = [(str(outcome), int(str(count))) for _, _, outcome, count, _ in rows]
    assert sum(count for outcome, count in counts if outcome == "failed") == 1
    assert sum(count for _, count in counts) == session.runs + 1


def test_a_session_that_cannot_be_read_on_is_given_up_with_a_count_and_holds_up_nobody(
    stage: Cast, project: Path, behind: Backstage
):
    bad, good = Session(stage.where, project), Session(stage.where, project)
    bad.turn(RULES[0])
    behind.work()
    behind.app.ledger.database.run("UPDATE session SET position = '{'")
    bad.turn(RULES[1])
    good.turn(RULES[2])
    good.end()
    behind.work(ahead=200)
    assert judged(behind, good) == ["judged"]
    rows = behind.app.ledger.rows("failures", since="")
    assert [(what, count) for what, _, _, _, count, _ in rows] == [("transcript", 3)]
    assert behind.app.next_due() is None


def test_a_damaged_store_holds_up_no_other_project(
    stage: Cast, project: Path, behind: Backstage, ground: Path
):
    mine, theirs = Session(stage.where, project), Session(stage.where, make_project(ground / "bakery"))
    mine.turn(RULES[0])
    mine.end()
    behind.work()
    path = stage.where.store(behind.store().project)
    behind.again()
    path.write_bytes(b"no database at all" * 1000)
    mine.hook("SessionStart", source="startup")
    mine.turn(RULES[1])
    mine.end()
    theirs.turn(RULES[2])
    theirs.end()
    behind.work(ahead=200)
    assert judged(behind, theirs) == ["judged"]
    assert judged(behind, mine) == ["judged", "parked"]
    assert path.read_bytes().startswith(b"no database")
    assert not list(stage.where.spool.glob("*.json"))


def test_lines_that_no_one_can_read_are_counted_and_stepped_over(
    stage: Cast, project: Path, behind: Backstage
):
    session = Session(stage.where, project)
    session.raw("no json")
    session.raw('{"type": "user", "uuid": ')
    session.raw("[" * 50_000)
    session.raw(json.dumps({"type": "user", "uuid": str(uuid.uuid4()), "message": "\udc88"}))
    session.turn(RULES[0] + " \udc88 is what the tool printed.")
    session.end()
    behind.work()
    assert behind.bodies() == {RULES[0]: "live"}
    (row,) = [row for row in behind.app.ledger.rows("failures", since="") if row[0] == "transcript"]
    assert str(row[3]).startswith("3 lines skipped")


def test_a_rolled_back_reading_is_forgotten_as_a_whole(stage: Cast, project: Path, behind: Backstage):
    session = Session(stage.where, project)
    prompt_id = session.prompt("Go on with it.")
    behind.work()
    session.reply("First half.")
    session.hook("Stop", prompt_id=prompt_id, last_assistant_message="Second half.")
    # The first attempt to store what was read breaks behind the reply, as on a full disk.
    behind.app.ledger.database.run(
        "CREATE TRIGGER full BEFORE UPDATE OF position ON session BEGIN SELECT RAISE(ABORT, 'full'); END"
    )
    behind.app.round()
    behind.app.round()
    behind.app.ledger.database.run("DROP TRIGGER full")
    session.end()
    behind.work(ahead=200)
    kept = behind.app.ledger.turn(session.said[0])  # type: ignore[arg-type]
    assert kept is not None
    assert (kept.state, kept.turn.reply) == ("judged", "First half.")
