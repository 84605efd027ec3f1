"""What an entry is watched by."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asides.hook.cues.lines import broken
from asides.model.anchor import Anchor, Declaration, File, General, parse
from asides.model.entry import Entry, EntryId, Kind
from asides.model.turn import ProjectId
from asides.model.watch import Check, Deed, Form, Sign, Trigger, Watch
from asides.watch.compiling import compile_watch

LABELS = Path(__file__).parents[3] / "bench" / "checks"
SHOP = frozenset(
    [
        "src/index.ts",
        "src/api/client.ts",
        "src/api/routes/users.ts",
        "src/components/Button.tsx",
        "src/lib/log.ts",
        "config/env.js",
        "package.json",
        "eslint.config.js",
        "migrations/001.sql",
        "docs/api.md",
        "docs/schema.md",
        "CHANGELOG.md",
        "README.md",
        "tools/gen.py",
        "scripts/deploy.sh",
        "proto/shop.proto",
        "tests/api.test.ts",
        ".github/workflows/ci.yml",
    ]
)


def watch(
    body: str, *, kind: Kind = Kind.RITUAL, anchor: Anchor | None = None, tracked: frozenset[str] = SHOP
) -> Watch:
    entry = Entry(
        id=EntryId("k3v9x2m1a"), project=ProjectId("shop"), body=body, kind=kind, anchor=anchor or General()
    )
    return compile_watch(entry, tracked=tracked)


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (LABELS / name).read_text(encoding="utf-8").splitlines()]


def test_at_least_99_of_100_entries_that_compile_are_labelled_to_and_so_are_the_samples_that_fire() -> None:
    right = wrong = missed = fired = falsely = 0
    for row in rows("entries.jsonl"):
        found = watch(
            row["body"],
            kind=Kind(row["kind"]),
            anchor=parse(row["anchor"]),
            tracked=frozenset(row["tracked"]),
        ).check
        right += found is not None and row["compiles"]
        wrong += found is not None and not row["compiles"]
        missed += found is None and row["compiles"]
        for sample in row["samples"] if found else []:
            told = bool(broken(msgspec.to_builtins(found), sample["path"], [sample["line"]]))
            fired += told
            falsely += told and not sample["broken"]
    assert wrong <= (right + wrong) * 0.01
    assert falsely <= fired * 0.01
    assert missed <= (right + missed) * 0.15


def test_half_of_the_labelled_entries_must_not_compile_and_the_others_have_samples() -> None:
    entries = rows("entries.jsonl")
    assert len(entries) >= 300
    assert sum(not row["compiles"] for row in entries) * 2 >= len(entries)
    assert len({(row["body"], row["anchor"]) for row in entries}) == len(entries)
    for row in entries:
        told = {sample["broken"] for sample in row["samples"]}
        assert told == ({True, False} if row["compiles"] else set()), row["body"]


def test_an_anchor_is_where_its_file_is() -> None:
    assert watch("x", anchor=General()).places == ()
    assert watch("x", anchor=File(path="src/lib/log.ts")).places == ("src/lib/log.ts",)
    assert watch("x", anchor=File(path="src/api")).places == ("src/api/**",)
    assert watch("x", anchor=File(path="src/api/")).places == ("src/api/**",)
    assert watch("x", anchor=Declaration(path="src/lib/log.ts", name="log")).places == ("src/lib/log.ts",)


@pytest.mark.parametrize(
    "path",
    ["src/nope.ts", "src/a", "gs://bucket/src", "../shop/src", "/etc/passwd", ".git/config", "", "/", "."],
)
def test_an_anchor_that_is_not_in_the_checkout_is_nowhere(path: str) -> None:
    assert watch("x", anchor=File(path=path)).places == ()
    assert watch("x", anchor=Declaration(path=path, name="f")).places == ()


def test_a_sign_of_a_glob_in_a_name_is_no_glob() -> None:
    (place,) = watch("x", anchor=File(path="src/[id]*.ts"), tracked=frozenset({"src/[id]*.ts"})).places
    assert "*" not in place


def test_an_import_that_is_banned_is_a_check_with_what_to_use() -> None:
    assert watch("use fetch instead of axios", kind=Kind.LAW).check == Check(
        signs=(Sign(form=Form.IMPORT, text="axios"),), instead="fetch"
    )


def test_what_may_stand_in_one_file_only_is_a_check_outside_of_it() -> None:
    found = watch("env vars only in config/env.js", kind=Kind.LAW).check
    assert found is not None
    assert found.outside == ("config/env.js",)
    assert Sign(form=Form.WORD, text="process.env") in found.signs


def test_an_anchor_that_the_words_do_not_name_leaves_a_ban_in_doubt() -> None:
    assert watch("don't use axios", kind=Kind.LAW).check
    assert not watch("don't use axios", kind=Kind.LAW, anchor=File(path="src/api/client.ts")).check
    named = watch("env vars only in config/env.js", kind=Kind.LAW, anchor=File(path="config/env.js"))
    assert named.check


def test_work_that_was_put_off_has_no_check_and_no_moment() -> None:
    assert watch("don't use axios", kind=Kind.LOOP).idle
    assert watch("after adding a migration update docs/schema.md", kind=Kind.LOOP).idle


def test_a_ritual_has_its_moment_and_its_proof() -> None:
    found = watch("After adding a migration, update docs/schema.md")
    assert found.triggers == (
        Trigger(deeds=(Deed.CREATE,), globs=("migrations/**",), said="After adding a migration"),
    )
    assert found.proof is not None
    assert found.proof.globs == ("docs/schema.md",)


def test_a_command_is_its_first_words_without_options() -> None:
    found = watch("before you push run `make -j check`")
    assert found.triggers[0].commands == (("git", "push"),)
    assert found.proof is not None
    assert found.proof.commands == (("make", "check"),)


def test_what_is_never_to_be_run_is_due_before_it_runs_and_is_never_owed() -> None:
    found = watch("never push to main", kind=Kind.LAW)
    assert found.triggers[0].deeds == (Deed.RUN,)
    assert found.triggers[0].commands == (("git", "push"),)
    assert found.proof is None


@pytest.mark.parametrize(
    "body",
    [
        "after adding a migration update docs/nope.md",
        "after adding a migration maybe update docs/schema.md",
        "after adding a migration update docs/schema.md and tell me",
        "after adding a migration don't run `make gen`",
        "after adding a migration update docs/schema.md if it changed",
    ],
)
def test_what_cannot_be_seen_for_certain_is_no_proof(body: str) -> None:
    found = watch(body)
    assert found.triggers
    assert found.proof is None


@pytest.mark.parametrize(
    "body",
    [
        "when you touch ../other/api.ts tell me",
        "when you touch src/nope.ts run `make gen`",
        "when you touch /etc/hosts tell me",
        "when you edit .git/config tell me",
        "when in doubt ask",
        "should I run the tests before you push?",
    ],
)
def test_what_is_not_there_or_not_said_is_no_moment(body: str) -> None:
    assert watch(body).triggers == ()


SAID = (
    "don't never no use using import axios lodash `moment` print console.log process.env "
    "only in outside of except config/env.js src/api src/nope ../up /etc .git/config after "
    "before when whenever you adding touch edit push commit a the migration route schema "
    "api component run `make gen` update docs/api.md CHANGELOG , . ; : ? ! - — and or not "
    "instead rather than raise RuntimeError throw new Error is banned forbidden anything "
    "under *.proto **/* ./a //b \\ "
)
WORDS = st.sampled_from(SAID.split())
BODIES = st.lists(WORDS, max_size=40).map(" ".join) | st.text(max_size=400)
PARTS = st.sampled_from(
    ["src", "api", "a.ts", "migrations", "..", ".git", "", ".", "docs", "*", "x.py", "schema.sql"]
)
TRACKED = st.frozensets(st.lists(PARTS, min_size=1, max_size=4).map("/".join), max_size=8)


def globs(found: Watch) -> list[str]:
    check = found.check
    of_moments = [
        glob for one in (*found.triggers, *([found.proof] if found.proof else [])) for glob in one.globs
    ]
    return [*found.places, *of_moments, *((*check.globs, *check.outside) if check else ())]


@settings(max_examples=150)
@given(
    body=BODIES, tracked=TRACKED, kind=st.sampled_from(Kind), path=st.lists(PARTS, max_size=3).map("/".join)
)
def test_any_words_compile_and_no_glob_leaves_the_root(
    body: str, tracked: frozenset[str], kind: Kind, path: str
) -> None:
    for anchor in (General(), File(path=path), Declaration(path=path, name="f")):
        for files in (tracked, SHOP):
            found = watch(body, kind=kind, anchor=anchor, tracked=files)
            for glob in globs(found):
                assert glob
                assert not glob.startswith("/")
                assert not {"..", ".git", ""} & set(glob.split("/"))


@settings(max_examples=150)
@given(body=BODIES)
def test_every_path_that_is_named_is_in_the_checkout(body: str) -> None:
    found = watch(body)
    for glob in globs(found):
        if "*" not in glob:
            assert glob in SHOP
        elif glob.endswith("/**"):
            folder = glob.removesuffix("**")
            assert any(path.startswith(folder) for path in SHOP)


@given(body=BODIES)
def test_the_same_words_compile_to_the_same_watch(body: str) -> None:
    assert watch(body) == watch(body)
