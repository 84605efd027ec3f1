"""What lies ready on disk for the hook (docs/protocols.md)."""

from __future__ import annotations

import errno
import json
import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from asides.deliver.prepare import (
    NotPrepared,
    Prepared,
    announcements_taken,
    prepare,
    ready_folder,
)
from asides.model.delivery import Occasion
from asides.model.entry import Kind
from asides.model.errors import Refused
from tests.support.entries import entry

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
KEY = "/home/dév/my shop/.git"
LAW = entry("never use axios")
OTHER = entry("keep it small", id="bbbbbbbbb")


@pytest.fixture
def ready(tmp_path):
    return tmp_path / "state" / "ready"


def prepared(ready: Path, *made, known=(), announce=(), now=NOW, key=KEY) -> Prepared:
    return prepare(
        made,
        key=key,
        agent="claude-code",
        ready=ready,
        known_versions=known,
        announce=announce,
        now=lambda: now,
    )


def lying(ready: Path) -> dict[str, str]:
    folder = ready_folder(ready, KEY, "claude-code")
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}


def context(content: str) -> str:
    assert content.endswith("\n")
    assert content.count("\n") == 1
    return json.loads(content)["hookSpecificOutput"]["additionalContext"]


def test_the_texts_lie_below_the_mirrored_path_of_the_project(ready):
    done = prepared(ready, LAW)
    folder = ready / "at" / "home" / "dév" / "my shop" / ".git" / "claude-code"
    assert sorted(done.files) == sorted(path.name for path in folder.iterdir())
    assert set(done.files) == {"start.json", "compact.json", "replace.json", "subagent.json", "version"}
    assert (folder / "version").read_text() == done.version + "\n"


def test_each_file_is_a_whole_answer_for_its_event(ready):
    done = prepared(ready, LAW)
    for occasion in Occasion:
        content = lying(ready)[f"{occasion}.json"]
        assert context(content) == done.texts[occasion]
        assert "never use axios" in context(content)
    event = json.loads(lying(ready)["subagent.json"])["hookSpecificOutput"]["hookEventName"]
    assert event == "SubagentStart"


