"""What the hook writes down, in every shell that may stand behind /bin/sh here."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.hookrun import (
    run_hook,
    spooled,
)
from tests.support.hooktexts import AGENT, SESSION, all_texts, armed, starting


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
