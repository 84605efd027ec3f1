"""How the hook wakes and starts the daemon, in every shell that may stand behind /bin/sh here."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.hookrun import (
    appeared,
    install_hook,
    note_alive,
    run_hook,
    spooled,
    stand_in_daemon,
)
from tests.support.hooktexts import AGENT, starting


@pytest.fixture
def asleep() -> Iterator[subprocess.Popen[bytes]]:
    """A process with a name full of brackets and blanks, which notes each SIGURG."""
    code = (
        "import ctypes, signal, sys\n"
        "ctypes.CDLL(None).prctl(15, b'a) R (b', 0, 0, 0)\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGURG})\n"
        "print('ready', flush=True)\n"
        "while signal.sigwait({signal.SIGURG}):\n    print('woken', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_living_daemon_is_woken_and_not_started(
    state: Path, repo: Path, shell: str, asleep: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    assert asleep.stdout is not None
    install_hook(state, daemon_python=stand_in_daemon(tmp_path / "python", tmp_path / "says"))
    note_alive(state, asleep.pid)
    for event in ("UserPromptSubmit", "Stop", "SessionEnd", "PreCompact", "SubagentStop"):
        run_hook(state, AGENT, event, b"{}", repo, shell=shell)
        assert asleep.stdout.readline() == b"woken\n"
    assert {kept.trailer["daemon"] for kept in spooled(state)} == {"alive"}
    assert list(tmp_path.glob("says*")) == []


def test_tool_events_neither_wake_nor_start(
    state: Path, repo: Path, shell: str, asleep: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    assert asleep.stdout is not None
    install_hook(state, daemon_python=stand_in_daemon(tmp_path / "python", tmp_path / "says"))
    for event in ("PreToolUse", "PostToolUse"):
        run_hook(state, AGENT, event, b"{}", repo, shell=shell)  # none alive
    note_alive(state, asleep.pid)
    for event in ("PreToolUse", "PostToolUse"):
        run_hook(state, AGENT, event, b"{}", repo, shell=shell)
    assert {kept.trailer["daemon"] for kept in spooled(state)} == {"none"}
    os.kill(asleep.pid, signal.SIGURG)  # ours is the first and only one
    assert asleep.stdout.readline() == b"woken\n"
    asleep.kill()
    assert asleep.stdout.read() == b""
    assert list(tmp_path.glob("says*")) == []


def called(folder: Path) -> str:
    """Returns how the stand-in daemon was called, once it was."""
    return appeared(folder, "says.*").read_text()


def test_a_missing_daemon_is_started_apart_from_the_agent(
    state: Path, repo: Path, shell: str, tmp_path: Path
) -> None:
    install_hook(state, daemon_python=stand_in_daemon(tmp_path / "python", tmp_path / "says"))
    run_hook(state, AGENT, "UserPromptSubmit", b"{}", repo, {"ASIDES_HOME": "/elsewhere"}, shell=shell)
    assert [kept.trailer["daemon"] for kept in spooled(state)] == ["started"]
    words, home, at, *rest = called(tmp_path).splitlines()
    assert words == "-I -m asides.daemon"
    assert home == f"home {state.parent}"  # the hook's own place, not the agent's environment
    assert at == "/"
    *descriptors, stat = rest
    streams = [line.split()[-1] for line in descriptors if line.split()[-3] in ("0", "2")]
    assert streams == ["/dev/null", "/dev/null"]
    fields = stat.rpartition(") ")[2].split()
    assert fields[3] != str(os.getsid(0)), "it shares the agent's session"


@pytest.fixture
def slow(state: Path, tmp_path: Path) -> Iterator[Path]:
    """A folder with a file for each start of a daemon that goes on and says nothing, named by its number."""
    folder = tmp_path / "began"
    folder.mkdir()
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\n: > '{folder}'/$$\nexec sleep 1000\n")
    program.chmod(0o700)
    install_hook(state, daemon_python=str(program))
    yield folder
    for began in folder.iterdir():
        os.kill(int(began.name), signal.SIGKILL)


def looked(state: Path) -> list[str]:
    """Returns what the hooks said about the daemon, and forgets it."""
    said = []
    for kept in spooled(state):
        said.append(kept.trailer["daemon"])
        kept.path.unlink()
    return said


def test_a_daemon_that_is_being_started_is_not_started_again(
    state: Path, repo: Path, shell: str, slow: Path
) -> None:
    run_hook(state, AGENT, "UserPromptSubmit", b"{}", repo, shell=shell)
    assert looked(state) == ["started"]
    first = appeared(slow, "*").name
    assert (state / "run" / "starting").read_text() == f"{first}\n"
    for event in ("Stop", "SubagentStop", "SessionEnd"):
        run_hook(state, AGENT, event, b"{}", repo, shell=shell)
    assert looked(state) == ["starting"] * 3
    assert [began.name for began in slow.iterdir()] == [first]


def test_hooks_of_the_same_moment_start_no_herd(state: Path, repo: Path, slow: Path) -> None:
    many = 16
    gate = threading.Barrier(many)

    def one(_: int) -> int:
        gate.wait()
        return run_hook(state, AGENT, "UserPromptSubmit", b"{}", repo, timeout=120).returncode

    with ThreadPoolExecutor(many) as pool:
        assert set(pool.map(one, range(many))) == {0}
    said = looked(state)
    assert said.count("started") + said.count("starting") == many
    assert 1 <= said.count("started") < many / 2
    until_began(slow, said.count("started"))


def until_began(folder: Path, count: int) -> None:
    """Waits until `count` starts are noted; the bound, ten seconds, only ends a test that would fail."""
    for _ in range(200):
        if len(list(folder.iterdir())) == count:
            return
        time.sleep(0.05)
    raise AssertionError(f"{list(folder.iterdir())} instead of {count}")


def test_a_session_start_starts_one_although_one_is_being_started(
    state: Path, repo: Path, shell: str, slow: Path
) -> None:
    run_hook(state, AGENT, "Stop", b"{}", repo, shell=shell)
    first = appeared(slow, "*").name
    run_hook(state, AGENT, "SessionStart", starting("startup"), repo, shell=shell)
    assert looked(state) == ["started", "started"]
    until_began(slow, 2)
    assert (state / "run" / "starting").read_text() == f"{first}\n", "the first is still the one waited for"


def test_a_dead_process_that_nobody_waited_for_holds_no_daemon_back(
    state: Path, repo: Path, shell: str, slow: Path
) -> None:
    with subprocess.Popen(["sleep", "1000"]) as unburied:
        unburied.kill()
        os.waitid(os.P_PID, unburied.pid, os.WEXITED | os.WNOWAIT)
        (state / "run" / "starting").write_text(f"{unburied.pid}\n")
        run_hook(state, AGENT, "Stop", b"{}", repo, shell=shell)
    assert looked(state) == ["started"]
    assert appeared(slow, "*")


@pytest.mark.parametrize("line", ["gone", "", "0", "-1", "x", "1 2", "$(id)"])
def test_a_stale_or_damaged_claim_holds_no_daemon_back(
    state: Path, repo: Path, shell: str, slow: Path, line: str
) -> None:
    if line == "gone":
        ended = subprocess.Popen(["true"])
        ended.wait()
        line = str(ended.pid)
    (state / "run" / "starting").write_text(line + "\n")
    run_hook(state, AGENT, "Stop", b"{}", repo, shell=shell)
    assert looked(state) == ["started"]
    assert (state / "run" / "starting").read_text() == f"{appeared(slow, '*').name}\n"


@pytest.mark.parametrize("what", ["a folder", "a dangling link", "the folder is gone"])
def test_a_claim_that_cannot_be_made_holds_no_daemon_back(
    state: Path, repo: Path, shell: str, slow: Path, what: str
) -> None:
    match what:
        case "a folder":
            (state / "run" / "starting").mkdir()
        case "a dangling link":
            (state / "run" / "starting").symlink_to("/nonexistent/x")
        case _:
            (state / "run").rmdir()
    run_hook(state, AGENT, "Stop", b"{}", repo, shell=shell)
    assert looked(state) == ["started"]
    assert appeared(slow, "*")


def test_a_daemon_that_could_not_go_on_is_tried_again_at_a_session_start_only(
    state: Path, repo: Path, shell: str, slow: Path
) -> None:
    (state / "run" / "refused").touch()
    for event in ("UserPromptSubmit", "Stop", "SessionEnd"):
        run_hook(state, AGENT, event, b"{}", repo, shell=shell)
    assert looked(state) == ["refused"] * 3
    assert list(slow.iterdir()) == []
    run_hook(state, AGENT, "SessionStart", starting("startup"), repo, shell=shell)
    assert looked(state) == ["started"]
    assert appeared(slow, "*")


def test_a_platform_state_folder_starts_a_daemon_without_a_home(
    tmp_path: Path, repo: Path, shell: str
) -> None:
    state = tmp_path / ".local" / "share" / "asides"
    install_hook(state, daemon_python=stand_in_daemon(tmp_path / "python", tmp_path / "says"))
    run_hook(state, AGENT, "Stop", b"{}", repo, {"ASIDES_HOME": "/elsewhere"}, shell=shell)
    assert called(tmp_path).splitlines()[1] == "home unset"


def test_a_session_start_starts_one_even_if_one_lives(
    state: Path, repo: Path, shell: str, asleep: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    """So that a newer version can take over; the one that is not needed leaves by itself."""
    assert asleep.stdout is not None
    install_hook(state, daemon_python=stand_in_daemon(tmp_path / "python", tmp_path / "says"))
    note_alive(state, asleep.pid)
    run_hook(state, AGENT, "SessionStart", starting("startup"), repo, shell=shell)
    assert asleep.stdout.readline() == b"woken\n"
    assert called(tmp_path).startswith("-I -m asides.daemon")


def test_a_reused_number_is_not_taken_for_the_daemon(
    state: Path, repo: Path, shell: str, asleep: subprocess.Popen[bytes]
) -> None:
    note_alive(state, asleep.pid, start="1")
    run_hook(state, AGENT, "Stop", b"{}", repo, shell=shell)
    assert [kept.trailer["daemon"] for kept in spooled(state)] == ["missing"]


@pytest.mark.parametrize("line", ["", "x y", "-1 5", "0 0", "1", "99999999 1", "1 ; 2", "$(id) 3", "../1 2"])
def test_a_damaged_note_of_the_daemon_counts_as_none(state: Path, repo: Path, shell: str, line: str) -> None:
    (state / "run" / "alive").write_text(line + "\n")
    run = run_hook(state, AGENT, "Stop", b"{}", repo, shell=shell)
    assert (run.returncode, run.stdout) == (0, b"")
    assert [kept.trailer["daemon"] for kept in spooled(state)] == ["missing"]
