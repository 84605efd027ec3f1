"""Installing into real settings files, as a person meets it."""

import json
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from asides.agents.claude_code.install import Did, Scope, inspect, install, settings_path, uninstall
from asides.agents.claude_code.merge import Wanted
from asides.agents.claude_code.record import marker_path, record_path
from asides.agents.claude_code.registration import EVENTS, GUARDED, WATCHED, WRITERS
from asides.model.errors import NotPlainJson, Refused

FOREIGN = """{
  // no comment in the real one
  "model": "opus",
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "say done"}]}
    ]
  },
  "permissions": {"allow": ["Bash(ls *)"], "deny": ["Read(.env)"]},
  "someKeyOfTomorrow": {"b": 1, "a": 2}
}
""".replace("  // no comment in the real one\n", "")


@pytest.fixture
def state(tmp_path):
    return tmp_path / "état of things" / "state"


@pytest.fixture
def settings(tmp_path):
    path = tmp_path / "home" / ".claude" / "settings.json"
    path.parent.mkdir(parents=True)
    return path


def wanted(state, **more):
    commands = {
        event: ["/bin/sh", "-c", "guard", f"{state}/hook/hook.sh", "claude-code", event] for event in EVENTS
    }
    return Wanted(commands=commands, **more)


def now():
    return datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


def put(path, state, *, scope=Scope.USER, dry_run=False, **more):
    return install(path, wanted(state, **more), state=state, scope=scope, now=now, dry_run=dry_run)


def take(path, state, *, scope=Scope.USER, dry_run=False):
    return uninstall(path, state=state, scope=scope, dry_run=dry_run)


def tree(folder):
    """Every file and folder below, with its bytes and its permissions."""
    return {
        str(p.relative_to(folder)): (stat.S_IMODE(p.lstat().st_mode), p.read_bytes() if p.is_file() else b"")
        for p in folder.rglob("*")
    }


def test_the_report_says_what_the_file_holds_by_reading_it_again(settings, state):
    settings.write_text(FOREIGN)
    report = put(settings, state, deny=("Edit(**/CLAUDE.md)",), auto_memory_off=True)
    held = json.loads(settings.read_text())
    assert report.did is Did.INSTALLED
    assert report.there == inspect(settings)
    assert (
        [hook.event for hook in report.there.hooks]
        == list(held["hooks"])
        == ["Stop", *[e for e in EVENTS if e != "Stop"]]
    )
    assert report.there.deny == ("Read(.env)", "Edit(**/CLAUDE.md)")
    assert report.there.auto_memory is False
    assert held["hooks"]["SessionStart"] == [
        {
            "hooks": [
                {
                    "type": "command",
                    "command": "/bin/sh",
                    "args": ["-c", "guard", f"{state}/hook/hook.sh", "claude-code", "SessionStart"],
                    "timeout": 10,
                }
            ]
        }
    ]
    assert held["hooks"]["PreToolUse"][0]["matcher"] == WATCHED
    assert held["hooks"]["PostToolUse"][0]["matcher"] == WRITERS


def test_the_file_reads_as_its_author_would_have_written_it(settings, state):
    settings.write_text('{\n    "model": "opus",\n    "hooks": {}\n}\n')
    one = Wanted(commands={"Stop": ["/bin/sh", "-c", "g", "/s/hook/hook.sh", "claude-code", "Stop"]})
    install(settings, one, state=state, scope=Scope.USER, now=now)
    assert (
        settings.read_text()
        == """{
    "model": "opus",
    "hooks": {
        "Stop": [
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": "/bin/sh",
                        "args": [
                            "-c",
                            "g",
                            "/s/hook/hook.sh",
                            "claude-code",
                            "Stop"
                        ],
                        "timeout": 10
                    }
                ]
            }
        ]
    }
}
"""
    )


def as_installed_before_there_were_cues(settings):
    """Turns the settings into those of an older version, which did not look at files that are opened."""
    text = settings.read_text()
    older = text.replace(WATCHED, GUARDED)
    assert older != text
    settings.write_text(older)


