"""What the hook script promises, in every shell that may stand behind /bin/sh here."""

from __future__ import annotations

import json
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
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[2] / "support"))
from guard_tables import SHELL_WRITES
from hookrun import (
    appeared,
    in_every_shell,
    install_hook,
    note_alive,
    prepare,
    run_hook,
    spooled,
    stand_in_daemon,
)

from asides.hook.place import arm
from asides.model.delivery import FENCE_CLOSE, FENCE_OPEN

AGENT = "claude-code"
SESSION = "00000000-0000-4000-8000-000000000001"
START, COMPACT, REPLACE, SUBAGENT, ANNOUNCE = (json.dumps({"text": name}) for name in "abcde")


@pytest.fixture(params=in_every_shell())
def shell(request: pytest.FixtureRequest) -> str:
    name = request.param
    assert isinstance(name, str)
    return name


@pytest.fixture
def state(tmp_path: Path) -> Path:
    state = tmp_path / "home" / "state"
    install_hook(state)
    return state


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    repo = tmp_path / "shop"
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return repo


def all_texts(state: Path, repo: Path) -> Path:
    return prepare(state, repo / ".git", start=START, compact=COMPACT, replace=REPLACE, subagent=SUBAGENT)


def starting(source: str, session: str = SESSION, **more: object) -> bytes:
    payload = {"session_id": session, "hook_event_name": "SessionStart", "source": source, **more}
    return json.dumps(payload, separators=(",", ":")).encode() + b"\n"


def printed(text: str) -> bytes:
    return text.encode() + b"\n"


# Capture


def test_the_payload_is_kept_byte_for_byte(state: Path, repo: Path, shell: str) -> None:
    words = "nul \\u0000 raw \x00, bell \x07, ümläut, 漢字, \u2028 and \\\\ $HOME `x` 'q' %s"
    payload = f'{{"prompt":"{words}"}}'.encode()
    for body in (payload, payload + b"\n", payload + b"\n\n", b"", b"\xff\xfe not json #asides 1"):
        run = run_hook(state, AGENT, "UserPromptSubmit", body, repo, shell=shell)
        assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
        (kept,) = spooled(state)
        assert kept.payload == body
        assert kept.complete
        kept.path.unlink()


def test_a_session_start_is_kept_byte_for_byte_too(state: Path, repo: Path, shell: str) -> None:
    for end in (b"", b"\n", b"\n\n\n"):
        body = '{"cwd":"/ü/\\\\%s/$x","source":"startup"}'.encode() + end
        run_hook(state, AGENT, "SessionStart", body, repo, shell=shell)
        (kept,) = spooled(state)
        assert kept.payload == body
        kept.path.unlink()


def test_ten_megabytes_are_kept_whole(state: Path, repo: Path, shell: str) -> None:
    body = b'{"prompt":"' + b"x" * 10_000_000 + b'"}\n'
    events = ["UserPromptSubmit", "SessionStart"]
    if shell in ("mksh", "posh"):
        events.pop()  # their printf is a program, which takes 128 KB; real session starts have under 1 KB
    for event in events:
        run = run_hook(state, AGENT, event, body, repo, shell=shell)
        assert (run.returncode, run.stdout) == (0, b"")
        (kept,) = spooled(state)
        assert kept.payload == body
        kept.path.unlink()


def test_the_trailer_says_what_happened(state: Path, repo: Path, shell: str) -> None:
    env = {
        "CLAUDE_PROJECT_DIR": "/home/dev/my shop",
        "CLAUDE_CODE_SESSION_ID": SESSION,
        "CLAUDE_CODE_SESSION_ATTENDED": "1",
    }
    all_texts(state, repo)
    run_hook(state, AGENT, "SessionStart", starting("startup"), repo, env, shell=shell)
    (kept,) = spooled(state)
    began, ended, pid = (kept.trailer.pop(key) for key in ("began", "ended", "pid"))
    assert float(began) <= float(ended)
    assert kept.path.name == f"{pid}.json"
    assert kept.trailer == {
        "agent": "claude-code",
        "event": "SessionStart",
        "project": "/home/dev/my shop",
        "session": SESSION,
        "attended": "1",
        "printed": "start",
        "version": "v1",
        "daemon": "missing",
    }


