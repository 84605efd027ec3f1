"""A hostile machine for the hook: the agent goes on unchanged, whatever is broken.

In every fault the exit status is 0 and stdout is empty or exactly the prepared line.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
from hookrun import (
    SHELLS,
    appeared,
    in_every_shell,
    install_hook,
    note_alive,
    prepare,
    registered,
    run_hook,
    spooled,
    stand_in_daemon,
    take_apart,
)

from asides.hook.place import arm

AGENT = "claude-code"
START = json.dumps({"hookSpecificOutput": {"additionalContext": "ü 漢字 " * 200}}, ensure_ascii=False)
LINE = START.encode() + b"\n"
STARTUP = b'{"session_id":"abc-1","source":"startup"}\n'
EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd")


@pytest.fixture(params=in_every_shell())
def shell(request: pytest.FixtureRequest) -> str:
    name = request.param
    assert isinstance(name, str)
    return name


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    repo = tmp_path / "shop"
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return repo


@pytest.fixture
def state(tmp_path: Path, repo: Path) -> Path:
    state = tmp_path / "home" / "state"
    install_hook(state)
    prepare(state, repo / ".git", start=START, compact='{"compact":1}')
    return state


@pytest.fixture
def tiny(tmp_path: Path, repo: Path) -> Iterator[Path]:
    """A state folder whose file system can be filled to the last byte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"NOT TESTED, mounting is not permitted here: {mounted.stderr.decode().strip()}")
    install_hook(disk / "state")
    prepare(disk / "state", repo / ".git", start=START, compact='{"compact":1}')
    yield disk / "state"
    subprocess.run(["umount", str(disk)], check=True)


def fill(disk: Path) -> None:
    """Writes until nothing more can be written."""
    with (disk / "filler").open("wb", buffering=0) as file:
        for size in (4096, 1):
            try:
                while file.write(b"x" * size):
                    pass
            except OSError:
                continue


def harmless(run: subprocess.CompletedProcess[bytes], *, printed: bytes = b"") -> None:
    """Asserts what must hold in every fault."""
    assert (run.returncode, run.stdout) == (0, printed)


# The hook itself is damaged


def test_a_deleted_hook_is_silence(state: Path, repo: Path, shell: str) -> None:
    (state / "hook" / "hook.sh").unlink()
    for event in EVENTS:
        harmless(run_hook(state, AGENT, event, STARTUP, repo, shell=shell))
    shutil.rmtree(state)
    for event in EVENTS:
        harmless(run_hook(state, AGENT, event, STARTUP, repo, shell=shell))


def test_a_hook_cut_anywhere_does_nothing_or_everything(state: Path, repo: Path) -> None:
    script = state / "hook" / "hook.sh"
    whole = script.read_bytes()
    random = Random(1)
    last_line = whole.rindex(b"\n", 0, -1) + 1
    cuts = {random.randrange(len(whole)) for _ in range(60)} | set(range(last_line, len(whole), 3))
    for cut in sorted(cuts):
        script.write_bytes(whole[:cut])
        for shell in ("dash", "bash"):
            if shell in SHELLS:
                run = run_hook(state, AGENT, "SessionStart", STARTUP, repo, shell=shell)
                assert run.returncode == 0, cut
                assert run.stdout in (b"", LINE), cut
    assert all(kept.complete for kept in spooled(state))


def test_an_unreadable_or_strange_hook_is_silence(state: Path, repo: Path, shell: str) -> None:
    script = state / "hook" / "hook.sh"
    for content in (b"", b"\x00\x01\xff", b"exit 2\n", b"if then fi (\n", b"set -e; false\n", b"return 7\n"):
        script.write_bytes(content)
        harmless(run_hook(state, AGENT, "UserPromptSubmit", STARTUP, repo, shell=shell))
    script.unlink()
    script.mkdir()
    harmless(run_hook(state, AGENT, "UserPromptSubmit", STARTUP, repo, shell=shell))