def test_an_installation_of_an_older_version_is_renewed(settings, state):
    settings.write_text(FOREIGN)
    put(settings, state)
    new = settings.read_bytes()
    as_installed_before_there_were_cues(settings)
    assert put(settings, state).did is Did.UPDATED
    assert settings.read_bytes() == new


def test_an_installation_of_an_older_version_is_removed_whole(settings, state):
    settings.write_text(FOREIGN)
    put(settings, state)
    as_installed_before_there_were_cues(settings)
    take(settings, state)
    assert settings.read_text() == FOREIGN


def test_b_260_after_uninstall_every_byte_and_mode_is_as_before(settings, state):
    settings.write_text(FOREIGN.replace('"model"', '"autoMemoryEnabled": true,\n  "model"'))
    settings.chmod(0o640)
    before = tree(settings.parent.parent)
    put(settings, state, deny=("Edit(**/CLAUDE.md)",), auto_memory_off=True)
    assert tree(settings.parent.parent) != before
    report = take(settings, state)
    assert report.did is Did.REMOVED
    assert report.there.auto_memory is True
    assert tree(settings.parent.parent) == before


def test_b_260_auto_memory_comes_back_although_the_file_was_edited_meanwhile(settings, state):
    settings.write_text('{"autoMemoryEnabled": true, "model": "opus"}')
    put(settings, state, auto_memory_off=True)
    settings.write_text(settings.read_text().replace("opus", "sonnet"))
    take(settings, state)
    assert settings.read_text() == '{"autoMemoryEnabled": true, "model": "sonnet"}'


def test_b_260_auto_memory_that_was_off_already_stays_off(settings, state):
    settings.write_text('{"autoMemoryEnabled": false}')
    put(settings, state, auto_memory_off=True)
    settings.write_text(settings.read_text().replace("{", '{"x": 1, ', 1))
    take(settings, state)
    assert json.loads(settings.read_text()) == {"x": 1, "autoMemoryEnabled": False}


def test_b_261_after_uninstall_no_entry_names_the_hook_and_the_kept_files_are_untouched(settings, state):
    hook = state / "hook" / "hook.sh"
    hook.parent.mkdir(parents=True)
    hook.write_text("# the hook")
    settings.write_text(FOREIGN)
    put(settings, state)
    take(settings, state)
    assert "hook.sh" not in settings.read_text()
    assert hook.read_text() == "# the hook"
    assert list((state / "installed").iterdir()) == []


def test_b_261_an_older_or_moved_installation_is_replaced_not_doubled(settings, state, tmp_path):
    settings.write_text(FOREIGN)
    put(settings, tmp_path / "old")
    report = put(settings, state)
    assert report.did is Did.UPDATED
    assert len(report.there.hooks) == len(EVENTS)
    assert all(str(state) in hook.command[3] for hook in report.there.hooks)


def test_b_262_an_open_reader_of_the_settings_hinders_nothing_and_sees_one_whole_text(settings, state):
    settings.write_text(FOREIGN)
    with settings.open() as reader:
        put(settings, state)
        take(settings, state)
        assert reader.read() == FOREIGN
    assert settings.read_text() == FOREIGN


def test_b_255_a_file_with_comments_is_refused_with_the_place_and_not_touched(settings, state):
    settings.write_text('{\n  // mine\n  "model": "opus",\n}\n')
    before = settings.stat()
    with pytest.raises(NotPlainJson, match=r"a comment at line 2, column 3") as caught:
        put(settings, state)
    assert str(settings) in caught.value.advice
    assert settings.stat().st_mtime_ns == before.st_mtime_ns
    assert settings.stat().st_ino == before.st_ino
    assert tree(state) == {}


