"""When the hook asks the guard, in every shell that may stand behind /bin/sh here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from asides.hook.place import arm
from tests.support.guard_tables import SHELL_WRITES
from tests.support.hookrun import (
    install_hook,
    run_hook,
    spooled,
    stand_in_daemon,
)
from tests.support.hooktexts import AGENT, SESSION, armed


def tool_call(cwd: Path, tool: str, **given: str) -> bytes:
    payload = {
        "session_id": SESSION,
        "transcript_path": f"/home/dev/.claude/projects/-home-dev-shop/{SESSION}.jsonl",
        "cwd": str(cwd),
        "tool_name": tool,
        "tool_input": given,
    }
    return json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode()


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
        " reply, because asides keeps what the developer says. If the developer asked for this very change,"
        " tell them that `asides install claude-code --guard ask` lets them allow it."
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
