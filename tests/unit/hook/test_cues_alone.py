"""The cues live without asides, import next to nothing, and keep one account for hooks that run at once."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from asides.hook.cues.account import Account, Unnamed, digest
from asides.hook.place import place
from tests.support.cuetables import COMMIT, MIGRATION, SESSION, Agent, at, forbids, table

PLAIN = getattr(sys, "_base_executable", sys.executable)
CALL = "import sys; sys.path.insert(0, sys.argv[1]); from hook.cues.door import main; main(*sys.argv[1:])"

# What may come on top of a bare isolated interpreter.
ALWAYS = {
    *("hook", "hook.guard", "hook.guard.paths", "hook.guard.scan"),
    *("hook.cues", "hook.cues.account", "hook.cues.checkout", "hook.cues.door", "hook.cues.globs"),
    *("hook.cues.words", "_json", "posix"),
}
FOR_COMMANDS = {"hook.cues.commands", "hook.guard.shell", "hook.guard.places"}
FOR_LINES = {"hook.cues.added", *(f"hook.cues.{name}" for name in ("lines", "source", "imports"))}


@pytest.mark.parametrize(
    ("event", "tool", "more"),
    [
        ("PreToolUse", "Read", set()),
        ("PreToolUse", "Edit", set()),
        ("PreToolUse", "Bash", FOR_COMMANDS),
        ("PostToolUse", "Bash", FOR_COMMANDS),
        ("PostToolUse", "Edit", FOR_LINES),
        ("Stop", "", set()),
    ],
)
def test_it_imports_nothing_but_what_the_event_asks_for(
    tmp_path: Path, event: str, tool: str, more: set[str]
) -> None:
    state, repo = tmp_path / "state", tmp_path / "shop"
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").touch()
    place(state, plain_python=PLAIN, daemon_python=PLAIN)
    folder = table(state, repo / ".git", at("cart", "a.py"), COMMIT, MIGRATION, forbids("axios", "axios"))
    given = {
        "file_path": f"{repo}/a.py",
        "command": "git commit -m x",
        "new_string": "axios",
        "old_string": "",
    }
    payload = {"session_id": SESSION, "cwd": str(repo), "tool_name": tool, "tool_input": given}
    (tmp_path / "1.tmp").write_text(json.dumps(payload))
    bare, seen = (
        subprocess.run(
            [PLAIN, "-I", "-S", "-c", f"{code}; import sys; print(' '.join(sys.modules))", *words],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()[-1]
        for code, words in (
            ("pass", ()),
            (CALL, (state, tmp_path / "1.tmp", "", folder, event, (repo / ".git").resolve(), "1")),
        )
    )
    assert set(seen.split()) - set(bare.split()) <= ALWAYS | more


def test_of_hooks_that_run_at_once_one_gives_the_entry(state: Path, repo: Path) -> None:
    table(state, repo / ".git", at("cart", "src/cart.py"))
    rows = [("given", "-", "cart")]

    def claim(n: int) -> bool:
        account = accounts[n]
        return account.add([*rows])[0]

    accounts = [Account(str(state / "given"), SESSION, f"{n}x") for n in range(24)]
    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(claim, range(24))) == 1


def test_tool_calls_at_once_are_told_once(state: Path, repo: Path) -> None:
    table(state, repo / ".git", at("cart", "src/cart.py"))
    payload = {"session_id": SESSION, "cwd": str(repo), "tool_name": "Read"}
    raw = json.dumps({**payload, "tool_input": {"file_path": f"{repo}/src/cart.py"}}).encode()
    from tests.support.hookrun import run_hook

    def read(_: int) -> bytes:
        return run_hook(state, "claude-code", "PreToolUse", raw, repo).stdout

    with ThreadPoolExecutor(6) as pool:
        assert sum(bool(out) for out in pool.map(read, range(18))) == 1


# The account


def account(folder: Path, text: str, run: str = "1") -> Account:
    (folder / "s.cues").write_text(text)
    return Account(str(folder), "s", run)


def test_lines_that_are_half_or_strange_are_passed_over(tmp_path: Path) -> None:
    seen = account(tmp_path, "given - a 1\n\n???\ngiven\nowed b\nforgot\nowed b t1\ngiven - c")
    assert (seen.given("-"), seen.owed()) == ({"a"}, ["b"])


def test_a_compaction_takes_back_what_was_given_before_it(tmp_path: Path) -> None:
    seen = account(tmp_path, "given - a 1\nowed r t1\nforget\ngiven - b 2\n")
    assert (seen.given("-"), seen.owed()) == ({"b"}, ["r"])


@pytest.mark.parametrize(
    ("lines", "owed"),
    [
        (["owed a t1"], ["a"]),
        (["owed a t1", "done a t1"], []),
        (["done a t1", "owed a t1"], []),
        (["done a t1", "owed a t2"], ["a"]),
        (["owed a t1", "done a t2"], []),
        (["owed a t1", "done a t2", "owed a t3"], ["a"]),
        (["owed a t1", "done b t1"], ["a"]),
        (["owed b t1", "owed a t1", "owed b t2"], ["b", "a"]),
    ],
)
def test_what_is_owed(tmp_path: Path, lines: list[str], owed: list[str]) -> None:
    assert account(tmp_path, "".join(f"{line}\n" for line in lines)).owed() == owed


@pytest.mark.parametrize(
    "name", ["", "../x", "a/b", "a b", "a\nb", None, 3, ["a"], "x" * 129, "ü", "a_b", "."]
)
def test_a_session_that_cannot_name_a_file_has_no_account(tmp_path: Path, name: object) -> None:
    with pytest.raises(Unnamed):
        Account(str(tmp_path), name, "1")
    assert list(tmp_path.iterdir()) == []


def test_the_account_is_the_users_alone(state: Path, repo: Path) -> None:
    table(state, repo / ".git", at("cart", "src/cart.py"), MIGRATION)
    agent = Agent(state=state, repo=repo)
    agent.reads("src/cart.py")
    agent.created("migrations/1.sql")
    files = sorted((state / "given").iterdir())
    assert [path.name for path in files] == [f"{SESSION}.cues", f"{SESSION}.owed"]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert files[1].read_text() == "stop\n"


def test_a_digest_tells_where_a_path_ends() -> None:
    assert digest("ab", "c") != digest("a", "bc")
    assert digest("", "") == "af63bd4c8601b7df"  # FNV-1a of one NUL byte
