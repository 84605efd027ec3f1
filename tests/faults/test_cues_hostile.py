"""A hostile machine for the cues: the agent goes on, is told nothing, and why stands in the trailer."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asides.deliver.cues import Modes
from asides.hook.cues import door
from tests.support.cuetables import LINES, MIGRATION, PUSH, SESSION, Agent, Told, at, forbids, table
from tests.support.hookrun import in_every_shell, install_hook, stand_in_daemon


@pytest.fixture(params=in_every_shell())
def shell(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    repo = tmp_path / "shop"
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return repo


@pytest.fixture
def state(tmp_path: Path) -> Path:
    state = tmp_path / "home" / "state"
    install_hook(state)
    (state / "hook" / "cues" / "lines.py").write_text(LINES)
    return state


@pytest.fixture
def folder(state: Path, repo: Path) -> Path:
    return table(state, repo / ".git", at("cart", "src/cart.py"), PUSH, MIGRATION, forbids("axios", "axios"))


@pytest.fixture
def agent(state: Path, repo: Path, folder: Path) -> Agent:
    return Agent(state=state, repo=repo)


def why(told: Told) -> str:
    """Returns why nothing was told; fails where something was."""
    assert told.silent
    assert not {"cued", "broke", "reminded"} & set(told.trailer)
    return told.trailer.get("cue_why", "")


# The table

HEAD = b'{"modes": {"cues": true}, "entries": [\n'
ROW = b'{"causes":["cart.py"],"id":"%s}'


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (b'{"modes": {"cu', "ValueError"),
        (b"\0\0\0\0", "ValueError"),
        (b"[]", "ValueError"),
        (b"{}", "ValueError"),
        (b'{"modes": {}, "entries": []}\n', "ValueError"),
        (HEAD + b"\n]}", "ValueError"),
        (HEAD + b"]}\n", "ValueError"),
        (HEAD + b'"cart.py"\n]}\n', "ValueError"),
        (HEAD + b"odd, but none of our business\n]}\n", ""),
        (HEAD + ROW % b'../x"' + b"\n]}\n", ""),
        (HEAD + ROW % b'a", "places": 7' + b"\n]}\n", "TypeError"),
        (HEAD + ROW % b'a", "places": ["**"]' + b"\n]}\n", "KeyError"),
        (HEAD + ROW % b'a", "triggers": {"x": 1}' + b"\n]}\n", "AttributeError"),
        (HEAD + ROW % b'a", "pla' + b"\n]}\n", "ValueError"),
        (HEAD + ROW % b'a", "places": ["**"]' + b"\n", "ValueError"),
    ],
)
def test_a_table_that_is_broken_is_no_table(
    folder: Path, state: Path, repo: Path, shell: str, damage: bytes, reason: str
) -> None:
    (folder / "cues.json").write_bytes(damage)
    assert why(Agent(state=state, repo=repo, shell=shell).reads("src/cart.py")) == reason


def test_a_table_without_causes_or_causes_without_a_table_tell_nothing(folder: Path, agent: Agent) -> None:
    (folder / "cues.causes").unlink()
    assert why(agent.reads("src/cart.py")) == ""
    (folder / "cues.json").unlink()
    (folder / "cues.causes").write_text("cart.py\n")
    assert why(agent.reads("src/cart.py")) == ""


def test_a_table_that_is_a_folder_tells_nothing(folder: Path, agent: Agent) -> None:
    (folder / "cues.json").unlink()
    (folder / "cues.json").mkdir()
    assert why(agent.reads("src/cart.py")) == "IsADirectoryError"


def test_a_table_beyond_all_measure_is_not_read(folder: Path, agent: Agent) -> None:
    with (folder / "cues.json").open("wb") as file:
        file.truncate(door._TABLE + 1)
    assert why(agent.reads("src/cart.py")) == "Large"


def test_a_table_of_a_thousand_entries_works(state: Path, repo: Path, agent: Agent) -> None:
    table(state, repo / ".git", *(at(f"entry{n}", f"src/{n}.py") for n in range(1_000)))
    assert agent.reads("src/999.py").trailer["cued"] == "entry999"


# The account


@pytest.mark.parametrize("kind", ["folder", "link", "pipe", "huge", "closed folder", "file for a folder"])
def test_an_account_that_cannot_be_kept_means_silence(
    state: Path, repo: Path, folder: Path, shell: str, kind: str, tmp_path: Path
) -> None:
    given_folder, file = state / "given", state / "given" / f"{SESSION}.cues"
    match kind:
        case "folder":
            file.mkdir()
        case "link":
            (tmp_path / "target").write_text("")
            file.symlink_to(tmp_path / "target")
        case "pipe":
            os.mkfifo(file)
        case "huge":
            with file.open("wb") as handle:
                handle.truncate(2 * 1024 * 1024)
        case "closed folder":
            if os.geteuid() == 0:
                pytest.skip("NOT TESTED, root may write anywhere")
            given_folder.chmod(0o500)
        case _:
            shutil.rmtree(given_folder)
            given_folder.write_text("")
    agent = Agent(state=state, repo=repo, shell=shell)
    assert why(agent.reads("src/cart.py"))
    assert why(agent.edited("src/a.ts", "axios"))
    assert why(agent.created("migrations/1.sql"))
    if kind == "link":
        assert (tmp_path / "target").read_text() == ""


def test_a_reminder_that_cannot_be_noted_is_not_given(state: Path, repo: Path, agent: Agent) -> None:
    agent.created("migrations/1.sql")
    file = state / "given" / f"{SESSION}.cues"
    kept = file.read_text()
    file.unlink()
    file.symlink_to("/dev/full")
    assert why(agent.stops())
    file.unlink()
    file.write_text(kept)
    (state / "given" / f"{SESSION}.owed").write_text("stop\n")
    assert agent.stops().reason


@pytest.mark.parametrize("text", ["", "prompt", "stop it", "stop\nstop", "\0"])
def test_a_sign_that_is_damaged_reminds_of_nothing_or_once(
    state: Path, repo: Path, folder: Path, shell: str, text: str
) -> None:
    agent = Agent(state=state, repo=repo, shell=shell)
    agent.created("migrations/1.sql")
    (state / "given" / f"{SESSION}.owed").write_text(text)
    told = [agent.stops(), agent.stops()]
    assert sum(bool(one.reason) for one in told) <= 1


# Payloads


def test_a_payload_of_ten_megabytes_is_read(agent: Agent) -> None:
    content = "x = 1\n" * 1_700_000
    told = agent.created("src/a.ts", f"{content}axios\n")
    assert told.trailer.get("cue_why") is None
    assert agent.before("Write", file_path=f"{agent.repo}/src/cart.py", content=content).context


@pytest.mark.parametrize("session", ["../given/x", "a/b", "", None, 7, ["x"], "x" * 500, "a b", "a\nb", "ü"])
def test_a_session_id_that_is_none_writes_nothing_anywhere(
    state: Path, repo: Path, folder: Path, session: object
) -> None:
    before = {path for path in state.rglob("*") if "__pycache__" not in path.parts}
    agent = Agent(state=state, repo=repo, session=session)
    for told in (agent.reads("src/cart.py"), agent.created("migrations/1.sql"), agent.stops()):
        assert why(told) in ("Unnamed", "")
    assert {path for path in state.rglob("*") if "__pycache__" not in path.parts} == before


@pytest.mark.parametrize(
    "path",
    [
        "src/cart.py\nguard deny",
        "src/cart.py\0",
        "src/\ud800cart.py",
        "src/cart.py\n#asides 1\nend",
        "a" * 5_000,
    ],
)
def test_a_path_of_odd_characters_stays_within_its_line(
    state: Path, repo: Path, folder: Path, path: str
) -> None:
    table(state, repo / ".git", at("all", "src/**"), forbids("axios", "axios"))
    agent = Agent(state=state, repo=repo)
    payload = {"session_id": SESSION, "cwd": str(repo), "tool_name": "Edit", "prompt_id": "t"}
    given_input = {
        "file_path": f"{repo}/src/{path}",
        "old_string": "",
        "new_string": "axios\n\u2028axios\x1b[0m",
    }
    raw = json.dumps({**payload, "tool_input": given_input}).encode()
    for event in ("PreToolUse", "PostToolUse"):
        told = agent.sends(event, raw)
        known = {"agent", "event", "pid", "project", "session", "attended", "began", "ended", "printed"}
        assert set(told.trailer) - known <= {
            *("cued", "cued_for", "cue_why", "broke", "broke_line", "broke_path", "broke_text")
        }


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["Bash", "Edit", "src/cart.py"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ("tool_name", "tool_input", "tool_response", "cwd", "agent_id", "prompt_id", "stop_hook_active")
INPUTS = ("file_path", "command", "old_string", "new_string", "content", "edits", "notebook_path")


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    facts=st.dictionaries(st.sampled_from(FIELDS), VALUES),
    inputs=st.dictionaries(st.sampled_from(INPUTS), VALUES),
    tool=st.sampled_from(["Bash", "Edit", "Write", "MultiEdit", "Read", "NotebookEdit"]),
    event=st.sampled_from(["PreToolUse", "PostToolUse", "Stop", "UserPromptSubmit", "Other", ""]),
)
def test_any_payload_is_answered_with_whole_lines_or_a_reason(
    state: Path,
    repo: Path,
    folder: Path,
    facts: dict[str, object],
    inputs: dict[str, object],
    tool: str,
    event: str,
) -> None:
    payload = {"session_id": "any", "cwd": str(repo), "tool_name": tool, "tool_input": inputs, **facts}
    file = state / "any.tmp"
    file.write_text(json.dumps(payload))
    reading, writing = os.pipe()
    kept = os.dup(1)
    os.dup2(writing, 1)
    try:
        door.main(str(state), str(file), "", str(folder), event, str((repo / ".git").resolve()), "1")
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        lines = pipe.read().decode().splitlines()
    assert (lines[0], lines[-1]) == ("#cues", "done")
    keys = {"cued", "cued_for", "cue_why", "broke", "broke_line", "broke_path", "broke_text", "reminded"}
    for line in lines[1:-1]:
        assert line.partition(" ")[0] in keys or json.loads(line)


# The program


def test_a_check_that_fails_takes_nothing_else_with_it(state: Path, repo: Path, shell: str) -> None:
    modes = {"PostToolUse": Modes(), "PreToolUse": Modes(checks="block")}
    for event, mode in modes.items():
        table(state, repo / ".git", MIGRATION, forbids("axios", "axios"), modes=mode)
        (state / "hook" / "cues" / "lines.py").write_text(
            "def broken(check, path, lines):\n    raise KeyError\n"
        )
        agent = Agent(state=state, repo=repo, shell=shell, session=event)
        given_input = {"file_path": f"{repo}/migrations/1.sql", "content": "axios\n"}
        told = agent.hook(event, tool_name="Write", tool_input=given_input, tool_response={"type": "create"})
        assert told.trailer["cue_why"] == "KeyError"
        if event == "PreToolUse":
            assert told.trailer["cued"] == "migration"
        else:
            assert agent.stops().trailer["reminded"] == "migration"


def test_an_interpreter_that_prints_half_is_not_believed(
    state: Path, repo: Path, folder: Path, shell: str, tmp_path: Path
) -> None:
    agent = Agent(state=state, repo=repo, shell=shell)
    for said in ("#cues\ncued cart\n{", "#cues\ncued cart", "cued cart\n{}\ndone", "", "done", "#cues"):
        python = tmp_path / "python"
        python.write_text(f"#!/bin/sh\nprintf '%s' '{said}'\n")
        python.chmod(0o700)
        install_hook(state, plain_python=str(python))
        assert why(agent.reads("src/cart.py")) == "interpreter"


@pytest.mark.parametrize(
    "missing", ["hook/cues/door.py", "hook/cues", "hook/guard/shell.py", "hook/__init__.py"]
)
def test_a_package_with_a_hole_is_silence(
    state: Path, repo: Path, folder: Path, shell: str, missing: str
) -> None:
    path = state / missing
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    agent = Agent(state=state, repo=repo, shell=shell)
    told = agent.runs("git push")
    assert told.silent or missing == "hook/__init__.py"  # a folder without it is a package as well


def test_a_closed_stdout_gives_nothing_away(state: Path, repo: Path, folder: Path, tmp_path: Path) -> None:
    import subprocess

    from asides.hook.place import registered

    payload = {"session_id": SESSION, "cwd": str(repo), "tool_name": "Read"}
    raw = json.dumps({**payload, "tool_input": {"file_path": f"{repo}/src/cart.py"}})
    (tmp_path / "payload").write_text(raw)
    command = registered(state, "claude-code", "PreToolUse")
    subprocess.run(
        ["/bin/sh", "-c", '"$@" < "$0" >&-', str(tmp_path / "payload"), *command],
        cwd=repo,
        env={"PATH": os.environ["PATH"], "HOME": str(state.parent)},
        check=True,
        timeout=20,
    )
    for path in (state / "spool").glob("*.json"):
        path.unlink()
    assert Agent(state=state, repo=repo).reads("src/cart.py").context


def test_the_environment_of_a_project_does_not_reach_the_interpreter(
    state: Path, repo: Path, folder: Path, tmp_path: Path
) -> None:
    (repo / "hook.py").write_text("raise SystemExit(2)")
    (repo / "posix.py").write_text("raise SystemExit(2)")
    told = Agent(state=state, repo=repo, cwd=repo).reads("src/cart.py")
    assert told.context


def test_a_stand_in_interpreter_gets_the_folders_that_it_needs(
    state: Path, repo: Path, folder: Path, tmp_path: Path
) -> None:
    says = tmp_path / "says"
    install_hook(state, plain_python=stand_in_daemon(tmp_path / "python", says))
    Agent(state=state, repo=repo).reads("src/cart.py")
    (note,) = tmp_path.glob("says.*")
    called = note.read_text()
    assert f"{folder} PreToolUse {(repo / '.git').resolve()} 1" in called