def test_b_255_a_malformed_hook_of_others_is_reported_and_kept(settings, state):
    settings.write_text(
        '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x", "timeout": "5"}]}]}}'
    )
    report = put(settings, state)
    assert "hooks.Stop[0].hooks[0] has a timeout that is not a number above 0" in report.notes[0]
    assert json.loads(settings.read_text())["hooks"]["Stop"][0]["hooks"][0]["timeout"] == "5"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1,}', "a trailing comma at line 1, column 8"),
        ("{'a': 1}", "a key without double quotes at line 1, column 2"),
        ('{"a": 1\n "b": 2}', "no comma between members at line 2, column 2"),
        ('{"a": NaN}', "something that is no value at line 1, column 7"),
        ('{"a": 1, "a": 2}', 'the key "a" for the second time at line 1, column 10'),
        ('{"a": "x\ny"}', "a string that is not closed or holds a bad character at line 1, column 7"),
        ('{"a": [1, 2]', "the file ends too early at line 1, column 13"),
        ('{"a": 1} {}', "text behind the end at line 1, column 10"),
        ('\ufeff{"a": }', "something that is no value at line 1, column 7"),
        ("[" * 300 + "]" * 300, "more than 200 levels at line 1, column 201"),
        ('{"a": 1 /* one */}', "a comment at line 1, column 9"),
    ],
)
def test_what_is_not_plain_json_is_refused_by_line_and_column(settings, state, text, why):
    settings.write_text(text, newline="")
    for attempt in (put, take):
        with pytest.raises(NotPlainJson) as caught:
            attempt(settings, state)
        assert caught.value.sentence == f"{settings} is not plain JSON: {why}. Nothing was changed."
    assert settings.read_text() == text


def test_a_file_that_is_not_utf_8_is_refused(settings, state):
    settings.write_bytes(b'{"a": "\xe9"}')
    with pytest.raises(NotPlainJson, match="byte 8 is not UTF-8"):
        put(settings, state)
    assert settings.read_bytes() == b'{"a": "\xe9"}'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[]", "the whole file is a list, not an object"),
        ('{"hooks": []}', "hooks is a list, not an object"),
        ('{"hooks": null}', "hooks is null, not an object"),
        ('{"hooks": {"Stop": {}}}', "hooks.Stop is an object, not a list"),
        ('{"permissions": {"deny": "Read(.env)"}}', "permissions.deny is a text, not a list"),
        ('{"permissions": 7}', "permissions is a number, not an object"),
    ],
)
def test_a_place_of_another_type_is_refused_by_name_and_nothing_changes(settings, state, text, sentence):
    settings.write_text(text)
    before = settings.stat().st_mtime_ns
    with pytest.raises(Refused, match=sentence):
        put(settings, state, deny=("Edit(**/CLAUDE.md)",))
    assert settings.read_text() == text
    assert settings.stat().st_mtime_ns == before


def test_an_event_the_oldest_client_does_not_know_is_never_registered(settings, state):
    with pytest.raises(Refused, match="DirectoryAdded"):
        install(settings, Wanted(commands={"DirectoryAdded": ["x"]}), state=state, scope=Scope.USER, now=now)
    assert not settings.exists()


def test_a_repeated_install_writes_nothing(settings, state):
    settings.write_text(FOREIGN)
    put(settings, state, deny=("Edit(**/CLAUDE.md)",), auto_memory_off=True)
    before, kept = settings.stat(), tree(state)
    report = put(settings, state, deny=("Edit(**/CLAUDE.md)",), auto_memory_off=True)
    assert report.did is Did.UNCHANGED
    assert report.diff == ""
    assert (settings.stat().st_mtime_ns, settings.stat().st_ino) == (before.st_mtime_ns, before.st_ino)
    assert tree(state) == kept


