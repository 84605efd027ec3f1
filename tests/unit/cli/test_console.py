"""Commands as a person types them: whole screens, in a project of their own."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import click

from tests.support.console import RUN, Console


def test_an_entry_is_added_changed_and_taken_back(console: Console) -> None:
    console.session("""
$ asides list
No entries yet.
$ asides add "never squash migrations"
ID  law, live
  “never squash migrations”
  said DATE by a person, about general, written by hand
$ asides list
ID  law        never squash migrations
$ asides undo
undid operation 1 (keep): ID is gone: never squash migrations
Take it back with: asides undo --operation 2
$ asides list
No entries yet.
$ asides log
   2  DATE  undo      ID  never squash migrations  (undoes operation 1)
   1  DATE  keep      ID  never squash migrations  [undone]
$ asides undo --operation 2
redid what operation 2 had undone: ID is live: never squash migrations
Take it back with: asides undo --operation 3
$ asides list
ID  law        never squash migrations
""")


def test_an_unknown_id_says_so_with_a_hint_and_exit_code_3(console: Console) -> None:
    done = console.run("show", "zzz")
    assert done.returncode == 3
    assert done.stderr.splitlines() == [
        "asides: No entry zzz in this project.",
        "  See the ids with `asides list --all`.",
    ]


def test_a_usage_error_never_leaves_with_2_which_agents_take_for_an_order_to_block(console: Console) -> None:
    assert console.run("list", "--no-such-option").returncode == 1
    assert console.run("no-such-command").returncode == 1


def test_outside_any_project_the_command_says_where_to_go(console: Console, tmp_path: Path) -> None:
    done = subprocess.run(
        [*RUN, "list"],
        cwd="/tmp",
        env={**os.environ, "ASIDES_HOME": str(tmp_path / "a")},
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 3
    assert "not inside a project" in done.stderr
    assert "--project PATH" in done.stderr


def test_a_refused_entry_is_gone_until_a_person_restores_it(console: Console) -> None:
    added = console.json("add", "use tabs")
    assert isinstance(added, dict)
    refused = console.json("refuse", str(added["id"]), "--why", "said in jest")
    assert isinstance(refused, dict)
    assert (refused["standing"], refused["note"]) == ("refused", "said in jest")
    assert console.json("list") == []
    restored = console.json("restore", str(added["id"])[:4])
    assert isinstance(restored, dict)
    assert restored["standing"] == "live"


def test_what_a_person_adds_is_ready_for_the_next_session_at_once_without_a_daemon(console: Console) -> None:
    console.json("add", "env vars only in config.py", "--kind", "law")
    ready = list(console.folder.parent.joinpath("asides").rglob("start.json"))
    assert len(ready) == 1
    assert "env vars only in config.py" in ready[0].read_text("utf-8")
    assert not (console.folder.parent / "asides" / "state" / "run" / "alive").exists()


def test_why_tells_the_story_of_an_entry_from_stored_facts(console: Console) -> None:
    added = console.json("add", "never squash migrations")
    assert isinstance(added, dict)
    console.json("edit", str(added["id"]), "never squash or rename migrations")
    story = console.json("why", str(added["id"]))
    assert isinstance(story, dict)
    assert [change["act"] for change in story["changes"]] == ["keep", "edit"]
    assert story["drafts"] == []
    assert "written by hand" in console.run("why", str(added["id"])).stdout


def test_several_undos_name_each_act_and_what_its_entry_is_now(console: Console) -> None:
    added = console.json("add", "never squash migrations")
    assert isinstance(added, dict)
    console.json("edit", str(added["id"]), "never", "squash", "or", "rename", "migrations")
    console.json("retire", str(added["id"]))
    undone = console.json("undo", "2")
    assert isinstance(undone, list)
    assert [(each["act"], each["undid"], each["standing"], each["body"]) for each in undone] == [
        ("retire", 3, "live", "never squash or rename migrations"),
        ("edit", 2, "live", "never squash migrations"),
    ]
    assert console.run("undo", "1", "--operation", "1").returncode == 1
    assert console.run("undo", "--operation", "99").returncode == 3


def test_words_need_no_quotes_and_must_be_there(console: Console) -> None:
    added = console.json("add", "never", "squash", "migrations")
    assert isinstance(added, dict)
    assert added["body"] == "never squash migrations"
    for words in (("add",), ("add", " "), ("edit", added["id"]), ("edit", added["id"], "")):
        done = console.run(*words)
        assert done.returncode == 1, words
        assert "No words were given" in done.stderr
    for words in (
        ("add", "<private>all of it</private>"),
        ("add", "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"),
    ):
        done = console.run(*words)
        assert done.returncode == 1, words
        assert "secrets and private parts" in done.stderr
    assert len(console.json("list")) == 1  # type: ignore[arg-type]


def test_of_long_words_only_the_beginning_is_delivered_and_that_is_said(console: Console) -> None:
    assert "first 400 characters" in console.run("add", "word " * 81).stdout
    assert "first 400 characters" not in console.run("add", "other " * 60).stdout


def test_several_entries_are_retired_at_once_or_none_when_one_is_unknown(console: Console) -> None:
    ids = []
    for words in ("never squash migrations", "use tabs", "env vars only in config.py"):
        added = console.json("add", words)
        assert isinstance(added, dict)
        ids.append(str(added["id"]))
    assert console.run("retire", ids[0], "zzz").returncode == 3
    assert len(console.json("list")) == 3  # type: ignore[arg-type]
    retired = console.json("retire", ids[0], ids[1], ids[1], "--why", "the move is done")
    assert isinstance(retired, list)
    assert [(each["id"], each["standing"]) for each in retired] == [(ids[0], "retired"), (ids[1], "retired")]
    assert len(console.json("list")) == 1  # type: ignore[arg-type]


def test_an_empty_id_is_named_as_such_and_never_fits_the_only_entry(console: Console) -> None:
    console.json("add", "never squash migrations")
    for command in ("show", "why", "retire", "confirm"):
        done = console.run(command, "")
        assert done.returncode == 1, command
        assert "id of an entry is empty" in done.stderr


def test_where_nothing_was_kept_log_and_export_say_so(console: Console) -> None:
    assert console.run("log").stdout == "Nothing yet.\n"
    assert console.run("export").stdout == "Nothing yet.\n"
    assert console.json("export") == []


def test_export_prints_markdown_by_kind_and_json_on_request(console: Console) -> None:
    console.json("add", "never squash migrations", "--kind", "law")
    console.json("add", "the importer hangs on empty files", "--kind", "hazard")
    shown = console.run("export").stdout
    assert shown.index("## law") < shown.index("never squash migrations") < shown.index("## hazard")
    exported = console.json("export")
    assert isinstance(exported, list)
    assert {entry["kind"] for entry in exported} == {"law", "hazard"}


def test_ids_complete_in_the_shell(console: Console) -> None:
    added = console.json("add", "never squash migrations")
    assert isinstance(added, dict)
    start = str(added["id"])[:2]
    done = subprocess.run(
        RUN,
        cwd=console.folder,
        env={
            **console.environment,
            "_ASIDES_COMPLETE": "bash_complete",
            "COMP_WORDS": f"asides show {start}",
            "COMP_CWORD": "2",
        },
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert f"plain,{added['id']}" in done.stdout
    assert "complete" in console.run("completion", "bash").stdout


def test_every_command_has_a_manual_line_and_the_promised_json(console: Console) -> None:
    from asides.cli.main import COMMANDS, cli

    without = {"completion"}
    for name in COMMANDS:
        command = cli.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        assert command.help
        assert not command.help.splitlines()[0].endswith(".")
        if name not in without:
            each = command.commands.values() if isinstance(command, click.Group) else [command]
            assert all("as_json" in {parameter.name for parameter in one.params} for one in each), name


def test_status_names_what_is_wrong_with_a_command_that_exists(console: Console) -> None:
    from asides.cli.main import COMMANDS

    found = console.json("status")
    assert isinstance(found, dict)
    assert found["problems"] == ["asides is not installed into any agent. Run `asides install claude-code`."]
    for command in re.findall(r"`asides (\w+)", " ".join(found["problems"])):
        assert command in COMMANDS


def test_paths_names_every_place_below_the_home(console: Console) -> None:
    found = console.json("paths")
    assert isinstance(found, dict)
    assert all(path.startswith(str(console.folder.parent / "asides")) for path in found.values())


def test_a_typo_in_the_settings_is_named_by_status_and_blocks_no_other_command(console: Console) -> None:
    file = console.folder.parent / "asides" / "config" / "settings.toml"
    file.parent.mkdir(parents=True)
    file.write_text('guard = "sometimes"\n', "utf-8")
    console.json("add", "never squash migrations")
    assert "never squash migrations" in console.run("list").stdout
    found = console.json("status")
    assert isinstance(found, dict)
    assert "off, audit, ask, deny" in found["problems"][0]


def test_a_daemon_that_cannot_work_is_said_at_once_with_its_reason(console: Console) -> None:
    home = console.folder.parent / "asides"
    file = home / "config" / "settings.toml"
    file.parent.mkdir(parents=True)
    file.write_text('guard = "sometimes"\n', "utf-8")
    done = console.run("daemon", "start")
    assert done.returncode == 4
    assert f"No daemon can work: {file}: guard is 'sometimes'" in done.stderr
    assert ".." not in done.stderr
    assert (home / "state" / "run" / "refused").exists()
    shown = console.run("status").stdout
    assert shown.count("sometimes") == 1
    file.write_text('guard = "ask"\n', "utf-8")
    mended = console.run("status").stdout
    assert "sometimes" not in mended
    assert "No daemon works" not in mended


def test_what_a_person_adds_goes_through_the_same_gateway_as_everything_else(console: Console) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    added = console.json("add", f"the deploy token is {token}\x1b[31m")
    assert isinstance(added, dict)
    assert token not in added["body"]
    assert "\x1b" not in added["body"]
    console.json("retire", str(added["id"]), "--why", f"it was {token}")
    home = console.folder.parent / "asides"
    assert not [path for path in home.rglob("*") if path.is_file() and token.encode() in path.read_bytes()]


def test_the_rehearsal_leaves_a_repository_that_the_environment_names_alone(
    console: Console, tmp_path: Path
) -> None:
    head = console.folder / ".git" / "HEAD"
    before = sorted((path, path.stat().st_mtime_ns) for path in (console.folder / ".git").rglob("*"))
    done = subprocess.run(
        [*RUN, "try", "--json"],
        cwd=console.folder,
        env={**os.environ, "GIT_DIR": str(head.parent), "GIT_WORK_TREE": str(console.folder)},
        text=True,
        capture_output=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert len(told["turns"]) == 8
    assert told["hook_runs"] == 22
    assert sorted((path, path.stat().st_mtime_ns) for path in (console.folder / ".git").rglob("*")) == before
    assert not list(Path(os.environ["HOME"]).iterdir())


def test_the_list_says_which_entries_the_next_session_will_not_get(console: Console) -> None:
    for number in range(10):
        console.json("add", f"rule number {number} is never broken")
    shown = console.run("list").stdout.splitlines()
    assert sum("does not fit" in line for line in shown) == 2
    entries = console.json("list")
    assert isinstance(entries, list)
    assert sorted({entry["left_out"] for entry in entries}) == ["", "count"]