def test_a_value_of_several_lines_cannot_forge_a_trailer(state: Path, repo: Path, shell: str) -> None:
    env = {"CLAUDE_PROJECT_DIR": "/x\nprinted start\nend", "CLAUDE_CODE_SESSION_ID": "a\nend"}
    run_hook(state, AGENT, "Stop", b"{}", repo, env, shell=shell)
    (kept,) = spooled(state)
    assert kept.complete
    assert "project" not in kept.trailer
    assert "session" not in kept.trailer
    assert kept.trailer["printed"] == "none"


def test_the_files_are_the_users_alone(state: Path, repo: Path, shell: str) -> None:
    all_texts(state, repo)
    run_hook(state, AGENT, "SessionStart", starting("startup"), repo, shell=shell)
    for path in (*state.glob("spool/*"), *state.glob("given/*")):
        assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("environment", "attended"),
    [
        ({"CLAUDE_CODE_SESSION_ATTENDED": "1", "CLAUDE_CODE_ENTRYPOINT": "cli"}, "1"),
        ({"CLAUDE_CODE_SESSION_ATTENDED": "0", "CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, "0"),
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, "0"),  # 2.1.197 says no more
        ({"CLAUDE_CODE_ENTRYPOINT": "cli"}, "1"),
        ({}, None),
    ],
)
def test_whether_someone_watches_comes_from_the_environment(
    state: Path, repo: Path, shell: str, environment: dict[str, str], attended: str | None
) -> None:
    run_hook(state, AGENT, "Stop", b"{}", repo, environment, shell=shell)
    (kept,) = spooled(state)
    assert kept.trailer.get("attended") == attended


def test_a_taken_name_gets_an_x(state: Path, repo: Path, shell: str) -> None:
    """A number that comes back finds the spool file of its earlier bearer, whole or half."""
    script = state / "hook" / "hook.sh"
    body = script.read_text()
    script.write_text(body.replace("name=$$ tmp=", "name=7 tmp="))
    (state / "spool" / "7.json").write_text("earlier")
    (state / "spool" / "7x.tmp").write_text("half")
    run_hook(state, AGENT, "Stop", b"{}", repo, shell=shell)
    assert sorted(path.name for path in state.glob("spool/*")) == ["7.json", "7x.tmp", "7xx.json"]
    assert (state / "spool" / "7.json").read_text() == "earlier"
    assert (state / "spool" / "7x.tmp").read_text() == "half"


def test_what_asides_itself_starts_leaves_no_trace(state: Path, repo: Path, shell: str) -> None:
    all_texts(state, repo)
    run = run_hook(
        state, AGENT, "SessionStart", starting("startup"), repo, {"ASIDES_INSIDE": "1"}, shell=shell
    )
    assert (run.returncode, run.stdout) == (0, b"")
    assert list(state.glob("spool/*")) == []


@pytest.mark.parametrize("mark", ["COPILOT_CLI", "COPILOT_PROJECT_DIR", "CURSOR_VERSION"])
@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop"])
def test_another_agent_that_runs_claude_codes_hooks_leaves_no_trace(
    state: Path, repo: Path, shell: str, event: str, mark: str
) -> None:
    all_texts(state, repo)
    armed(state, "deny")
    before = sorted(str(path) for path in state.rglob("*"))
    payload = starting("startup", tool_name="Write", tool_input={"file_path": "CLAUDE.md"})
    env = {mark: "1", "CLAUDE_PROJECT_DIR": str(repo)}
    run = run_hook(state, AGENT, event, payload, repo, env, shell=shell)
    assert (run.returncode, run.stdout) == (0, b"")
    assert sorted(str(path) for path in state.rglob("*")) == before


def test_a_terminal_of_another_tool_and_an_agent_of_its_own_are_heard(
    state: Path, repo: Path, shell: str
) -> None:
    """Cursor's terminal and Copilot's settings set variables of their own, in which Claude Code is used."""
    env = {"CURSOR_TRACE_ID": "1", "COPILOT_OFFLINE": "true", "COPILOT_MODEL": "gpt"}
    run_hook(state, AGENT, "Stop", b"{}", repo, env, shell=shell)
    run_hook(state, "copilot", "Stop", b"{}", repo, {"COPILOT_CLI": "1"}, shell=shell)
    assert sorted(kept.trailer["agent"] for kept in spooled(state)) == ["claude-code", "copilot"]