def test_a_dry_run_shows_the_change_and_makes_none(settings, state):
    settings.write_text('{\n  "model": "opus"\n}')
    report = put(settings, state, dry_run=True, auto_memory_off=True)
    assert report.dry_run
    assert report.diff.startswith(f"--- {settings}\n+++ {settings}\n@@ -1,3 +1,")
    assert '+  "autoMemoryEnabled": false' in report.diff
    assert "\\ No newline at end of file" in report.diff
    assert report.there.hooks == ()
    assert settings.read_text() == '{\n  "model": "opus"\n}'
    assert not state.exists()


def test_a_file_that_did_not_exist_is_gone_again_with_the_folders_made_for_it(tmp_path, state):
    path = tmp_path / "shop" / ".claude" / "settings.local.json"
    report = put(path, state, scope=Scope.LOCAL)
    assert report.there.exists
    assert path.read_text().endswith("}\n")
    assert take(path, state).did is Did.REMOVED
    assert not (tmp_path / "shop").exists()


def test_a_file_that_we_made_stays_when_others_wrote_into_it(tmp_path, state):
    path = tmp_path / ".claude" / "settings.json"
    put(path, state)
    held = json.loads(path.read_text())
    path.write_text(json.dumps({"enabledPlugins": {"x@y": True}, **held}, indent=2))
    take(path, state)
    assert json.loads(path.read_text()) == {"enabledPlugins": {"x@y": True}}


def test_what_was_added_to_our_own_group_stays_when_we_leave(settings, state):
    put(settings, state)
    held = json.loads(settings.read_text())
    held["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "say done"})
    settings.write_text(json.dumps(held))
    take(settings, state)
    assert json.loads(settings.read_text()) == {
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}
    }


def test_a_rule_that_the_person_had_already_is_not_taken_along(settings, state):
    settings.write_text('{"permissions": {"deny": ["Edit(**/CLAUDE.md)"]}}')
    put(settings, state, deny=("Edit(**/CLAUDE.md)", "Edit(**/AGENTS.md)"))
    settings.write_text(settings.read_text() + "\n")
    take(settings, state)
    assert settings.read_text() == '{"permissions": {"deny": ["Edit(**/CLAUDE.md)"]}}\n'


def test_a_milder_mode_takes_the_rules_of_the_stricter_one_away(settings, state):
    settings.write_text(FOREIGN)
    put(settings, state, deny=("Edit(**/CLAUDE.md)",), auto_memory_off=True)
    report = put(settings, state, ask=("Edit(**/CLAUDE.md)",))
    assert report.did is Did.UPDATED
    assert (report.there.deny, report.there.ask) == (("Read(.env)",), ("Edit(**/CLAUDE.md)",))
    assert report.there.auto_memory is None
    take(settings, state)
    assert settings.read_text() == FOREIGN


def test_without_a_record_the_report_says_what_was_left(settings, state):
    put(settings, state, deny=("Edit(**/CLAUDE.md)",), auto_memory_off=True)
    record_path(state, settings).unlink()
    report = take(settings, state)
    assert report.there.hooks == ()
    assert report.there.deny == ("Edit(**/CLAUDE.md)",)
    assert [note.split(": ")[1] for note in report.notes] == [
        "permissions.deny were left as they are.",
        "autoMemoryEnabled was left at false.",
    ]


def test_uninstalling_where_nothing_is_installed_touches_nothing(settings, state):
    assert take(settings, state).did is Did.NOT_INSTALLED
    settings.write_text(FOREIGN)
    before = settings.stat().st_mtime_ns
    assert take(settings, state).did is Did.NOT_INSTALLED
    assert settings.stat().st_mtime_ns == before


def test_a_symbolic_link_stays_one_and_its_target_is_written(settings, state, tmp_path):
    target = tmp_path / "dotfiles" / "claude.json"
    target.parent.mkdir()
    target.write_text(FOREIGN)
    settings.symlink_to(target)
    put(settings, state)
    assert settings.is_symlink()
    assert len(inspect(target).hooks) == len(EVENTS)
    take(settings, state)
    assert settings.is_symlink()
    assert target.read_text() == FOREIGN


