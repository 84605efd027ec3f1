"""The daemon on a hostile machine: one at a time, never mistaken, never missed, never in the way."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from asides.daemon import endpoint, marks, process
from asides.daemon.app import App
from asides.daemon.status import status
from asides.intake.ledger import Ledger
from asides.model import clock
from tests.support.scripted_daemon import Cast, cast, processes_of, until, writer
from tests.support.stage import Session, make_project, memory_folder, rule, together

RULES = [rule(number) for number in range(60)]


@pytest.fixture
def ground() -> Iterator[Path]:
    with memory_folder() as folder:
        yield folder


@pytest.fixture
def project(ground: Path) -> Path:
    return make_project(ground / "shop")


@pytest.fixture
def stage(ground: Path) -> Iterator[Cast]:
    made = cast(ground / "home", phrases=RULES, poison="poison")
    yield made
    made.leave()
    for left in processes_of(Path(made.options.home)):
        os.kill(left, signal.SIGKILL)


def gone(pid: int) -> bool:
    return not process.is_running(pid)


def log_of(stage: Cast) -> str:
    return (stage.where.logs / "daemon.log").read_text()


def only_process(stage: Cast) -> int:
    """Waits until exactly one process serves the home; returns its number."""
    home = Path(stage.options.home)
    (pid,) = until(
        lambda: found if len(found := processes_of(home)) == 1 else None, within=40, what="not one process"
    )
    return int(pid)


def states(stage: Cast) -> list[str]:
    ledger = Ledger(stage.where.ledger)
    try:
        return [str(state) for (state,) in ledger.database.rows("SELECT state FROM turn ORDER BY seq")]
    finally:
        ledger.close()


def daemon_rows(stage: Cast) -> list[tuple[str, str]]:
    ledger = Ledger(stage.where.ledger)
    try:
        rows = ledger.database.rows("SELECT outcome, reason FROM heartbeat WHERE what = 'daemon' ORDER BY id")
        return [(str(outcome), str(reason)) for outcome, reason in rows]
    finally:
        ledger.close()


def problems(stage: Cast, project: Path) -> tuple[str, ...]:
    app = App(stage.where, clock=clock.now, load=writer(stage.options))
    try:
        return status(app, project).problems
    finally:
        app.close()


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """Another program, which must survive whatever our marks say of its number."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    yield child
    child.kill()
    child.wait()


@pytest.mark.parametrize("known_start", [True, False], ids=["with its very start", "with another start"])
@pytest.mark.parametrize("boot", ["this boot", "another boot"])
def test_marks_that_name_another_program_keep_no_daemon_away_and_do_that_program_no_harm(
    stage: Cast, project: Path, bystander: subprocess.Popen[bytes], known_start: bool, boot: str
):
    start = process.start_mark(bystander.pid) if known_start else "12345"
    marks.write(
        stage.where.run,
        marks.Mark(
            pid=bystander.pid,
            start=start,
            boot=process.boot_id() if boot == "this boot" else "0" * 36,
            nonce="0" * 32,
            version="99.0.0",
            socket=str(stage.where.socket),
        ),
    )
    session = Session(stage.where, project)
    session.hook("SessionStart", source="startup")
    answer = stage.answer()
    assert answer.pid != bystander.pid
    session.turn(RULES[0])
    session.end()
    stage.settle()
    assert states(stage) == ["judged"]
    assert bystander.poll() is None


def test_an_answer_without_the_nonce_on_disk_is_no_daemon(stage: Cast, ground: Path):
    stage.start()
    stage.answer()
    mark = marks.read(stage.where.run)
    assert mark is not None
    other = ground / "other"
    other.mkdir()
    marks.write(
        other,
        marks.Mark(
            pid=mark.pid,
            start=mark.start,
            boot=mark.boot,
            nonce="f" * 32,
            version=mark.version,
            socket=mark.socket,
        ),
    )
    assert endpoint.answering(stage.where.run) is not None
    assert endpoint.answering(other) is None


def test_a_home_whose_path_is_too_long_for_a_socket_is_served_from_a_short_private_folder(
    ground: Path, project: Path
):
    stage = cast(ground / ("long-" * 20) / "home", phrases=RULES)
    try:
        session = Session(stage.where, project)
        session.turn(RULES[0])
        session.end()
        stage.settle()
        socket = stage.where.socket
        assert not socket.is_relative_to(ground)
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE(socket.stat().st_mode) == 0o600
    finally:
        stage.leave()
    assert states(stage) == ["judged"]
    assert not socket.exists()
    socket.parent.rmdir()


def test_of_daemons_started_at_the_same_instant_one_stays_and_the_others_leave_in_order(stage: Cast):
    started = [stage.start() for _ in range(4)]
    answer = stage.answer()
    for child in started:
        if child.pid != answer.pid:
            assert child.wait(40) == 0
    assert only_process(stage) == answer.pid
    assert endpoint.ask(stage.where.run, "hello").pid == answer.pid
    rows = daemon_rows(stage)
    assert [reason.partition(":")[0] for _, reason in rows] == ["began"]


