"""An anchor names what exists, is named in the entry, and lies inside the checkout."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.judge.anchoring import Declared, anchor, names_code
from asides.model.anchor import Anchor, Declaration, File, General, label
from asides.model.entry import Framing, Source
from asides.model.judgment import Draft, Packet, Reason
from asides.model.turn import ProjectId, SessionId, Turn, TurnId, Via

TRACKED = frozenset(
    {
        "README.md",
        "docs/README.md",
        "src/app.py",
        "src/env.py",
        "src/api/client.ts",
        "src/web/client.ts",
        "config/queues.yml",
        ".env.example",
        "Makefile",
        "db/seeds/demo.exs",
        "文档/规则.md",
        "with-dash/my-file.test.tsx",
        ".git/config",
    }
)


def placed(
    body: str, *, touched: tuple[str, ...] = (), cwd: str = "/home/dev/shop", **other: object
) -> tuple[Anchor, Reason]:
    turn = Turn(
        id=TurnId("t"),
        session=SessionId("s"),
        project=ProjectId("p"),
        agent="claude-code",
        via=Via.TYPED,
        said_at="",
        message=body,
        files=touched,
        cwd=cwd,
    )
    one = Draft(
        body=body, start=0, end=len(body), kind="law", framing=Framing.PASSING, source=Source.HUMAN, score=1.0
    )
    found, verdict = anchor(one, Packet(turn=turn, tracked=TRACKED), **other)  # type: ignore[arg-type]
    return found, verdict.reason


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ("env vars are read in src/env.py only", "src/env.py"),
        ("env vars are read in `env.py`, nowhere else", "src/env.py"),
        ("env vars are read in @src/env.py.", "src/env.py"),
        ("env vars are read in ./src/env.py:12", "src/env.py"),
        ("env vars are read in src\\env.py", "src/env.py"),
        ("env vars are read in /home/dev/shop/src/env.py", "src/env.py"),
        ("add each key to .env.example too", ".env.example"),
        ("the Makefile is the only entry point", "Makefile"),
        ("never edit config/queues.yml by hand", "config/queues.yml"),
        ("nothing under db/seeds/ is ours", "db/seeds"),
        ("规则写在 文档/规则.md 里", "文档/规则.md"),
        ("keep my-file.test.tsx green", "with-dash/my-file.test.tsx"),
        ("the README.md stays short", "README.md"),
        ("api/client.ts never throws", "src/api/client.ts"),
    ],
)
def test_a_file_that_is_named_and_there_is_the_anchor(body: str, path: str) -> None:
    assert placed(body) == (File(path=path), Reason.NAMED_AND_THERE)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("never mock the database", Reason.NOT_NAMED),
        ("use and/or sparingly", Reason.NOT_THERE),
        ("client.ts never throws", Reason.AMBIGUOUS),
        ("when app.py changes, update env.py", Reason.AMBIGUOUS),
        ("see src/gone.py", Reason.NOT_THERE),
        ("keep legacy/ as it is", Reason.NOT_THERE),
        ("never touch ../other/src/app.py", Reason.NOT_THERE),
        ("never touch src/../../app.py", Reason.NOT_THERE),
        ("artifacts go to s3://bucket/src/app.py", Reason.NOT_THERE),
        ("artifacts go to gs:src/app.py", Reason.NOT_THERE),
        ("docs are at https://example.org/README.md", Reason.NOT_THERE),
        ("weights lie in ~/src/app.py", Reason.NOT_THERE),
        ("never edit .git/config", Reason.NOT_THERE),
        ("never edit /etc/passwd.conf", Reason.NOT_THERE),
        ("never edit /home/dev/other/src/app.py", Reason.NOT_THERE),
    ],
)
def test_what_is_missing_outside_or_unclear_is_general(body: str, reason: Reason) -> None:
    found, why = placed(body)
    assert found == General()
    assert why in (reason, Reason.NOT_NAMED if reason is Reason.NOT_THERE else reason)


def test_of_two_files_with_one_name_the_touched_one_is_meant() -> None:
    touched = ("/home/dev/shop/src/web/client.ts",)
    assert placed("client.ts never throws", touched=touched) == (
        File(path="src/web/client.ts"),
        Reason.NAMED_AND_THERE,
    )
    both = (*touched, "/home/dev/shop/src/api/client.ts")
    assert placed("client.ts never throws", touched=both) == (General(), Reason.AMBIGUOUS)


def test_a_new_file_that_was_touched_can_be_the_anchor() -> None:
    assert placed("fresh.py holds all limits", touched=("/home/dev/shop/src/fresh.py",)) == (
        File(path="src/fresh.py"),
        Reason.NAMED_AND_THERE,
    )


def test_the_root_is_found_from_a_folder_below_it() -> None:
    touched = ("/home/dev/shop/src/app.py", "/home/dev/shop/src/fresh.py")
    assert placed("fresh.py holds all limits", touched=touched, cwd="/home/dev/shop/src")[0] == File(
        path="src/fresh.py"
    )
    assert placed(
        "fresh.py holds all limits", touched=touched[1:], cwd="/home/dev/shop/src", root="/home/dev/shop"
    )[0] == (File(path="src/fresh.py"))


def test_in_a_worktree_touched_files_are_named_from_its_own_top() -> None:
    for tree in ("/home/dev/shop-fix", "/home/dev/shop/.worktrees/fix"):
        touched = (f"{tree}/src/web/client.ts", f"{tree}/src/fresh.py")
        for body, path in (
            ("client.ts never throws", "src/web/client.ts"),
            ("fresh.py holds all limits", "src/fresh.py"),
        ):
            assert placed(body, touched=touched, cwd=f"{tree}/src", root="/home/dev/shop")[0] == File(
                path=path
            )


def test_a_new_file_of_an_unknown_checkout_is_no_anchor() -> None:
    touched = ("/home/dev/shop-fix/src/fresh.py",)
    body = "fresh.py holds all limits"
    assert placed(body, touched=touched, cwd="/home/dev/shop-fix/src", root="/home/dev/shop")[0] == General()


def test_a_touched_file_outside_the_root_is_no_anchor() -> None:
    assert placed("notes.md is mine", touched=("/home/dev/notes.md",))[0] == General()
    assert placed("hook.sh is mine", touched=("/home/dev/shop/.git/hook.sh",))[0] == General()


def knowing(known: dict[str, set[str]]) -> Declared:
    """Knows declarations, as the checkout would."""

    def declared(names: Sequence[str], first: Sequence[str]) -> dict[str, frozenset[str]]:
        fits = {
            path: frozenset(full for full in there if any(f".{full}".endswith(f".{name}") for name in names))
            for path, there in known.items()
        }
        return {path: there for path, there in fits.items() if there}

    return declared


KNOWN = knowing(
    {
        "src/app.py": {"total", "main", "Cart", "Cart.add_item"},
        "src/env.py": {"main", "read_env", "ENV_FILE"},
        "src/api/client.ts": {"fetchJson", "GitHub"},
    }
)


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("total() stays pure", "src/app.py::total"),
        ("total() in app.py stays pure", "src/app.py::total"),
        ("keep `Cart.add_item` free of I/O", "src/app.py::Cart.add_item"),
        ("keep Cart#add_item in `Cart` free of I/O", "src/app.py::Cart.add_item"),
        ("never call fetchJson without a timeout", "src/api/client.ts::fetchJson"),
        ("read_env and ENV_FILE belong together", "src/env.py"),
        ("src/app.py::total stays pure", "src/app.py::total"),
    ],
)
def test_a_declaration_that_is_named_and_declared_once_is_the_anchor(body: str, place: str) -> None:
    assert label(placed(body, declared=KNOWN)[0]) == place


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("`main` stays short", Reason.AMBIGUOUS),  # declared twice
        ("total() and fetchJson are slow", Reason.AMBIGUOUS),  # in two files
        ("total() must match README.md", Reason.AMBIGUOUS),  # another file is named beside it
        ("`subtotal()` stays pure", Reason.NOT_THERE),
        ("the total stays below ten", Reason.NOT_NAMED),  # a plain word names nothing
        ("ci runs on GitHub", Reason.NOT_NAMED),  # what everybody calls so
        ("src/gone.py::total stays pure", Reason.NOT_THERE),
    ],
)
def test_what_is_not_clear_is_general_and_says_why(body: str, reason: Reason) -> None:
    assert placed(body, declared=KNOWN) == (General(), reason)


def test_of_several_declarations_the_one_that_the_turn_touched_is_meant() -> None:
    found, _ = placed("`main` stays short", touched=("/home/dev/shop/src/env.py",), declared=KNOWN)
    assert label(found) == "src/env.py::main"


@given(st.text(alphabet="abc/.\\:`~@ _-()", max_size=60))
def test_whatever_is_written_the_anchor_exists_and_lies_inside(body: str) -> None:
    found, _ = placed(body)
    match found:
        case General():
            pass
        case File(path=path) | Declaration(path=path):
            assert any(known == path or known.startswith(path + "/") for known in TRACKED)
            assert ".." not in path.split("/")
            assert ".git" not in path.split("/")


def test_plain_words_name_no_code() -> None:
    assert not names_code("never mock the database")
    assert names_code("never mock `db`")
    assert names_code("total() is pure")
    assert names_code("see src/app.py")