def test_gone_interpreters_do_not_stop_capture(state: Path, repo: Path, shell: str) -> None:
    """The environment moved, or was removed: the daemon is missing, the guard fails open."""
    arm(state, mode="deny", protected=[], names=["CLAUDE.md"])
    install_hook(state, plain_python="/gone/bin/python3", daemon_python="/gone/bin/python3")
    harmless(run_hook(state, AGENT, "SessionStart", STARTUP, repo, shell=shell), printed=LINE)
    write = b'{"tool_name":"Write","tool_input":{"file_path":"CLAUDE.md"}}'
    harmless(run_hook(state, AGENT, "PreToolUse", write, repo, shell=shell))
    (state / "hook" / "interpreters").unlink()
    harmless(run_hook(state, AGENT, "Stop", STARTUP, repo, shell=shell))
    by_event = {kept.trailer["event"]: kept.trailer for kept in spooled(state)}
    assert by_event["SessionStart"]["daemon"] == "missing"
    assert by_event["PreToolUse"]["guard"] == "failed"
    assert by_event["Stop"]["daemon"] == "missing"


# Nothing can be written


@pytest.mark.parametrize("what", ["a file stands there", "it is a dangling link", "its parent is a file"])
def test_a_spool_that_cannot_be_written_does_not_cost_the_text(
    state: Path, repo: Path, shell: str, what: str
) -> None:
    (state / "spool").rmdir()
    match what:
        case "a file stands there":
            (state / "spool").write_text("")
        case "it is a dangling link":
            (state / "spool").symlink_to("/proc/nowhere")
        case _:
            (state / "spool").symlink_to(state / "hook" / "hook.sh" / "spool")
    harmless(run_hook(state, AGENT, "SessionStart", STARTUP, repo, shell=shell), printed=LINE)
    compact = STARTUP.replace(b"startup", b"compact")
    harmless(run_hook(state, AGENT, "SessionStart", compact, repo, shell=shell), printed=b'{"compact":1}\n')
    harmless(run_hook(state, AGENT, "UserPromptSubmit", b"x" * 1_000_000, repo, shell=shell))


def test_a_missing_spool_is_made_again(state: Path, repo: Path, shell: str) -> None:
    (state / "spool").rmdir()
    harmless(run_hook(state, AGENT, "UserPromptSubmit", STARTUP, repo, shell=shell))
    assert len(spooled(state)) == 1
    assert (state / "spool").stat().st_mode & 0o777 == 0o700


def test_a_missing_folder_for_what_was_given_does_not_cost_the_text(
    state: Path, repo: Path, shell: str
) -> None:
    (state / "given").rmdir()
    harmless(run_hook(state, AGENT, "SessionStart", STARTUP, repo, shell=shell), printed=LINE)
    assert len(spooled(state)) == 1


def test_a_full_disk_never_leaves_half_a_turn_and_does_not_cost_the_text(
    tiny: Path, repo: Path, shell: str
) -> None:
    fill(tiny.parent)
    harmless(run_hook(tiny, AGENT, "SessionStart", STARTUP, repo, shell=shell), printed=LINE)
    compact = STARTUP.replace(b"startup", b"compact")
    harmless(run_hook(tiny, AGENT, "SessionStart", compact, repo, shell=shell), printed=b'{"compact":1}\n')
    harmless(run_hook(tiny, AGENT, "UserPromptSubmit", b"x" * 100_000, repo, shell=shell))
    assert spooled(tiny) == []


@pytest.mark.parametrize("free", [4096, 8192, 20480, 53248, 65536])
def test_a_disk_that_fills_up_meanwhile_leaves_no_half_turn(
    tiny: Path, repo: Path, shell: str, free: int
) -> None:
    fill(tiny.parent)
    os.truncate(tiny.parent / "filler", (tiny.parent / "filler").stat().st_size - free)
    body = b'{"prompt":"' + b"x" * 53_000 + b'"}'
    for event in ("UserPromptSubmit", "SessionStart"):
        run = run_hook(tiny, AGENT, event, body, repo, shell=shell)
        assert run.returncode == 0
        assert run.stdout in (b"", LINE)
    for kept in spooled(tiny):
        assert kept.payload == body
        assert kept.complete


def test_a_read_only_disk_does_not_cost_the_text(tiny: Path, repo: Path, shell: str) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(tiny.parent)], check=True)
    harmless(run_hook(tiny, AGENT, "SessionStart", STARTUP, repo, shell=shell), printed=LINE)
    harmless(run_hook(tiny, AGENT, "UserPromptSubmit", b"x" * 100_000, repo, shell=shell))
    assert list((tiny / "spool").iterdir()) == []


