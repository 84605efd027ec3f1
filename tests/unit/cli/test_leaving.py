"""How commands end where the world is not as usual: one line, no traceback, never exit code 2."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.support.console import RUN, Console


def shell(console: Console, line: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    """Runs a line of bash in which `"$@"` is the command."""
    return subprocess.run(
        ["bash", "-c", line, "bash", *RUN],
        cwd=console.folder,
        # A relative path in it means nothing in a folder that is gone.
        env={**console.environment, "PYTHONPATH": "", **more},
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("command", ["list", "status"])
def test_in_a_folder_that_was_deleted_the_command_says_so(console: Console, command: str) -> None:
    done = shell(console, f'mkdir gone; cd gone; rmdir ../gone; "$@" {command}')
    assert done.returncode == 3
    assert b"working directory" in done.stderr
    assert b"deleted" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_output_that_finds_no_space_is_one_line_and_exit_code_5(console: Console) -> None:
    done = shell(console, '"$@" list > /dev/full')
    assert done.returncode == 5
    assert done.stderr == b"asides: No space left on device\n"


def test_a_closed_output_is_no_fault(console: Console) -> None:
    done = shell(console, '"$@" list >&-')
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("words", [("list",), ("paths", "--json"), ("completion", "bash"), ("--help",)])
def test_where_nobody_reads_our_output_any_more_the_exit_code_is_0(
    console: Console, words: tuple[str, ...]
) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [*RUN, *words],
            cwd=console.folder,
            env=console.environment,
            stdout=write,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    finally:
        os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_character_that_the_terminal_does_not_know_is_no_fault(console: Console) -> None:
    console.json("add", "naïve ☃ is a name here")
    done = shell(console, '"$@" list', PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"na?ve ? is a name here" in done.stdout


def test_words_are_shown_as_they_are_also_where_they_look_like_markup_or_emoji(console: Console) -> None:
    words = "write [bold]x[/bold] and :warning: as they are " + "x" * 120
    console.json("add", words)
    assert words in console.run("list").stdout


def test_an_error_under_json_is_json_on_standard_error(console: Console) -> None:
    done = console.run("show", "zzz", "--json")
    assert (done.returncode, done.stdout) == (3, "")
    assert json.loads(done.stderr) == {
        "error": "No entry zzz in this project.",
        "hint": "See the ids with `asides list --all`.",
        "exit_code": 3,
    }
    assert json.loads(console.run("list", "--json", "--nonsense").stderr)["exit_code"] == 1


def test_a_place_that_cannot_be_written_is_one_line_and_exit_code_5(console: Console, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = shell(console, '"$@" install claude-code', ASIDES_HOME=str(blocked / "below"))
    assert done.returncode == 5
    assert done.stderr.startswith(b"asides: ")
    assert done.stderr.count(b"\n") == 1


def test_outside_any_project_the_true_reason_is_said(console: Console, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path / "bare")], check=True)
    file = tmp_path / "file"
    file.write_text("")
    reasons = {
        str(tmp_path / "missing"): "no such folder",
        str(tmp_path / "bare"): "bare repository",
        os.environ["HOME"]: "home and temporary",
        "/tmp": "home and temporary",
    }
    for place, reason in reasons.items():
        done = console.run("list", "--project", place)
        assert done.returncode == 3, place
        assert reason in done.stderr, place