# Delivery


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("startup", START),
        ("clear", START),
        ("new", START),
        ("", START),
        ("compact", COMPACT),
        ("resume", REPLACE),
        ("fork", REPLACE),
    ],
)
def test_the_text_follows_the_source(state: Path, repo: Path, shell: str, source: str, text: str) -> None:
    all_texts(state, repo)
    for payload in (starting(source), json.dumps(json.loads(starting(source)), indent=2).encode()):
        run = run_hook(state, AGENT, "SessionStart", payload, repo, shell=shell)
        assert (run.returncode, run.stdout) == (0, printed(text))
        assert (state / "given" / SESSION).read_text() == "v1\n"
        (state / "given" / SESSION).unlink()


def test_a_resumed_session_that_has_this_version_gets_nothing(state: Path, repo: Path, shell: str) -> None:
    folder = all_texts(state, repo)
    assert run_hook(state, AGENT, "SessionStart", starting("startup"), repo, shell=shell).stdout == printed(
        START
    )
    assert run_hook(state, AGENT, "SessionStart", starting("resume"), repo, shell=shell).stdout == b""
    (folder / "version").write_text("v2\n")
    assert run_hook(state, AGENT, "SessionStart", starting("resume"), repo, shell=shell).stdout == printed(
        REPLACE
    )
    assert run_hook(state, AGENT, "SessionStart", starting("resume"), repo, shell=shell).stdout == b""


def test_a_fork_gets_nothing_where_every_known_session_has_this_version(
    state: Path, repo: Path, shell: str
) -> None:
    all_texts(state, repo)
    prepare(state, repo / ".git", unchanged="")
    assert run_hook(state, AGENT, "SessionStart", starting("fork", "new-1"), repo, shell=shell).stdout == b""
    assert run_hook(state, AGENT, "SessionStart", starting("startup"), repo, shell=shell).stdout == printed(
        START
    )


def transcript_with(folder: Path, *texts: str) -> str:
    """Writes a transcript whose lines hold these texts, and returns its path."""
    path = folder / f"{SESSION}.jsonl"
    path.write_text("".join(json.dumps({"content": text}, ensure_ascii=False) + "\n" for text in texts))
    return str(path)


@pytest.mark.parametrize("source", ["resume", "fork"])
@pytest.mark.parametrize("unchanged", [True, False])
def test_a_resumed_session_that_never_got_a_list_gets_it(
    state: Path, repo: Path, shell: str, unchanged: bool, source: str
) -> None:
    """The first session of a project, and every one that is older than asides."""
    all_texts(state, repo)
    if unchanged:
        prepare(state, repo / ".git", unchanged="")
    payload = starting(source, transcript_path=transcript_with(repo, "hello", "[as ides]", "asides"))
    run = run_hook(state, AGENT, "SessionStart", payload, repo, shell=shell)
    assert run.stdout == printed(START)
    (kept,) = spooled(state)
    assert (kept.trailer["printed"], kept.trailer["version"]) == ("start", "v1")
    again = run_hook(state, AGENT, "SessionStart", payload, repo, shell=shell)
    assert again.stdout == b""


@pytest.mark.parametrize(("source", "text"), [("resume", printed(REPLACE)), ("fork", b"")])
def test_a_conversation_that_holds_a_list_is_told_that_it_is_replaced_unless_it_is_an_unchanged_fork(
    state: Path, repo: Path, shell: str, source: str, text: bytes
) -> None:
    all_texts(state, repo)
    prepare(state, repo / ".git", unchanged="")
    holding = transcript_with(repo, "hello", f"{FENCE_OPEN}\n- Tabs.\n{FENCE_CLOSE}", "bye")
    payload = starting(source, transcript_path=holding)
    assert run_hook(state, AGENT, "SessionStart", payload, repo, shell=shell).stdout == text


