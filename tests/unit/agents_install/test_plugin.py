"""The plugin: complete, the same as the table of events, and silent where it must be."""

import json
import subprocess
from importlib import resources
from pathlib import Path

import pytest

from asides.agents.claude_code.plugin import CALL, HOOKS, MANIFEST, hooks_json, plugin_texts, write_plugin
from asides.agents.claude_code.registration import EVENTS, REGISTRATIONS
from asides.hook.place import registered

PROBE = 'printf "%s %s\\n" "$1" "$2" > "${0%/hook/hook.sh}/ran"'


@pytest.fixture
def plugin(tmp_path):
    write_plugin(tmp_path / "market place", version="1.2.3")
    return tmp_path / "market place" / "plugins" / "asides"


@pytest.fixture
def state(tmp_path):
    state = tmp_path / "hôme" / ".local" / "state" / "asides"
    (state / "hook").mkdir(parents=True)
    (state / "hook" / "hook.sh").write_text(PROBE)
    return state


def run(plugin, home, event="Stop", **environment):
    """Runs the registered command of an event as the client does; returns what it left with and printed."""
    (group,) = json.loads((plugin / "hooks" / "hooks.json").read_text())["hooks"][event]
    (handler,) = group["hooks"]
    args = [arg.replace("${CLAUDE_PLUGIN_ROOT}", str(plugin)) for arg in handler["args"]]
    done = subprocess.run(
        [handler["command"], *args],
        input=b"{}",
        capture_output=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(home), **environment},
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_the_hooks_file_in_the_repository_is_the_one_the_table_gives():
    committed = resources.files("asides.agents.claude_code") / "plugin_files" / HOOKS
    assert committed.read_text(encoding="utf-8") == hooks_json()


def test_the_plugin_registers_for_the_same_events_as_the_settings():
    hooks = json.loads(hooks_json())["hooks"]
    assert tuple(hooks) == EVENTS
    assert [hooks[r.event][0].get("matcher") for r in REGISTRATIONS] == [r.matcher for r in REGISTRATIONS]


def test_the_plugin_is_guarded_as_the_settings_are():
    command = registered(Path("/s"), "claude-code", "Stop")
    assert command[:3] == ["/bin/sh", "-c", CALL]


def test_the_plugin_carries_what_a_marketplace_asks_for():
    texts = plugin_texts(version="1.2.3")
    assert json.loads(texts[MANIFEST])["version"] == "1.2.3"
    assert len(texts["plugins/asides/README.md"].split()) >= 40
    assert texts["plugins/asides/LICENSE"].startswith("MIT License")
    market = json.loads(texts[".claude-plugin/marketplace.json"])
    assert market["plugins"][0]["source"] == "./plugins/asides"
    assert market["plugins"][0]["name"] == json.loads(texts[MANIFEST])["name"]


def test_writing_it_again_changes_nothing(tmp_path):
    assert len(write_plugin(tmp_path, version="1")) == 6
    assert write_plugin(tmp_path, version="1") == ()
    assert [p.name for p in write_plugin(tmp_path, version="2")] == ["plugin.json"]


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_reaches_the_asides_of_this_machine(plugin, state, tmp_path, event):
    assert run(plugin, tmp_path / "hôme", event) == (0, b"")
    assert (state / "ran").read_text() == f"claude-code {event}\n"


def test_every_place_of_the_state_folder_is_found(plugin, state, tmp_path):
    for place, environment in {
        "given": {"ASIDES_HOME": str(tmp_path / "given" / "x")},
        "xdg": {"XDG_STATE_HOME": str(tmp_path / "xdg")},
        "mac": {},
    }.items():
        folder = {
            "given": tmp_path / "given" / "x" / "state",
            "xdg": tmp_path / "xdg" / "asides",
            "mac": tmp_path / "mac" / "Library" / "Application Support" / "asides",
        }[place]
        (folder / "hook").mkdir(parents=True)
        (folder / "hook" / "hook.sh").write_text(PROBE)
        assert run(plugin, tmp_path / "mac", **environment) == (0, b"")
        assert (folder / "ran").exists()
    assert not (state / "ran").exists()


def test_without_an_asides_nothing_happens(plugin, tmp_path):
    assert run(plugin, tmp_path / "empty") == (0, b"")


def test_a_plugin_that_was_removed_under_a_running_session_never_ends_with_2(plugin, state, tmp_path):
    (plugin / "hooks" / "find.sh").unlink()
    assert run(plugin, tmp_path / "hôme") == (0, b"")
    assert not (state / "ran").exists()


@pytest.mark.parametrize(
    ("registered", "environment"),
    [
        ("{home}/.claude/settings.json", {}),
        ("/srv/claude/settings.json", {"CLAUDE_CONFIG_DIR": "/srv/claude"}),
        ("/srv/claude/settings.json", {"CLAUDE_CONFIG_DIR": "/srv/claude/"}),
        ("/w/shop/.claude/settings.json", {"CLAUDE_PROJECT_DIR": "/w/shop"}),
        ("/w/shop/.claude/settings.local.json", {"CLAUDE_PROJECT_DIR": "/w/shop"}),
    ],
)
def test_where_the_settings_call_asides_the_plugin_is_silent(
    plugin, state, tmp_path, registered, environment
):
    (state / "installed").mkdir()
    marker = state / "installed" / "claude-code"
    marker.write_text("/elsewhere/settings.json\n" + registered.format(home=tmp_path / "hôme") + "\n")
    assert run(plugin, tmp_path / "hôme", **environment) == (0, b"")
    assert not (state / "ran").exists()


def test_settings_of_another_project_do_not_silence_it(plugin, state, tmp_path):
    (state / "installed").mkdir()
    (state / "installed" / "claude-code").write_text("/w/other/.claude/settings.json\n")
    assert run(plugin, tmp_path / "hôme", CLAUDE_PROJECT_DIR="/w/shop") == (0, b"")
    assert (state / "ran").exists()
