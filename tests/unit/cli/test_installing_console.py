"""`asides install` and `uninstall` as they are typed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.console import RUN, Console


@pytest.fixture
def agent(console: Console, tmp_path: Path) -> Path:
    """The agent's configuration folder."""
    folder = tmp_path / "claude"
    console.environment["CLAUDE_CONFIG_DIR"] = str(folder)
    return folder


def test_installing_and_uninstalling_answer_in_json(console: Console, agent: Path) -> None:
    done = console.json("install", "claude-code")
    assert isinstance(done, dict)
    assert done["report"]["there"]["path"] == str(agent / "settings.json")
    assert done["guard"] == "deny"
    gone = console.json("uninstall", "claude-code")
    assert isinstance(gone, dict)
    assert gone["report"]["did"] == "removed"
    assert gone["hook_files"]
    assert not agent.exists()


def test_with_closed_input_nothing_is_asked(console: Console, agent: Path) -> None:
    line = '"$@" install claude-code <&-'
    done = subprocess.run(
        ["bash", "-c", line, "bash", *RUN],
        cwd=console.folder,
        env=console.environment,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert (agent / "settings.json").exists()


def test_the_plugin_answers_in_json_and_names_the_next_commands(console: Console, tmp_path: Path) -> None:
    folder = tmp_path / "the plugin"
    written = console.json("install", "claude-code", "--plugin", str(folder))
    assert isinstance(written, list)
    assert all(Path(path).is_file() for path in written)
    shown = console.run("install", "claude-code", "--plugin", str(folder)).stdout
    assert f"claude plugin marketplace add '{folder}'" in shown
    assert "claude plugin install asides@asides" in shown


def test_settings_that_cannot_be_read_stop_an_installation_before_anything_is_written(
    console: Console, agent: Path
) -> None:
    home = Path(console.environment["ASIDES_HOME"])
    settings = home / "config" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("guard = 'sometimes'\n")
    for words in (("--guard", "ask"), ("--plugin", str(home.parent / "plugin")), ()):
        done = console.run("install", "claude-code", *words)
        assert done.returncode == 1, words
        assert "off, audit, ask, deny" in done.stderr
    assert [path for path in home.rglob("*") if path.is_file()] == [settings]
    assert not agent.exists()
    assert not (home.parent / "plugin").exists()


def test_the_guard_and_how_to_change_it_are_named_also_when_installed_again(
    console: Console, agent: Path
) -> None:
    first = console.run("install", "claude-code", "--guard", "ask").stdout
    assert "guard: ask (asides install claude-code --guard deny|audit|off)" in first
    console.run("uninstall", "claude-code")
    assert "guard: ask, as chosen before" in console.run("install", "claude-code").stdout
