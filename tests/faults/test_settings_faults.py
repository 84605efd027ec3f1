"""Installing on a hostile machine: whatever fails, the settings are whole, and uninstalling restores them."""

import multiprocessing
import os
import resource
import signal
import sys
import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from asides.agents.claude_code import settings_file
from asides.agents.claude_code.install import Did, Scope, install, uninstall
from asides.agents.claude_code.merge import Wanted
from asides.agents.claude_code.record import CannotKeep, marker_path
from asides.agents.claude_code.registration import EVENTS
from asides.agents.claude_code.settings_file import CannotWrite, ChangedMeanwhile
from asides.model.errors import Refused

BEFORE = '{\n\t"autoMemoryEnabled": true,\n\t"permissions": {"deny": ["Read(.env)"]}\n}'
NOBODY = 65534
KILLED = 9


def wanted(state, deny=("Edit(**/CLAUDE.md)", "Read(.env)")):
    commands = {e: ["/bin/sh", "-c", "guard", f"{state}/hook/hook.sh", "claude-code", e] for e in EVENTS}
    return Wanted(commands=commands, deny=deny, auto_memory_off=True)


def put(path, state, **more):
    return install(
        path,
        wanted(state, **more),
        state=state,
        scope=Scope.USER,
        now=lambda: datetime(2026, 11, 30, tzinfo=UTC),
    )


def take(path, state):
    return uninstall(path, state=state, scope=Scope.USER)


@pytest.fixture
def settings(tmp_path):
    path = tmp_path / "home" / "settings.json"
    path.parent.mkdir()
    path.write_text(BEFORE)
    return path


@contextmanager
def as_somebody_without_privileges():
    """Permissions do not bind root; the tests may run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder():
    """A folder that everybody reaches, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder


def test_a_read_only_folder_is_a_clear_error_and_nothing_is_left_behind(open_folder):
    home, state = open_folder / "home", open_folder / "state"
    with as_somebody_without_privileges():
        home.mkdir()
        (home / "settings.json").write_text(BEFORE)
        home.chmod(0o555)
        with pytest.raises(CannotWrite, match=r"Permission denied\. Nothing was changed\.") as caught:
            put(home / "settings.json", state)
        assert "folder writable" in caught.value.advice
        home.chmod(0o755)
    assert [p.name for p in home.iterdir()] == ["settings.json"]
    assert (home / "settings.json").read_text() == BEFORE
    assert list((state / "installed").iterdir()) == []


def test_a_read_only_file_is_not_replaced(open_folder):
    path = open_folder / "settings.json"
    with as_somebody_without_privileges():
        path.write_text(BEFORE)
        path.chmod(0o444)
        with pytest.raises(CannotWrite, match="read-only"):
            put(path, open_folder / "state")
    assert path.read_text() == BEFORE


def test_where_no_record_can_be_kept_the_settings_are_not_touched(settings, tmp_path):
    (tmp_path / "state").write_text("a file where the folder should be")
    before = settings.stat().st_mtime_ns
    with pytest.raises(CannotKeep, match="installed"):
        put(settings, tmp_path / "state")
    assert settings.read_text() == BEFORE
    assert settings.stat().st_mtime_ns == before


@pytest.mark.parametrize("room", [0, 10, 200, 4000])
def test_a_full_disk_leaves_the_settings_whole(settings, tmp_path, room):
    state = tmp_path / "state"
    old_limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    old_handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, old_limits[1]))
    try:
        with pytest.raises((CannotWrite, CannotKeep)):
            put(settings, state)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old_limits)
        signal.signal(signal.SIGXFSZ, old_handler)
    assert [p.name for p in settings.parent.iterdir()] == ["settings.json"]
    assert settings.read_text() == BEFORE
    assert not marker_path(state).exists()
    assert put(settings, state).did is Did.INSTALLED
    take(settings, state)
    assert settings.read_text() == BEFORE


def test_a_change_by_another_program_between_reading_and_writing_is_not_overwritten(settings):
    file = settings_file.read(settings)
    settings.write_text('{"model": "opus"}')
    with pytest.raises(ChangedMeanwhile):
        settings_file.write(file, "{}")
    with pytest.raises(ChangedMeanwhile):
        settings_file.delete(file)
    assert settings.read_text() == '{"model": "opus"}'
    assert [p.name for p in settings.parent.iterdir()] == ["settings.json"]


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to(path)])
def test_what_is_no_file_is_refused_at_once(tmp_path, make):
    path = tmp_path / "settings.json"
    make(path)
    with pytest.raises(Refused):
        put(path, tmp_path / "state")
    assert not (tmp_path / "state").exists()


def test_a_path_that_has_no_form_in_utf_8_is_refused(settings):
    with pytest.raises(Refused):
        put(settings, settings.parent / "state\udcff")
    assert settings.read_text() == BEFORE


def _die_at(step, work):
    """Runs `work` and leaves at once, without any clean-up, at its `step`th touch of the disk."""
    seen = 0

    def watch(event, args):
        nonlocal seen
        if event in ("os.rename", "os.remove", "os.mkdir", "os.rmdir") or (
            event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
        ):
            seen += 1
            if seen == step:
                os._exit(KILLED)

    sys.addaudithook(watch)
    work()
    os._exit(0)


def _killed_at_each_step(work, prepare, then):
    """Calls `then` after `work` was killed at its first step, its second, and so on to its end."""
    for step in range(1, 60):
        prepare()
        child = multiprocessing.get_context("fork").Process(target=_die_at, args=(step, work))
        child.start()
        child.join()
        then()
        if child.exitcode == 0:
            return step
        assert child.exitcode == KILLED
    raise AssertionError("the work never came to its end")


def test_killed_at_any_step_of_installing_uninstalling_restores_every_byte(settings, tmp_path):
    state = tmp_path / "state"

    def then():
        assert settings.read_text() == BEFORE or '"SessionEnd"' in settings.read_text()
        take(settings, state)
        assert settings.read_text() == BEFORE
        assert [p.name for p in settings.parent.iterdir()] == ["settings.json"]

    assert _killed_at_each_step(lambda: put(settings, state), lambda: None, then) > 5


def test_killed_at_any_step_of_changing_an_installation_uninstalling_restores_every_byte(settings, tmp_path):
    state = tmp_path / "state"

    def then():
        take(settings, state)
        assert settings.read_text() == BEFORE
        assert [p.name for p in settings.parent.iterdir()] == ["settings.json"]

    steps = _killed_at_each_step(lambda: put(settings, state, deny=()), lambda: put(settings, state), then)
    assert steps > 3


def test_killed_while_changing_then_edited_then_uninstalled_only_the_edit_stays(settings, tmp_path):
    state = tmp_path / "state"

    def then():
        put(settings, state, deny=())
        settings.write_text(settings.read_text().replace("{", '{"x": 1,', 1))
        take(settings, state)
        assert settings.read_text() == BEFORE.replace("{", '{"x": 1,', 1)
        settings.write_text(BEFORE)

    assert _killed_at_each_step(lambda: put(settings, state, deny=()), lambda: put(settings, state), then) > 3


def test_killed_at_any_step_of_uninstalling_a_second_try_restores_every_byte(settings, tmp_path):
    state = tmp_path / "state"

    def then():
        take(settings, state)
        assert settings.read_text() == BEFORE
        assert [p.name for p in settings.parent.iterdir()] == ["settings.json"]
        assert not marker_path(state).exists()

    assert _killed_at_each_step(lambda: take(settings, state), lambda: put(settings, state), then) > 3