@pytest.mark.parametrize("where", ["gone", "relative.jsonl", "a folder", "escaped", "a fifo", ""])
def test_only_forks_are_excused_where_the_transcript_cannot_be_asked(
    state: Path, repo: Path, shell: str, where: str
) -> None:
    all_texts(state, repo)
    prepare(state, repo / ".git", unchanged="")
    path = str(repo / "gone.jsonl")
    match where:
        case "relative.jsonl" | "":
            path = where
            (repo / "relative.jsonl").touch()
        case "a folder":
            path = str(repo)
        case "escaped":
            path = str(repo / 'quo"ted.jsonl')
            Path(path).touch()
        case "a fifo":
            os.mkfifo(path)
    for source, text in (("fork", b""), ("resume", printed(REPLACE))):
        payload = starting(source, transcript_path=path)
        assert run_hook(state, AGENT, "SessionStart", payload, repo, shell=shell, timeout=10).stdout == text


def test_a_session_with_another_version_gets_the_list(state: Path, repo: Path, shell: str) -> None:
    all_texts(state, repo)
    prepare(state, repo / ".git", unchanged="")
    (state / "given" / SESSION).write_text("v0\n")
    assert run_hook(state, AGENT, "SessionStart", starting("resume"), repo, shell=shell).stdout == printed(
        REPLACE
    )


def test_a_subagent_gets_its_own_text_and_it_does_not_count_for_the_session(
    state: Path, repo: Path, shell: str
) -> None:
    all_texts(state, repo)
    run = run_hook(state, AGENT, "SubagentStart", starting("startup"), repo, shell=shell)
    assert run.stdout == printed(SUBAGENT)
    assert not (state / "given" / SESSION).exists()


def test_the_announcement_is_printed_once(state: Path, repo: Path, shell: str) -> None:
    folder = all_texts(state, repo)
    prepare(state, repo / ".git", announce=ANNOUNCE)
    unwatched = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
    outputs = [
        run_hook(state, AGENT, "SessionStart", starting("startup"), repo, env, shell=shell).stdout
        for env in (unwatched, {}, {})
    ]
    assert outputs == [printed(START), printed(ANNOUNCE), printed(START)]
    assert [kept.trailer.get("announced") for kept in spooled(state)].count("1") == 1
    assert len(list(folder.glob("announce.[0-9]*"))) == 1


@pytest.mark.parametrize("why", ["empty", "a folder", "it cannot be taken", "no version"])
def test_only_an_announcement_that_is_printed_is_noted_as_such(
    state: Path, repo: Path, shell: str, why: str
) -> None:
    folder = all_texts(state, repo)
    announce = folder / "announce.json"
    announce.write_text("" if why == "empty" else ANNOUNCE)
    match why:
        case "a folder":
            announce.unlink()
            announce.mkdir()
        case "it cannot be taken":
            script = state / "hook" / "hook.sh"
            body = script.read_text()
            assert body.count('mv -f "$line"') == 1
            script.write_text(body.replace('mv -f "$line"', "false"))
        case "no version":
            (folder / "version").unlink()
    run = run_hook(state, AGENT, "SessionStart", starting("startup"), repo, shell=shell)
    assert run.stdout == (b"" if why == "no version" else printed(START))
    (kept,) = spooled(state)
    assert "announced" not in kept.trailer
    assert announce.exists()


@pytest.mark.parametrize(
    "event", ["UserPromptSubmit", "Stop", "PostToolUse", "PreToolUse", "PreCompact", "SessionEnd"]
)
def test_no_other_event_prints(state: Path, repo: Path, shell: str, event: str) -> None:
    all_texts(state, repo)
    assert run_hook(state, AGENT, event, starting("startup"), repo, shell=shell).stdout == b""


def test_without_a_version_or_a_text_nothing_is_printed(state: Path, repo: Path, shell: str) -> None:
    folder = all_texts(state, repo)
    (folder / "start.json").unlink()
    assert run_hook(state, AGENT, "SessionStart", starting("startup"), repo, shell=shell).stdout == b""
    (folder / "version").write_text("")
    assert run_hook(state, AGENT, "SessionStart", starting("compact"), repo, shell=shell).stdout == b""
    (folder / "version").unlink()
    assert run_hook(state, AGENT, "SessionStart", starting("compact"), repo, shell=shell).stdout == b""
    assert all(kept.trailer["printed"] == "none" for kept in spooled(state))


