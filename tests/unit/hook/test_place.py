"""The hook is put in place whole, once, and without a trace of a half-written file."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from asides.hook.place import arm, place, registered


def test_placing_twice_writes_nothing_the_second_time(tmp_path: Path) -> None:
    first = place(tmp_path / "state", plain_python="/usr/bin/python3", daemon_python="/venv/bin/python")
    assert {path.name for path in first} >= {"hook.sh", "interpreters", "door.py"}
    stamps = {path: path.stat().st_mtime_ns for path in first}
    assert place(tmp_path / "state", plain_python="/usr/bin/python3", daemon_python="/venv/bin/python") == []
    assert {path: path.stat().st_mtime_ns for path in first} == stamps


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    place(tmp_path, plain_python="/a", daemon_python="/b")
    (tmp_path / "hook" / "hook.sh").write_text("damaged")
    written = place(tmp_path, plain_python="/a", daemon_python="/c")
    assert sorted(path.name for path in written) == ["hook.sh", "interpreters"]
    assert (tmp_path / "hook" / "interpreters").read_text() == "plain_python /a\ndaemon_python /c\n"


def test_folders_and_files_are_the_users_alone(tmp_path: Path) -> None:
    state = tmp_path / "state"
    for path in place(state, plain_python="/a", daemon_python="/b"):
        assert path.stat().st_mode & 0o777 == 0o600
    for folder in (state, state / "hook", state / "spool", state / "given", state / "run"):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert list(state.rglob(".*")) == []


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place(tmp_path, plain_python="/a", daemon_python="/b")

    def refuse(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="No space"):
        place(tmp_path, plain_python="/x", daemon_python="/b")
    assert (tmp_path / "hook" / "interpreters").read_text().startswith("plain_python /a\n")
    assert list((tmp_path / "hook").glob(".*")) == []


@pytest.mark.parametrize("path", ["/a\nb", " /a", "/a "])
def test_a_path_that_cannot_stand_on_a_line_is_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="plain_python"):
        place(tmp_path, plain_python=path, daemon_python="/b")


def test_the_registered_command_names_no_script_and_no_interpreter_of_ours(tmp_path: Path) -> None:
    command = registered(tmp_path / "it's", "claude-code", "Stop")
    assert command == [
        "/bin/sh",
        "-c",
        'trap "exit 0" 0; [ -r "$0" ] && . "$0"; exit 0',
        f"{tmp_path}/it's/hook/hook.sh",
        "claude-code",
        "Stop",
    ]


def test_the_call_is_the_one_that_the_protocols_document_promises() -> None:
    call = registered(Path("STATE"), "AGENT", "EVENT")
    text = (Path(__file__).parents[3] / "docs" / "protocols.md").read_text(encoding="utf-8")
    assert f"/bin/sh -c '{call[2]}' STATE/hook/hook.sh AGENT EVENT" in text


def test_an_armed_guard_is_looked_for_by_what_tells_its_places_apart(tmp_path: Path) -> None:
    place(tmp_path, plain_python=sys.executable, daemon_python=sys.executable)
    written = arm(tmp_path, mode="ask", protected=[("~/x.y/*/notes/**", "memory")], names=["A.md"])
    assert [path.name for path in written] == ["guard.causes", "guard.json"]
    assert (tmp_path / "guard.causes").read_text() == "A[.]md\nnotes\n"
    assert json.loads((tmp_path / "guard.json").read_text()) == {
        "mode": "ask",
        "protected": [{"glob": "~/x.y/*/notes/**", "what": "memory"}],
        "names": ["A.md"],
    }
    assert arm(tmp_path, mode="ask", protected=[("~/x.y/*/notes/**", "memory")], names=["A.md"]) == []
    assert arm(tmp_path, mode="off", protected=[], names=[]) == []
    assert not (tmp_path / "guard.json").exists()
    assert not (tmp_path / "guard.causes").exists()