def test_of_hooks_that_find_no_daemon_at_the_same_instant_one_gets_it_started(stage: Cast, project: Path):
    sessions = [Session(stage.where, project) for _ in range(8)]
    together([threading.Thread(target=each.hook, args=("SessionStart",)) for each in sessions])
    answer = stage.settle()
    assert only_process(stage) == answer.pid


def test_a_daemon_stopped_and_started_again_leaves_no_process_behind(stage: Cast):
    for _ in range(4):
        stage.start()
        answer = stage.answer()
        assert only_process(stage) == answer.pid
        stage.leave()
        assert gone(answer.pid)
    assert processes_of(Path(stage.options.home)) == []


@pytest.mark.slow
def test_a_daemon_that_answers_nothing_is_ended_and_replaced_at_the_next_start(stage: Cast, project: Path):
    session = Session(stage.where, project)
    session.turn(RULES[0])
    deaf = stage.answer().pid
    os.kill(deaf, signal.SIGSTOP)
    session.turn(RULES[1])  # the hook takes it for alive, and is not held up
    other = Session(stage.where, project)
    other.hook("SessionStart", source="startup")
    until(lambda: gone(deaf), within=60, what="the deaf daemon stays")
    session.end()
    answer = stage.settle()
    assert answer.pid != deaf
    assert states(stage) == ["judged", "judged"]
    assert any("ended one that did not answer" in reason for _, reason in daemon_rows(stage))


def test_a_newer_version_replaces_the_older_and_an_older_one_leaves(stage: Cast, project: Path):
    session = Session(stage.where, project)
    stage.direct(version="0.9.0")
    session.turn(RULES[0])
    old = stage.answer()
    assert only_process(stage) == old.pid
    stage.direct(version="0.10.0")
    Session(stage.where, project).hook("SessionStart", source="startup")
    until(lambda: gone(old.pid), within=40, what="the older version stays")
    new = stage.answer()
    assert (old.version, new.version) == ("0.9.0", "0.10.0")
    stage.direct(version="0.9.9")
    assert stage.start().wait(40) == 0
    assert endpoint.ask(stage.where.run, "hello").pid == new.pid
    session.end()
    stage.settle()
    assert states(stage) == ["judged"]
    assert ("ok", "began: replaced version 0.9.0") in daemon_rows(stage)


def test_a_daemon_that_is_killed_again_and_again_is_not_started_for_ever_and_says_so(
    stage: Cast, project: Path
):
    stage.direct(budget=2)
    for _ in range(2):
        stage.start()
        pid = stage.answer().pid
        os.kill(pid, signal.SIGKILL)
        until(lambda: gone(pid), within=10, what="it survived SIGKILL")  # noqa: B023
    refused = stage.start()
    assert refused.wait(40) == 0
    assert "restart budget spent" in log_of(stage)
    assert daemon_rows(stage)[-1][0] == "refused"
    assert "restart budget spent" in daemon_rows(stage)[-1][1]
    assert any("restart budget spent" in problem for problem in problems(stage, project))
    session = Session(stage.where, project)
    session.turn(RULES[0])  # capture goes on
    session.end()
    assert len(list(stage.where.spool.glob("*.json"))) == session.runs
    # Ten minutes later.
    past = [float(moment) - marks.START_WINDOW for moment in (stage.where.run / "starts").read_text().split()]
    (stage.where.run / "starts").write_text(" ".join(f"{moment:.3f}" for moment in past))
    session.hook("SessionStart", source="resume")
    session.end()
    stage.settle()
    assert states(stage) == ["judged"]


def test_a_daemon_that_cannot_leave_its_marks_says_so_and_leaves(stage: Cast):
    (stage.where.run / "starts").mkdir()  # as unwritable as on a full disk
    assert stage.start().wait(40) == 1
    assert "could not become the daemon" in log_of(stage)
    assert (stage.where.run / "refused").read_text().strip() != ""
    (stage.where.run / "starts").rmdir()
    stage.start()
    assert stage.answer().owed == 0


def test_a_daemon_that_leaves_in_order_costs_nothing_of_the_restart_budget(stage: Cast):
    stage.direct(budget=1)
    for _ in range(3):
        stage.start()
        stage.answer()
        stage.leave()
    assert [outcome for outcome, _ in daemon_rows(stage)] == ["ok"] * 6


@pytest.mark.parametrize("how", ["idle", "told by a signal", "asked"])
def test_a_daemon_that_leaves_takes_its_marks_with_it(stage: Cast, how: str):
    if how == "idle":
        stage.where.config.mkdir(parents=True)
        stage.where.settings.write_text("idle_exit = 1\n")
    child = stage.start()
    if how != "idle":
        pid = stage.answer().pid
        assert pid == child.pid
        if how == "asked":
            endpoint.ask(stage.where.run, "stop")
        else:
            child.terminate()
    assert child.wait(40) == 0
    told = {"idle": "left: nothing to do for 1 s", "asked": "left: asked to stop"}
    assert daemon_rows(stage)[-1] == ("ok", told.get(how, "left: SIGTERM"))
    assert not {"alive", "daemon.json", "socket"} & {path.name for path in stage.where.run.iterdir()}