def test_only_its_owner_may_read_what_is_ready(ready):
    umask = os.umask(0)
    try:
        prepared(ready, LAW)
    finally:
        os.umask(umask)
    for path in [ready, *ready.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def test_with_nothing_live_and_nobody_told_nothing_lies_ready(ready):
    done = prepared(ready, known=[""])
    assert (done.version, done.files, lying(ready)) == ("", (), {})


def test_what_no_longer_holds_is_removed(ready):
    prepared(ready, LAW, announce=[LAW])
    prepared(ready)
    assert lying(ready) == {}


def test_when_the_last_entry_goes_sessions_that_had_it_are_told_and_new_ones_get_nothing(ready):
    first = prepared(ready, LAW)
    done = prepared(ready, known=[first.version])
    assert set(done.files) == {"replace.json", "version"}
    assert "withdrawn" in context(lying(ready)["replace.json"])
    # The hook prints nothing without a version, and compares it with what the session holds.
    assert done.version not in ("", first.version)


def test_once_every_session_knows_that_nothing_stands_nothing_lies_ready(ready):
    first = prepared(ready, LAW)
    withdrawn = prepared(ready, known=[first.version])
    prepared(ready, known=[withdrawn.version])
    assert lying(ready) == {}


def test_a_loop_alone_gives_sub_agents_nothing(ready):
    assert "subagent.json" not in prepared(ready, entry(kind=Kind.LOOP)).files


@pytest.mark.parametrize(
    ("known", "there"),
    [((), False), (("VERSION",), True), (("VERSION", "old"), False), (("VERSION", ""), False)],
    ids=["no session is known", "all hold it", "one holds another", "one got nothing"],
)
def test_unchanged_lies_there_only_when_every_known_session_holds_this_version(ready, known, there):
    version = prepared(ready, LAW).version
    done = prepared(ready, LAW, known=[version if one == "VERSION" else one for one in known])
    assert ("unchanged" in done.files) is there
    assert ("unchanged" in lying(ready)) is there


def test_a_new_version_takes_unchanged_away(ready):
    version = prepared(ready, LAW).version
    prepared(ready, LAW, known=[version])
    prepared(ready, LAW, OTHER, known=[version])
    assert "unchanged" not in lying(ready)


def test_an_announcement_is_the_start_text_with_a_line_for_the_person(ready):
    prepared(ready, LAW, announce=[LAW])
    announced = json.loads(lying(ready)["announce.json"])
    assert (
        announced.pop("systemMessage")
        == 'kept 1: "never use axios" (aaaaaaaaa) · undo with: asides undo, or one with: asides refuse ID'
    )
    assert announced == json.loads(lying(ready)["start.json"])


def test_an_announcement_that_a_hook_took_is_not_laid_out_again_before_it_is_heard_of(ready):
    prepared(ready, LAW, announce=[LAW])
    folder = ready_folder(ready, KEY, "claude-code")
    (folder / "announce.json").rename(folder / "announce.4242")
    prepared(ready, LAW, announce=[LAW])
    assert "announce.json" not in lying(ready)
    prepared(ready, LAW, OTHER, announce=[LAW, OTHER])
    assert "announce.json" in lying(ready)


def test_an_announcement_that_was_taken_by_a_hook_that_died_is_laid_out_again_later(ready):
    prepared(ready, LAW, announce=[LAW], now=datetime.now(UTC))
    folder = ready_folder(ready, KEY, "claude-code")
    (folder / "announce.json").rename(folder / "announce.4242")
    prepared(ready, LAW, announce=[LAW], now=datetime.now(UTC) + timedelta(minutes=50))
    assert "announce.json" not in lying(ready)
    prepared(ready, LAW, announce=[LAW], now=datetime.now(UTC) + timedelta(minutes=70))
    assert "announce.json" in lying(ready)


def taken(ready: Path) -> tuple[str, ...]:
    return announcements_taken(ready, key=KEY, agent="claude-code")


def test_what_a_hook_took_tells_of_which_entries_although_another_set_has_the_same_version(ready):
    one = prepared(ready, LAW, announce=[LAW])
    assert taken(ready) == ()
    folder = ready_folder(ready, KEY, "claude-code")
    (folder / "announce.json").rename(folder / "announce.4242")
    both = prepared(ready, LAW, announce=[LAW, OTHER])
    assert one.version == both.version
    assert taken(ready) == (one.announcement,)
    assert (one.announced, both.announced) == ((LAW.id,), (LAW.id, OTHER.id))
    (folder / "announce.json").rename(folder / "announce.4243")
    assert set(taken(ready)) == {one.announcement, both.announcement}
    assert prepared(ready, LAW, announce=[LAW]).announcement == one.announcement


def test_without_an_announcement_there_is_no_digest(ready):
    assert (prepared(ready, LAW).announcement, prepared(ready, LAW).announced) == ("", ())
    assert prepared(ready, announce=[LAW]).announcement == ""
    assert announcements_taken(ready, key="/elsewhere", agent="claude-code") == ()


def test_entries_for_which_the_line_has_no_room_are_not_among_the_announced(ready):
    made = [entry(f"rule {n} " + "x" * 90, id=f"aaaaaaaa{n}") for n in range(9)]
    done = prepared(ready, *made, announce=made)
    line = json.loads(lying(ready)["announce.json"])["systemMessage"]
    assert 0 < len(done.announced) < 9
    assert [one.id for one in made if one.id in line] == list(done.announced)
    assert f"and {9 - len(done.announced)} more" in line


def test_what_a_hook_took_or_a_killed_writer_left_is_cleared_away_later(ready):
    prepared(ready, LAW, announce=[LAW])
    folder = ready_folder(ready, KEY, "claude-code")
    (folder / "announce.json").rename(folder / "announce.4242")
    (folder / ".start.json.4242").touch()
    prepared(ready, LAW, now=datetime.now(UTC))
    assert {"announce.4242", ".start.json.4242"} <= lying(ready).keys()
    done = prepared(ready, LAW, now=datetime.now(UTC) + timedelta(days=2))
    assert lying(ready).keys() == set(done.files)


def test_a_folder_that_may_not_be_written_is_unavailable_not_a_crash(ready):
    ready.parent.mkdir()
    ready.write_text("a file where the folder should be")
    with pytest.raises(NotPrepared) as caught:
        prepared(ready, LAW)
    assert caught.value.exit_code == 4


def test_preparing_the_same_again_touches_no_file(ready):
    first = prepared(ready, LAW)
    folder = ready_folder(ready, KEY, "claude-code")
    before = {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in folder.iterdir()}
    assert prepared(ready, LAW) == first
    assert {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in folder.iterdir()} == before


@pytest.mark.parametrize("after", range(6))
def test_a_full_disk_at_any_write_leaves_the_old_texts_whole(ready, monkeypatch, after):
    prepared(ready, LAW)
    before = lying(ready)
    left = [after]
    write = os.fdopen

    def failing(handle, mode):
        if not left[0]:
            os.close(handle)
            raise OSError(errno.ENOSPC, "No space left on device")
        left[0] -= 1
        return write(handle, mode)

    monkeypatch.setattr("asides.deliver.prepare.os.fdopen", failing)
    if after < 5:
        with pytest.raises(NotPrepared, match="No space"):
            prepared(ready, OTHER)
        assert lying(ready) == before
    else:
        prepared(ready, OTHER)
        assert lying(ready) != before


@pytest.mark.parametrize("after", range(8))
def test_whatever_moment_a_hook_looks_it_never_notes_a_newer_version_than_it_prints(
    ready, monkeypatch, after
):
    old = prepared(ready, LAW)
    prepared(ready, LAW, known=[old.version])
    old_files = lying(ready)
    left = [after]
    replacing = Path.replace

    def stopping(path, target):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return replacing(path, target)

    monkeypatch.setattr(Path, "replace", stopping)
    try:
        new = prepared(ready, OTHER, known=[old.version])
    except KeyboardInterrupt:
        new = None
    files = lying(ready)
    if files["version"] != old_files["version"]:
        assert new is not None
        assert all("keep it small" in files[f"{one}.json"] for one in Occasion)
    assert "unchanged" not in files
    assert all(context(files[f"{one}.json"]) for one in Occasion)
    assert not [name for name in files if name.startswith(".")]


@pytest.mark.parametrize("key", ["", "shop/.git", "/home/../etc", "/home/..", "../x", "/a\0b"])
def test_a_key_that_could_lead_elsewhere_is_refused(ready, key):
    with pytest.raises(Refused):
        prepared(ready, LAW, key=key)
    assert not ready.exists()


@pytest.mark.parametrize("agent", ["", "../x", "a/b", "a.b"])
def test_an_agent_that_is_no_plain_name_is_refused(ready, agent):
    with pytest.raises(Refused):
        ready_folder(ready, KEY, agent)


def test_a_folder_name_that_is_no_text_is_mirrored_byte_for_byte(ready):
    key = os.fsdecode(b"/home/dev/sh\xffp")
    prepared(ready, LAW, key=key)
    assert os.fsencode(next((ready / "at/home/dev").iterdir()).name) == b"sh\xffp"