def test_a_folder_and_a_model_that_spell_json_are_not_taken_for_the_source(
    state: Path, repo: Path, shell: str
) -> None:
    all_texts(state, repo)
    payload = starting("startup", cwd='/x","source":"compact","y":"', model="source")
    payload = b'{"cwd":' + json.dumps('/"source":"resume"').encode() + b"," + payload[1:]
    assert run_hook(state, AGENT, "SessionStart", payload, repo, shell=shell).stdout == printed(START)


@pytest.mark.parametrize("session", ["../../evil", "..", "a/b", "a b", "a\\u000ab", "*", "", "x" * 300])
def test_a_session_id_never_leaves_its_folder(state: Path, repo: Path, shell: str, session: str) -> None:
    all_texts(state, repo)
    payload = b'{"session_id":"%s","source":"startup"}' % session.encode()
    before = sorted(str(path) for path in state.rglob("*"))
    run = run_hook(
        state, AGENT, "SessionStart", payload, repo, {"CLAUDE_CODE_SESSION_ID": session}, shell=shell
    )
    assert run.stdout == printed(START)
    after = [path for path in sorted(str(path) for path in state.rglob("*")) if "/spool/" not in path]
    assert after == before


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cwd=st.text(max_size=30),
    model=st.text(max_size=10),
    source=st.sampled_from(["startup", "resume", "compact"]),
)
def test_the_source_is_read_whatever_stands_around_it(
    state: Path, repo: Path, cwd: str, model: str, source: str
) -> None:
    all_texts(state, repo)
    payload = json.dumps({"cwd": cwd, "model": model, "source": source}, ensure_ascii=False)
    run = run_hook(state, AGENT, "SessionStart", payload.encode("utf-8", "replace"), repo)
    assert run.stdout == printed({"startup": START, "resume": REPLACE, "compact": COMPACT}[source])


# The project


def test_a_folder_inside_the_repository_finds_it(state: Path, repo: Path, shell: str) -> None:
    all_texts(state, repo)
    inside = repo / "src" / "deep"
    inside.mkdir(parents=True)
    assert run_hook(state, AGENT, "SessionStart", starting("startup"), inside, shell=shell).stdout == printed(
        START
    )


@pytest.mark.parametrize("event", ["SessionStart", "SubagentStart"])
@pytest.mark.parametrize("source", ["startup", "compact", "resume"])
def test_an_agent_that_went_into_another_repository_reads_its_own_projects_texts(
    state: Path, repo: Path, shell: str, source: str, event: str
) -> None:
    all_texts(state, repo)
    other = repo / "vendored"
    (other / ".git").mkdir(parents=True)
    (other / ".git" / "HEAD").touch()
    theirs = dict.fromkeys(("start", "compact", "replace", "subagent"), '{"text":"theirs"}')
    prepare(state, other / ".git", version="v2", **theirs)
    env = {"CLAUDE_PROJECT_DIR": str(repo)}
    run = run_hook(state, AGENT, event, starting(source), other, env, shell=shell)
    own = {"startup": START, "compact": COMPACT, "resume": REPLACE}[source]
    assert run.stdout == printed(SUBAGENT if event == "SubagentStart" else own)
    (kept,) = spooled(state)
    assert (kept.trailer["project"], kept.trailer["version"]) == (str(repo), "v1")


@pytest.mark.parametrize("project", ["/nonexistent", "not/absolute", "-", ""])
def test_a_project_folder_that_is_not_there_gives_way_to_the_working_directory(
    state: Path, repo: Path, shell: str, project: str
) -> None:
    all_texts(state, repo)
    env = {"CLAUDE_PROJECT_DIR": project}
    run = run_hook(state, AGENT, "SessionStart", starting("startup"), repo, env, shell=shell)
    assert run.stdout == printed(START)


def test_a_link_to_the_repository_finds_it(state: Path, repo: Path, shell: str) -> None:
    all_texts(state, repo)
    link = repo.parent / "link"
    link.symlink_to(repo)
    env = {"PWD": str(link)}
    assert run_hook(
        state, AGENT, "SessionStart", starting("startup"), link, env, shell=shell
    ).stdout == printed(START)