def test_the_daemon_wakes_by_itself_for_a_session_whose_end_is_never_told(stage: Cast, project: Path):
    stage.where.config.mkdir(parents=True)
    stage.where.settings.write_text("sweep_after = 1\n")
    session = Session(stage.where, project)
    session.turn(RULES[0])
    until(
        lambda: stage.where.ledger.exists() and states(stage) == ["judged"],
        within=30,
        what="the turn stays open",
    )


def test_a_damaged_store_keeps_no_daemon_away(stage: Cast, project: Path, ground: Path):
    mine, theirs = Session(stage.where, project), Session(stage.where, make_project(ground / "bakery"))
    mine.turn(RULES[0])
    mine.end()
    stage.settle()
    stage.leave()
    (path,) = stage.where.projects.rglob("*.db")
    path.write_bytes(b"no database at all" * 1000)
    theirs.turn(RULES[1])
    theirs.end()
    stage.settle()
    assert states(stage) == ["judged", "judged"]
    assert "prepare" in told_failures(stage)


def test_while_the_writer_cannot_be_loaded_turns_wait_and_the_status_says_so(
    stage: Cast, project: Path, ground: Path
):
    lacking = ground / "lacking"
    lacking.touch()
    stage.direct(lacking=str(lacking))
    session = Session(stage.where, project)
    session.turn(RULES[0])
    session.turn(RULES[1])
    session.end()
    until(
        lambda: stage.where.ledger.exists() and states(stage) == ["owed", "owed"],
        within=30,
        what="the turns are not taken in",
    )
    until(lambda: "writer" in told_failures(stage), within=30, what="no word of the writer")
    assert any(
        "2 turns wait" in told and "it is told to be away" in told for told in problems(stage, project)
    )
    stage.leave()
    lacking.unlink()
    session.hook("SessionStart", source="resume")
    session.end()
    stage.settle()
    assert states(stage) == ["judged", "judged"]
    assert not any("turns wait" in told for told in problems(stage, project))


def told_failures(stage: Cast) -> list[str]:
    ledger = Ledger(stage.where.ledger)
    try:
        return [str(row[0]) for row in ledger.rows("failures", since="")]
    finally:
        ledger.close()


@pytest.fixture
def small_disk(ground: Path) -> Iterator[Path]:
    """A file system of 12 MB."""
    folder = ground / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=12m", "asides-test", str(folder)],
        check=False,
        capture_output=True,
    )
    if mounted.returncode != 0:
        pytest.skip(f"a small file system cannot be mounted here: {mounted.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_on_a_full_disk_the_daemon_backs_off_hooks_go_on_and_nothing_is_lost(
    small_disk: Path, stage: Cast, project: Path
):
    stage.where.ledger.symlink_to(small_disk / "writer.db")
    session = Session(stage.where, project)
    session.turn(RULES[0])
    before = stage.answer().pid
    until(lambda: not list(stage.where.spool.glob("*.json")), within=30, what="nothing is taken in")
    ballast = small_disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        size = 65_536
        while size:
            try:
                file.write(b"x" * size)
            except OSError:
                size //= 2
    for number in range(1, 60):
        session.turn(f"{RULES[number]} {'And so on. ' * 300}")
    until(lambda: "round failed" in log_of(stage), within=30, what="the disk is not full")
    assert list(stage.where.spool.glob("*.json"))
    failed = log_of(stage).count("round failed")
    assert failed <= session.runs, "it tries more often than it is woken and its pauses end"
    ballast.unlink()
    session.end()
    answer = stage.settle()
    assert answer.pid == before
    assert states(stage) == ["judged"] * 60
    ledger = Ledger(stage.where.ledger)
    try:
        rows = ledger.database.rows("SELECT count(*) FROM heartbeat WHERE what = 'hook'")
        assert rows == [(session.runs,)]
        assert ledger.database.problems() == []
    finally:
        ledger.close()


@pytest.mark.slow
def test_a_transcript_of_300_megabytes_costs_bounded_memory(stage: Cast, project: Path):
    session = Session(stage.where, project)
    session.turn(RULES[0])
    pid = stage.answer().pid
    until(lambda: states(stage) == ["open"], within=30, what="the first turn is not read")
    before = peak(pid)
    result = json.dumps({"type": "tool_result", "content": "line of a log " * 75_000})
    for number in range(1, 4):
        for _ in range(100):
            session.raw(f'{{"type": "user", "uuid": "r{number}", "message": {{"content": [{result}]}}}}')
        session.turn(RULES[number])
    with session.transcript.open("a") as file:
        file.write("x" * 80_000_000 + "\n")  # one line that is longer than any that can carry words
    session.turn(RULES[4])
    assert session.transcript.stat().st_size > 390_000_000
    session.end()
    assert stage.settle(within=120).pid == pid
    assert states(stage) == ["judged"] * 5
    assert peak(pid) - before < 120_000, "kilobytes"


def peak(pid: int) -> int:
    """Returns the most memory that a process ever had, in kilobytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1])
