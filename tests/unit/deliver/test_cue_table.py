"""The table of cues: whole or not there, and its causes stand in every payload that matters."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.deliver.cues import (
    ANYTHING,
    Modes,
    cause_of_command,
    cause_of_glob,
    cause_of_sign,
    write_cues,
)
from asides.deliver.prepare import NotPrepared
from asides.deliver.render import line
from asides.hook.cues.globs import fits
from asides.model.entry import EntryId
from asides.model.errors import Refused
from asides.model.watch import Check, Deed, Form, Proof, Sign, Trigger, Watch
from tests.support.cuetables import COMMIT, MIGRATION, PUSH, at, entry, forbids

KEY, AGENT = "/home/dev/shop/.git", "claude-code"


def write(ready: Path, *watched, modes: Modes | None = None) -> Path:
    write_cues(watched, key=KEY, agent=AGENT, ready=ready, modes=modes or Modes())
    return ready / "at" / KEY.lstrip("/") / AGENT


def built(value: object) -> object:
    return json.loads(msgspec.json.encode(value))


def causes(folder: Path, name: str = "causes") -> list[str]:
    return (folder / f"cues.{name}").read_text().splitlines()


def test_the_table_holds_each_entry_as_it_is_said_and_all_that_makes_it_due(tmp_path: Path) -> None:
    told = entry("cart", "Prices are\ninteger cents.", verify="src/cart.py was rewritten")
    check = Check(signs=(Sign(form=Form.CALL, text="float"),), globs=("src/**",), outside=("tests/**",))
    watch = Watch(
        entry=EntryId("cart"),
        places=("src/cart.py",),
        triggers=MIGRATION[1].triggers,
        proof=MIGRATION[1].proof,
        check=check,
    )
    folder = write(tmp_path, (told, watch))
    table = json.loads((folder / "cues.json").read_text())
    assert table["modes"] == {"cues": True, "hold": False, "checks": "advise", "owed": "stop"}
    assert table["entries"] == [
        {
            "causes": ["cart.py", "migrations", "schema.md", "float"],
            "id": "cart",
            "line": line(told),
            "words": '"Prices are integer cents."',
            "places": ["src/cart.py"],
            "triggers": [built(one) for one in watch.triggers],
            "proof": built(watch.proof),
            "check": built(check),
        }
    ]
    assert "verify first" in table["entries"][0]["line"]
    assert causes(folder) == ["cart.py", "migrations"]
    assert causes(folder, "after") == ["float", "migrations", "schema.md"]


def test_each_entry_is_a_line_that_begins_with_its_causes(tmp_path: Path) -> None:
    folder = write(tmp_path, MIGRATION, at("all", "**"), forbids("odd", 'a\n"],x,"'))
    first, *rows, last, nothing = (folder / "cues.json").read_text().split("\n")
    assert json.loads(first + last) == {"modes": built(Modes()), "entries": []}
    assert nothing == ""
    assert [row.partition(',"id":"')[0] for row in rows] == [
        '{"causes":["migrations","schema.md"]',
        r'{"causes":["\"tool_name\""]',
        '{"causes":["],x,"]',
    ]


def test_files_are_the_users_alone_and_written_only_when_they_change(tmp_path: Path) -> None:
    folder = write(tmp_path / "ready", MIGRATION, COMMIT)
    files = sorted(folder.iterdir())
    assert [path.name for path in files] == ["cues.after", "cues.causes", "cues.json"]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    stamps = [path.stat().st_mtime_ns for path in files]
    write(tmp_path / "ready", MIGRATION, COMMIT)
    assert [path.stat().st_mtime_ns for path in files] == stamps


def test_what_was_prepared_beside_it_stays(tmp_path: Path) -> None:
    folder = write(tmp_path, MIGRATION)
    (folder / "start.json").write_text("{}")
    write(tmp_path)
    assert [path.name for path in folder.iterdir()] == ["start.json"]


@pytest.mark.parametrize(
    "watched",
    [(), ((entry("idle", "Idle."), Watch(entry=EntryId("idle"))),)],
    ids=["no entry", "an idle entry"],
)
def test_nothing_to_watch_is_no_table_and_no_folder(tmp_path: Path, watched) -> None:
    write(tmp_path, *watched)
    assert list(tmp_path.iterdir()) == []
    folder = write(tmp_path, MIGRATION)
    write(tmp_path, *watched)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("modes", "kept"),
    [
        (Modes(), {"cart": ["places"], "migration": ["proof", "triggers"], "axios": ["check"]}),
        (Modes(cues=False), {"migration": ["proof", "triggers"], "axios": ["check"]}),
        (Modes(checks="off"), {"cart": ["places"], "migration": ["proof", "triggers"]}),
        (Modes(cues=False, owed="off"), {"axios": ["check"]}),
        (Modes(cues=False, owed="off", checks="off"), {}),
    ],
)
def test_what_a_person_turned_off_is_not_in_the_table(
    tmp_path: Path, modes: Modes, kept: dict[str, list[str]]
) -> None:
    folder = write(tmp_path, at("cart", "src/cart.py"), MIGRATION, forbids("axios", "axios"), modes=modes)
    table = folder / "cues.json"
    rows = json.loads(table.read_text())["entries"] if table.exists() else []
    assert {row["id"]: sorted(set(row) - {"causes", "id", "line", "words"}) for row in rows} == kept


def test_before_a_tool_only_blocking_checks_are_looked_for_and_afterwards_only_advice(tmp_path: Path) -> None:
    advise = write(tmp_path / "1", forbids("axios", "axios"), PUSH)
    assert (causes(advise), causes(advise, "after")) == (["make", "push"], ["axios", "make", "push"])
    block = write(tmp_path / "2", forbids("axios", "axios"), PUSH, modes=Modes(checks="block"))
    assert (causes(block), causes(block, "after")) == (["axios", "make", "push"], ["make", "push"])


def test_a_disk_that_refuses_leaves_the_table_that_stood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path, MIGRATION)
    before = {path: path.read_bytes() for path in folder.iterdir()}

    def refuse(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(NotPrepared, match="No space"):
        write(tmp_path, MIGRATION, COMMIT)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("key", ["relative", "/a/../b", ""])
def test_a_key_that_leads_elsewhere_is_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(Refused):
        write_cues([MIGRATION], key=key, agent=AGENT, ready=tmp_path, modes=Modes())


# Causes


@pytest.mark.parametrize(
    ("glob", "cause"),
    [
        ("src/cart.py", "cart.py"),
        ("src/Cart Page.tsx", "page.tsx"),
        ("db/migrations/**", "migrations"),
        ("db/**/*.sql", ".sql"),
        ("**", ANYTHING),
        ("a/*", ANYTHING),
        ("src/größe.py", "e.py"),
        ("*/?.c", ANYTHING),
    ],
)
def test_causes_of_globs(glob: str, cause: str) -> None:
    assert cause_of_glob(glob) == cause


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        (("git", "push"), "push"),
        (("git",), "git"),
        (("npm", "test"), "npm"),
        (("go", "test"), "test"),
        (("./scripts/deploy.sh",), "deploy.sh"),
        (("a", "b"), ANYTHING),
    ],
)
def test_causes_of_commands(words: tuple[str, ...], cause: str) -> None:
    assert cause_of_command(words) == cause


@pytest.mark.parametrize(
    ("form", "text", "cause"),
    [
        (Form.IMPORT, "axios", "axios"),
        (Form.WORD, "process.env", "process"),
        (Form.RAISE, "RuntimeError", "runtimeerror"),
        (Form.TEXT, '"use client";', "use client"),
        (Form.TEXT, "\\", ANYTHING),
        (Form.TEXT, "größe", ANYTHING),
        (Form.CALL, "id", ANYTHING),
    ],
)
def test_causes_of_signs(form: Form, text: str, cause: str) -> None:
    assert cause_of_sign(form, text) == cause


def found(cause: str, payload: object) -> bool:
    """Tells whether `grep -qiF` finds a cause in a payload as a client writes it, escaped or not."""
    texts = [json.dumps(payload, ensure_ascii=ascii_only) for ascii_only in (False, True)]
    return all(cause.encode().lower() in text.encode().lower() for text in texts)


NAMES = st.text(min_size=1, max_size=8).filter(lambda name: "/" not in name and name.strip(".*?"))


@st.composite
def globs_that_fit(draw: st.DrawFn) -> tuple[str, str]:
    parts = draw(st.lists(NAMES, min_size=1, max_size=4))
    glob = []
    for part in parts:
        kind = draw(st.sampled_from(["as it is", "?", "*", "**"]))
        at_ = draw(st.integers(0, len(part) - 1))
        glob.append(
            {"as it is": part, "?": part[:at_] + "?" + part[at_ + 1 :], "*": part[:at_] + "*", "**": "**"}[
                kind
            ]
        )
    return "/".join(glob), "/".join(parts)


@given(pair=globs_that_fit())
def test_the_cause_of_a_glob_stands_in_every_payload_for_a_file_that_it_fits(pair: tuple[str, str]) -> None:
    glob, path = pair
    assert fits(glob, path)
    payload = {"tool_name": "Read", "tool_input": {"file_path": "/home/dev/shop/" + path}}
    assert found(cause_of_glob(glob).replace('"tool_name"', "tool_name"), payload)


@given(words=st.lists(st.text(alphabet="abcdeü-./", min_size=1, max_size=8), min_size=1, max_size=3))
def test_the_cause_of_a_command_stands_in_every_payload_that_runs_it(words: list[str]) -> None:
    command = " --option x ".join(words)
    payload = {"tool_name": "Bash", "tool_input": {"command": f"cd web && {command}"}}
    assert found(cause_of_command(tuple(words)).replace('"tool_name"', "tool_name"), payload)


@given(text=st.text(min_size=1, max_size=12), form=st.sampled_from(Form))
def test_the_cause_of_a_sign_stands_in_every_payload_that_adds_it(text: str, form: Form) -> None:
    payload = {"tool_name": "Edit", "tool_input": {"new_string": f"first\n\tx = {text}\n"}}
    assert found(cause_of_sign(form, text).replace('"tool_name"', "tool_name"), payload)


@given(
    globs=st.lists(st.text(max_size=6), max_size=3),
    commands=st.lists(st.lists(st.text(max_size=6), max_size=3).map(tuple), max_size=3),
)
def test_no_cause_is_empty_or_on_two_lines(
    tmp_path_factory: pytest.TempPathFactory, globs: list[str], commands: list[tuple[str, ...]]
) -> None:
    trigger = Trigger(deeds=(Deed.EDIT, Deed.RUN), globs=tuple(globs), commands=tuple(commands))
    watch = Watch(entry=EntryId("x"), triggers=(trigger,), proof=Proof(globs=("a",)))
    folder = write(tmp_path_factory.mktemp("ready"), (entry("x", "X."), watch))
    for name in ("causes", "after"):
        text = (folder / f"cues.{name}").read_text()
        assert "\n\n" not in f"\n{text}"
        assert all(one == ANYTHING or len(one) >= 3 for one in text.split("\n")[:-1])
