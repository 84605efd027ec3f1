"""The guard lives without asides: what it imports, what it prints, how it reads paths and JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.hook.guard import paths
from asides.hook.guard.door import answer
from asides.hook.place import place

PLAIN = getattr(sys, "_base_executable", sys.executable)
CALL = "import sys; sys.path.insert(0, sys.argv[1]); from guard.door import main; main(*sys.argv[2:])"

# What may come on top of a bare isolated interpreter.
OWN = {
    *("guard", "guard.door", "guard.paths", "guard.places", "guard.scan", "guard.shell", "guard.writes"),
    *("_json", "posix"),
}


def alone(tmp_path: Path, payload: object, *, more: str = "") -> str:
    state = tmp_path / "state"
    place(state, plain_python=PLAIN, daemon_python=PLAIN)
    (tmp_path / "payload").write_text(json.dumps(payload))
    (tmp_path / "guard.json").write_text(json.dumps({"mode": "deny", "names": ["CLAUDE.md"]}))
    run = subprocess.run(
        [PLAIN, "-I", "-S", "-c", CALL + more, state / "hook", tmp_path / "payload", tmp_path / "guard.json"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert run.stderr == ""
    return run.stdout


@pytest.mark.parametrize(
    ("tool", "given_input"),
    [
        ("Write", {"file_path": "CLAUDE.md"}),
        ("Bash", {"command": "ls"}),
        ("Bash", {"command": "cat CLAUDE.md"}),
    ],
)
def test_it_imports_nothing_but_itself_and_the_scanner(
    tmp_path: Path, tool: str, given_input: dict[str, str]
) -> None:
    bare = subprocess.run(
        [PLAIN, "-I", "-S", "-c", "import sys; print(' '.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    payload = {"tool_name": tool, "tool_input": given_input, "cwd": str(tmp_path)}
    seen = alone(tmp_path, payload, more="; print(' '.join(sys.modules))").splitlines()[-1]
    assert set(seen.split()) - set(bare.stdout.split()) <= OWN


def test_only_code_of_an_interpreter_brings_in_regular_expressions(tmp_path: Path) -> None:
    payload = {"tool_name": "Bash", "tool_input": {"command": "python3 -c \"open('CLAUDE.md', 'w')\""}}
    out = alone(tmp_path, {**payload, "cwd": str(tmp_path)}, more="; print('re' in sys.modules)").splitlines()
    assert out[0] == f"deny {tmp_path}/CLAUDE.md"
    assert out[-1] == "True"


@pytest.mark.parametrize(
    "payload", [[], "x", None, 3, {"tool_name": 7}, {"tool_input": []}, {"cwd": 3, "tool_name": "Bash"}]
)
def test_an_odd_payload_passes_or_is_named_as_a_failure(tmp_path: Path, payload: object) -> None:
    (line,) = alone(tmp_path, payload).splitlines()
    assert line == "pass" or line.startswith("failed ")


def test_surrogates_and_control_characters_stay_on_one_line(tmp_path: Path) -> None:
    path = "a\n\x1b[31m\udc88ü/CLAUDE.md"
    (tmp_path / "payload").write_bytes(b"")
    out = alone(tmp_path, {"tool_name": "Write", "tool_input": {"file_path": path}, "cwd": str(tmp_path)})
    first, second = out.splitlines()
    assert first == f"deny {tmp_path}/a??[31m?ü/CLAUDE.md"
    assert second.isascii()
    json.loads(second)


@given(path=st.text(max_size=40))
def test_the_answer_is_one_line_of_ascii_json(path: str) -> None:
    text = answer("deny", path)
    assert text.isascii()
    assert "\n" not in text
    said = json.loads(text)["hookSpecificOutput"]
    assert path in said["permissionDecisionReason"]
    assert said["permissionDecisionReason"].startswith("asides keeps the memory of this project: ")


@given(path=st.text(alphabet="ab./", max_size=30))
def test_a_path_is_made_normal_as_the_standard_library_does(path: str) -> None:
    absolute = "/" + path.lstrip("/")
    assert paths.normal(absolute) == os.path.normpath(absolute)


TARGETS = st.text(alphabet="abcd./", min_size=1, max_size=8)


@given(
    links=st.dictionaries(st.sampled_from("abcd"), TARGETS, max_size=4),
    path=st.text(alphabet="abcd./", max_size=12),
)
def test_links_are_followed_as_the_standard_library_does(
    tmp_path_factory: pytest.TempPathFactory, links: dict[str, str], path: str
) -> None:
    folder = tmp_path_factory.mktemp("links").resolve()
    for name, target in links.items():
        (folder / name).symlink_to(target if not target.startswith("/") else str(folder) + target)
    mine, theirs = paths.real(f"{folder}/{path}"), os.path.realpath(f"{folder}/{path}")
    try:
        Path(f"{folder}/{path}").stat()
    except OSError:
        return  # a circle, or nothing there: only that it ends is promised
    assert mine == theirs