# The agent's side is odd


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "PreToolUse"])
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-", ">/dev/full", "< /"])
def test_closed_streams_are_borne(state: Path, repo: Path, shell: str, closed: str, event: str) -> None:
    arm(state, mode="deny", protected=[], names=["CLAUDE.md"])
    command = [*SHELLS[shell], *registered(state, AGENT, event)[1:]]
    body = b'{"source":"startup","tool_name":"Write","tool_input":{"file_path":"CLAUDE.md"}}'
    run = subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", *command],
        cwd=repo,
        input=body,
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert run.returncode == 0
    if ">&-" in closed.replace("2>&-", "") or "full" in closed:
        assert run.stdout == b""
    elif event == "SessionStart":
        assert run.stdout == LINE
    for kept in spooled(state):
        assert kept.complete
        assert kept.payload in (body, b"")


def test_a_closed_stdout_is_given_nothing_and_told_nothing(state: Path, repo: Path, shell: str) -> None:
    folder = prepare(state, repo / ".git", announce='{"announce":1}')
    command = [*SHELLS[shell], *registered(state, AGENT, "SessionStart")[1:]]
    run = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *command], cwd=repo, input=STARTUP, timeout=30, check=False
    )
    assert run.returncode == 0
    (kept,) = spooled(state)
    assert (kept.payload, kept.trailer["printed"]) == (STARTUP, "none")
    assert not {"announced", "version"} & kept.trailer.keys()
    assert (folder / "announce.json").exists()
    assert list((state / "given").iterdir()) == []


def test_a_reader_that_is_gone_does_not_end_the_hook(
    state: Path, repo: Path, shell: str, tmp_path: Path
) -> None:
    """The daemon is still started, so the hook went on behind the broken pipe."""
    big = json.dumps({"text": "x" * 500_000})
    prepare(state, repo / ".git", start=big)
    install_hook(state, daemon_python=stand_in_daemon(tmp_path / "python", tmp_path / "says"))
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as out:
        command = [*SHELLS[shell], *registered(state, AGENT, "SessionStart")[1:]]
        run = subprocess.run(
            command, cwd=repo, input=STARTUP, stdout=out, stderr=subprocess.PIPE, timeout=20, check=False
        )
    assert (run.returncode, run.stderr) == (0, b"")
    assert not (state / "given" / "abc-1").exists(), "what nobody read was not given"
    assert appeared(tmp_path, "says.*")


@pytest.mark.parametrize(
    "name",
    [
        "with blank",
        "quo'te",
        'dou"ble',
        "new\nline",
        "ünï çødé",
        "$HOME `id` $(id)",
        "-n",
        "*",
        "a\\b",
        "😀",
        b"\xff\xfe",
    ],
)
def test_folders_of_any_name_work(tmp_path: Path, shell: str, name: str | bytes) -> None:
    base = Path(os.fsdecode(name))
    state, repo = tmp_path / "s" / base / "state", tmp_path / "r" / base
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").touch()
    install_hook(state, daemon_python="/nonexistent")
    prepare(state, repo / ".git", start=START)
    env = {"CLAUDE_PROJECT_DIR": str(repo)}
    harmless(run_hook(state, AGENT, "SessionStart", STARTUP, repo, env, shell=shell), printed=LINE)
    (kept,) = spooled(state)
    assert kept.trailer.get("project", "") == ("" if "\n" in str(repo) else str(repo))


def test_a_daemon_whose_path_is_odd_is_started(state: Path, repo: Path, shell: str, tmp_path: Path) -> None:
    odd = tmp_path / 'it\'s a "ünï" $HOME *'
    odd.mkdir()
    install_hook(state, daemon_python=stand_in_daemon(odd / "py thon", tmp_path / "says"))
    harmless(run_hook(state, AGENT, "Stop", STARTUP, repo, shell=shell))
    assert spooled(state)[0].trailer["daemon"] == "started"


def test_a_removed_working_directory_is_borne(state: Path, tmp_path: Path, shell: str) -> None:
    if shell == "posh":
        pytest.skip("posh itself crashes where its working directory is gone, with any script or none")
    gone = tmp_path / "gone"
    gone.mkdir()
    command = [*SHELLS[shell], *registered(state, AGENT, "SessionStart")[1:]]
    run = subprocess.run(
        ["sh", "-c", 'rmdir ../gone; exec "$@"', "sh", *command],
        cwd=gone,
        input=STARTUP,
        capture_output=True,
        timeout=20,
        check=False,
    )
    harmless(run)
    assert len(spooled(state)) == 1