def test_real_worktrees_and_submodules_are_told_apart(state: Path, tmp_path: Path, shell: str) -> None:
    def git(*words: str, at: Path) -> None:
        plain = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
        name = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"]
        subprocess.run(["git", *name, *words], cwd=at, env=plain, check=True, capture_output=True)

    main, part = tmp_path / "main repo", tmp_path / "part"
    for folder in (main, part):
        folder.mkdir()
        git("init", "-q", at=folder)
        git("commit", "-q", "--allow-empty", "-m", "x", at=folder)
    git("worktree", "add", "-q", str(tmp_path / "tree"), at=main)
    git("submodule", "add", "-q", str(part), "sub", at=main)
    prepare(state, main / ".git", start=START)
    prepare(state, main / ".git" / "modules" / "sub", start=REPLACE)
    for folder, text in ((tmp_path / "tree", START), (main, START), (main / "sub", REPLACE)):
        assert run_hook(
            state, AGENT, "SessionStart", starting("startup"), folder, shell=shell
        ).stdout == printed(text)


def test_a_relative_gitdir_starts_at_its_file(state: Path, repo: Path, shell: str) -> None:
    all_texts(state, repo)
    tree = repo.parent / "tree"
    (tree / "a").mkdir(parents=True)
    (repo / ".git" / "worktrees" / "tree").mkdir(parents=True)
    (repo / ".git" / "worktrees" / "tree" / "commondir").write_text("../..\n")
    (tree / ".git").write_text("gitdir: ../shop/.git/worktrees/tree\n")
    assert run_hook(
        state, AGENT, "SessionStart", starting("startup"), tree / "a", shell=shell
    ).stdout == printed(START)


def test_an_empty_git_folder_is_no_repository(state: Path, repo: Path, shell: str) -> None:
    all_texts(state, repo)
    inside = repo / "fixture"
    (inside / ".git").mkdir(parents=True)
    assert run_hook(state, AGENT, "SessionStart", starting("startup"), inside, shell=shell).stdout == printed(
        START
    )


def test_outside_git_the_folder_itself_is_the_project(state: Path, tmp_path: Path, shell: str) -> None:
    plain = tmp_path / "plain"
    (plain / "below").mkdir(parents=True)
    prepare(state, plain, start=START)
    assert run_hook(state, AGENT, "SessionStart", starting("startup"), plain, shell=shell).stdout == printed(
        START
    )
    assert (
        run_hook(state, AGENT, "SessionStart", starting("startup"), plain / "below", shell=shell).stdout
        == b""
    )


# The daemon


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


# The guard


def tool_call(cwd: Path, tool: str, **given: str) -> bytes:
    payload = {
        "session_id": SESSION,
        "transcript_path": f"/home/dev/.claude/projects/-home-dev-shop/{SESSION}.jsonl",
        "cwd": str(cwd),
        "tool_name": tool,
        "tool_input": given,
    }
    return json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode()


def armed(state: Path, mode: str) -> None:
    arm(state, mode=mode, protected=[("~/.notes/**", "memory")], names=["CLAUDE.md", "RULES.txt"])


@pytest.mark.parametrize("mode", ["deny", "ask"])
def test_a_protected_write_is_answered_in_one_line_of_json(
    state: Path, repo: Path, shell: str, mode: str
) -> None:
    armed(state, mode)
    payload = tool_call(repo, "Write", file_path=f"{repo}/CLAUDE.md", content="x")
    run = run_hook(state, AGENT, "PreToolUse", payload, repo, shell=shell)
    assert run.stdout.count(b"\n") == 1
    answer = json.loads(run.stdout)["hookSpecificOutput"]
    assert answer.pop("permissionDecisionReason") == (
        f"asides keeps the memory of this project: leave {repo}/CLAUDE.md as it is and just say it in your"
        " reply, because asides keeps what the developer says."
    )
    assert answer == {"hookEventName": "PreToolUse", "permissionDecision": mode}
    (kept,) = spooled(state)
    assert (kept.trailer["guard"], kept.trailer["guard_path"]) == (mode, f"{repo}/CLAUDE.md")
    assert kept.payload == payload