def test_a_link_to_nothing_becomes_a_file_at_its_target_and_goes_again(settings, state, tmp_path):
    target = tmp_path / "dotfiles" / "claude.json"
    settings.symlink_to(target)
    put(settings, state)
    assert target.is_file()
    take(settings, state)
    assert settings.is_symlink()
    assert not target.parent.exists()


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664])
def test_permissions_of_the_file_are_kept(settings, state, mode):
    settings.write_text("{}")
    settings.chmod(mode)
    put(settings, state)
    assert stat.S_IMODE(settings.stat().st_mode) == mode


def test_a_new_user_file_and_every_record_are_private(settings, state):
    put(settings, state)
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    assert stat.S_IMODE(record_path(state, settings).stat().st_mode) == 0o600


def test_windows_line_ends_and_a_byte_order_mark_are_kept(settings, state):
    text = "\ufeff" + FOREIGN.replace("\n", "\r\n")
    settings.write_text(text, newline="")
    put(settings, state, auto_memory_off=True)
    raw = settings.read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf{\r\n")
    assert raw.count(b"\n") == raw.count(b"\r\n")
    take(settings, state)
    assert settings.read_bytes() == text.encode()


def test_the_project_scope_warns_of_paths_of_this_machine(tmp_path, state):
    assert any("scope local" in note for note in put(tmp_path / "s.json", state, scope=Scope.PROJECT).notes)
    assert put(tmp_path / "t.json", state, scope=Scope.LOCAL).notes == ()


def test_looking_at_a_file_that_is_not_plain_json_names_the_place(settings):
    settings.write_text("{,}")
    with pytest.raises(NotPlainJson, match="line 1, column 2"):
        inspect(settings)


def test_a_folder_made_for_the_file_stays_when_others_use_it(tmp_path, state):
    path = tmp_path / "shop" / ".claude" / "settings.json"
    put(path, state)
    (path.parent / "agents").mkdir()
    take(path, state)
    assert [p.name for p in path.parent.iterdir()] == ["agents"]


def test_a_moved_memory_folder_is_reported(settings):
    settings.write_text('{"autoMemoryDirectory": "~/notes"}')
    assert inspect(settings).memory_directory == "~/notes"


def test_every_event_is_one_the_oldest_client_knows():
    """The list in that client's own error text (integration contract, section 1.1)."""
    known = """PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit
        UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact
        PostCompact PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted
        Elicitation ElicitationResult ConfigChange InstructionsLoaded CwdChanged FileChanged MessageDisplay"""
    assert set(EVENTS) <= set(known.split())


def test_switched_off_hooks_are_reported(settings, state):
    settings.write_text('{"disableAllHooks": true}')
    assert "disableAllHooks" in put(settings, state).notes[0]


def test_the_marker_names_every_settings_file_that_calls_asides(settings, state, tmp_path):
    other = tmp_path / "shop" / ".claude" / "settings.json"
    put(settings, state)
    put(other, state, scope=Scope.PROJECT)
    assert marker_path(state).read_text() == f"{settings}\n{other}\n"
    take(settings, state)
    assert marker_path(state).read_text() == f"{other}\n"
    take(other, state, scope=Scope.PROJECT)
    assert not marker_path(state).exists()


def test_each_scope_has_its_file():
    config, root = Path("/h/.claude"), Path("/h/shop")
    assert [str(settings_path(scope, config=config, root=root)) for scope in Scope] == [
        "/h/.claude/settings.json",
        "/h/shop/.claude/settings.json",
        "/h/shop/.claude/settings.local.json",
    ]


def test_a_damaged_record_is_named_and_does_not_keep_us_from_leaving(settings, state):
    settings.write_text(FOREIGN)
    put(settings, state)
    record_path(state, settings).write_bytes(b"\0")
    report = take(settings, state)
    assert "cannot be read" in report.notes[0]
    assert json.loads(settings.read_text()) == json.loads(FOREIGN)
    assert list((state / "installed").iterdir()) == []