@pytest.mark.parametrize(
    "environment",
    [
        {"PATH": "/nonexistent"},
        {"PATH": ""},
        {"LC_ALL": "C.UTF-8", "LANG": "tr_TR.UTF-8"},
        {"LC_ALL": "xx_YY.bogus"},
        {"IFS": "abc/", "CDPATH": "/tmp:/", "POSIXLY_CORRECT": "1", "GREP_OPTIONS": "--color=always"},
        {"SHELLOPTS": "errexit:nounset:noglob:xtrace:noclobber", "PS4": "$(touch /tmp/never)"},
        {"ENV": "/nonexistent", "BASH_ENV": "/nonexistent"},
        {
            "name": "a",
            "state": "/b",
            "tmp": "/c",
            "text": "/etc/passwd",
            "answer": "boo",
            "key": "x",
            "verdict": "deny",
        },
        {"PWD": "/nonexistent", "OLDPWD": "/"},
    ],
)
def test_a_foreign_environment_changes_nothing(
    state: Path, repo: Path, shell: str, environment: dict[str, str]
) -> None:
    harmless(run_hook(state, AGENT, "SessionStart", STARTUP, repo, environment, shell=shell), printed=LINE)
    for event in ("UserPromptSubmit", "PreToolUse"):
        harmless(run_hook(state, AGENT, event, STARTUP, repo, environment, shell=shell))
    assert [kept.payload for kept in spooled(state)] == [STARTUP] * 3
    assert not Path("/tmp/never").exists()