def test_a_write_through_an_mcp_server_is_refused_as_any_other(state: Path, repo: Path, shell: str) -> None:
    armed(state, "deny")
    write = tool_call(repo, "mcp__files__write_file", path=f"{repo}/CLAUDE.md", content="x")
    run = run_hook(state, AGENT, "PreToolUse", write, repo, shell=shell)
    assert json.loads(run.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"
    elsewhere = tool_call(repo, "mcp__files__write_file", path=f"{repo}/notes.txt", content="see CLAUDE.md")
    assert run_hook(state, AGENT, "PreToolUse", elsewhere, repo, shell=shell).stdout == b""


def test_audit_writes_it_down_and_says_nothing(state: Path, repo: Path, shell: str) -> None:
    armed(state, "audit")
    payload = tool_call(repo, "Bash", command="echo x > CLAUDE.md")
    assert run_hook(state, AGENT, "PreToolUse", payload, repo, shell=shell).stdout == b""
    (kept,) = spooled(state)
    assert (kept.trailer["guard"], kept.trailer["guard_path"]) == ("audit", f"{repo}/CLAUDE.md")


def test_places_of_the_users_own_are_looked_for_too(state: Path, repo: Path, shell: str) -> None:
    armed(state, "deny")
    for path in (f"{state.parent}/.notes/a", f"{repo}/RULES.txt"):
        run = run_hook(
            state, AGENT, "PreToolUse", tool_call(repo, "Write", file_path=path), repo, shell=shell
        )
        assert b"asides keeps" in run.stdout


def test_an_ordinary_tool_call_starts_no_interpreter(
    state: Path, repo: Path, shell: str, tmp_path: Path
) -> None:
    says = tmp_path / "says"
    install_hook(state, plain_python=stand_in_daemon(tmp_path / "python", says))
    armed(state, "deny")
    for payload in (
        tool_call(repo, "Bash", command="make test > out.log"),
        tool_call(repo, "Write", file_path=f"{repo}/README.md", content="ask claude-opus about it"),
    ):
        assert run_hook(state, AGENT, "PreToolUse", payload, repo, shell=shell).stdout == b""
    assert list(tmp_path.glob("says*")) == []
    run_hook(state, AGENT, "PreToolUse", tool_call(repo, "Bash", command="cat CLAUDE.md"), repo, shell=shell)
    assert len(list(tmp_path.glob("says*"))) == 1


# What the prefilter does not see, because no telling word stands in the payload. The agent's own deny
# rules and the audit at the end of the turn are there for these.
UNSEEN = [
    "echo x > $MEM/note.md",  # a variable of the environment
    "echo x > linked/note.md",  # links under names of their own
    "echo x > notes.md",
    "echo x > CL''AUDE.md",  # a name in pieces
]


def test_every_other_write_that_the_guard_refuses_gives_it_cause(state: Path, repo: Path) -> None:
    memory = [("~/.claude/projects/*/memory/**", "memory")]
    arm(state, mode="deny", protected=memory, names=["CLAUDE.md", "AGENTS.md"])
    unseen = []
    for command in SHELL_WRITES:
        run_hook(state, AGENT, "PreToolUse", tool_call(repo, "Bash", command=command), repo)
        (kept,) = spooled(state)
        kept.path.unlink()
        if "guard" not in kept.trailer:
            unseen.append(command)
    assert unseen == UNSEEN


@pytest.mark.parametrize(
    "damage", ["guard.json is cut", "guard.json is a list", "the package is gone", "the interpreter is gone"]
)
def test_a_guard_that_fails_lets_the_tool_pass_and_says_so(
    state: Path, repo: Path, shell: str, damage: str
) -> None:
    armed(state, "deny")
    match damage:
        case "guard.json is cut":
            (state / "guard.json").write_text('{"mode": "de')
        case "guard.json is a list":
            (state / "guard.json").write_text("[]")
        case "the package is gone":
            (state / "hook" / "guard" / "door.py").unlink()
        case _:
            install_hook(state, plain_python="/nonexistent/python")
    run = run_hook(
        state, AGENT, "PreToolUse", tool_call(repo, "Write", file_path="CLAUDE.md"), repo, shell=shell
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")
    (kept,) = spooled(state)
    assert kept.trailer["guard"] == "failed"
    assert kept.trailer["printed"] == "none"


def test_without_settings_the_guard_is_not_there(state: Path, repo: Path, shell: str) -> None:
    armed(state, "deny")
    armed(state, "off")
    run_hook(state, AGENT, "PreToolUse", tool_call(repo, "Write", file_path="CLAUDE.md"), repo, shell=shell)
    (kept,) = spooled(state)
    assert "guard" not in kept.trailer