def test_a_foreign_python_path_does_not_reach_the_guard(
    state: Path, repo: Path, shell: str, tmp_path: Path
) -> None:
    trap = tmp_path / "trap"
    trap.mkdir()
    for name in ("json", "os", "_json", "guard", "re", "sitecustomize", "usercustomize"):
        (trap / f"{name}.py").write_text("import sys\nprint('shadowed')\nsys.exit(2)\n")
        shutil.copy(trap / f"{name}.py", repo)
    env = {"PYTHONPATH": str(trap), "PYTHONSTARTUP": str(trap / "os.py"), "PYTHONHOME": str(trap)}
    arm(state, mode="deny", protected=[], names=["CLAUDE.md"])
    write = b'{"tool_name":"Write","tool_input":{"file_path":"CLAUDE.md"},"cwd":"%s"}' % os.fsencode(repo)
    run = run_hook(state, AGENT, "PreToolUse", write, repo, env, shell=shell)
    assert run.returncode == 0
    assert json.loads(run.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
    program = b'{"tool_name":"Bash","tool_input":{"command":"python3 -c \\"open(\'CLAUDE.md\',\'w\')\\""}}'
    assert b"deny" in run_hook(state, AGENT, "PreToolUse", program, repo, env, shell=shell).stdout


# The daemon's side is odd


def test_a_deaf_daemon_holds_nobody_up(state: Path, repo: Path, shell: str) -> None:
    deaf = subprocess.Popen(["sleep", "1000"])
    try:
        os.kill(deaf.pid, signal.SIGSTOP)
        note_alive(state, deaf.pid)
        for event in EVENTS:
            harmless(
                run_hook(state, AGENT, event, STARTUP, repo, shell=shell),
                printed=LINE if event == "SessionStart" else b"",
            )
        assert len(spooled(state)) == len(EVENTS)
    finally:
        deaf.kill()
        deaf.wait()


def test_a_number_that_was_reused_starts_a_daemon(
    state: Path, repo: Path, shell: str, tmp_path: Path
) -> None:
    install_hook(state, daemon_python=stand_in_daemon(tmp_path / "python", tmp_path / "says"))
    note_alive(state, os.getpid(), start="123")
    harmless(run_hook(state, AGENT, "Stop", STARTUP, repo, shell=shell))
    assert spooled(state)[0].trailer["daemon"] == "started"


@pytest.mark.parametrize(
    "where", ["run/alive", "run/starting", "run/refused", "guard.json", "given/abc-1", "hook/interpreters"]
)
def test_a_fifo_where_a_file_should_be_holds_nobody_up(
    state: Path, repo: Path, shell: str, tmp_path: Path, where: str
) -> None:
    if where == "run/starting":
        install_hook(state, daemon_python=stand_in_daemon(tmp_path / "python", tmp_path / "says"))
    (state / where).unlink(missing_ok=True)
    os.mkfifo(state / where)
    resume = STARTUP.replace(b"startup", b"resume")
    for event in EVENTS:
        run = run_hook(state, AGENT, event, resume, repo, shell=shell, timeout=10)
        assert run.returncode == 0
    assert len(spooled(state)) == len(EVENTS)


def test_a_daemon_that_prints_and_fails_is_not_heard(
    state: Path, repo: Path, shell: str, tmp_path: Path
) -> None:
    loud = tmp_path / "loud"
    loud.write_text("#!/bin/sh\necho noise; echo noise >&2; exit 2\n")
    loud.chmod(0o700)
    install_hook(state, daemon_python=str(loud))
    run = run_hook(state, AGENT, "UserPromptSubmit", STARTUP, repo, shell=shell)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


def test_a_daemon_that_hangs_is_not_waited_for(state: Path, repo: Path, shell: str, tmp_path: Path) -> None:
    """The run ends although the daemon does not; it holds none of the agent's streams."""
    hanging = tmp_path / "hanging"
    hanging.write_text(f"#!/bin/sh\ncd '{tmp_path}'; echo $$ > pid.tmp; mv pid.tmp pid\nexec sleep 1000\n")
    hanging.chmod(0o700)
    install_hook(state, daemon_python=str(hanging))
    harmless(run_hook(state, AGENT, "UserPromptSubmit", STARTUP, repo, shell=shell, timeout=20))
    os.kill(int(appeared(tmp_path, "pid").read_text()), signal.SIGKILL)


# Many at once, and killed


@pytest.mark.parametrize("many", [8, 64])
def test_hooks_at_once_keep_every_turn(state: Path, repo: Path, many: int) -> None:
    bodies = [json.dumps({"n": n, "text": "x" * (n * 997)}).encode() for n in range(many)]
    gate = threading.Barrier(many)

    def one(body: bytes) -> subprocess.CompletedProcess[bytes]:
        gate.wait()
        return run_hook(state, AGENT, "UserPromptSubmit", body, repo, timeout=120)

    with ThreadPoolExecutor(many) as pool:
        for run in pool.map(one, bodies):
            harmless(run)
    kept = spooled(state)
    assert sorted(each.payload for each in kept) == sorted(bodies)
    assert all(each.complete for each in kept)
    assert list(state.glob("spool/*.tmp")) == []


def test_starts_at_once_announce_once(state: Path, repo: Path) -> None:
    announce = '{"announce":1}'
    prepare(state, repo / ".git", announce=announce)
    gate = threading.Barrier(8)

    def one(_: int) -> bytes:
        gate.wait()
        return run_hook(state, AGENT, "SessionStart", STARTUP, repo).stdout

    with ThreadPoolExecutor(8) as pool:
        outputs = sorted(pool.map(one, range(8)))
    assert outputs == sorted([announce.encode() + b"\n"] + [LINE] * 7)


def end(group: int) -> None:
    """Kills a process with its children, if it has not left by itself just now."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def test_hooks_of_several_containers_may_bear_one_number(state: Path, repo: Path) -> None:
    """Each container counts processes from 1 and may share the state folder."""
    script = state / "hook" / "hook.sh"
    script.write_text(script.read_text().replace("name=$$ tmp=", "name=7 tmp="))
    gate = threading.Barrier(16)

    def one(n: int) -> None:
        gate.wait()
        for turn in range(5):
            harmless(
                run_hook(state, AGENT, "UserPromptSubmit", b'{"n":"%d.%d"}' % (n, turn), repo, timeout=120)
            )

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(one, range(16)))
    payloads = sorted(kept.payload for kept in spooled(state))
    assert payloads == sorted(b'{"n":"%d.%d"}' % (n, turn) for n in range(16) for turn in range(5))


def test_a_hook_killed_at_any_moment_leaves_nothing_half_named(state: Path, repo: Path) -> None:
    random = Random(20261130)
    body = b'{"prompt":"' + b"x" * 200_000 + b'","source":"startup"}'
    killed = finished = 0
    for n in range(100):
        event = ("UserPromptSubmit", "SessionStart")[n % 2]
        process = subprocess.Popen(
            registered(state, AGENT, event),
            cwd=repo,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        timer = threading.Timer(random.uniform(0, 0.012), end, (process.pid,))
        timer.start()
        try:
            out, _ = process.communicate(body)
        except BrokenPipeError:
            out = b""
        timer.cancel()
        timer.join()
        killed += process.returncode == -signal.SIGKILL
        finished += process.returncode == 0
        assert out in (b"", LINE)
    for path in state.glob("spool/*"):
        assert path.suffix in (".tmp", ".json")
        if path.suffix == ".json":
            kept = take_apart(path)
            assert kept.payload == body
            assert kept.complete
    assert killed > 10, "the kills came too late to test anything"
    assert killed + finished == 100
