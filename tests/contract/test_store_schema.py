"""A store made today and one of any released schema brought forward are the same."""

from __future__ import annotations

import re
from pathlib import Path

import apsw
import pytest

from asides.db.connection import Database, open_database
from asides.db.migrate import load_migrations, migrate, schema_version
from asides.db.queries import load_queries
from asides.model.delivery import Left
from asides.model.entry import Act, EntryId
from asides.model.turn import SessionId
from asides.store.naming import entry_id, excerpt, value_key
from asides.store.sqlite import open_store
from tests.support.stores import PROJECT, statement

RELEASED = sorted((Path(__file__).parents[1] / "golden" / "store").glob("memory-*.sql"))


def shape(database: Database) -> list[tuple[object, ...]]:
    """Returns every table and index with what makes it up, however it came about."""
    rows = database.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")
    found: list[tuple[object, ...]] = []
    for kind, name, table, sql in rows:
        found.append((kind, name, table, re.sub(r"\s+", " ", re.sub(r"--[^\n]*", "", str(sql)))))
        if kind == "table":
            found.extend((name, *column) for column in database.rows(f"PRAGMA table_xinfo({name!r})"))
    return found


@pytest.fixture(params=RELEASED, ids=[path.stem for path in RELEASED])
def old_store(request, tmp_path) -> Path:
    path = tmp_path / "old" / "memory.db"
    path.parent.mkdir()
    connection = apsw.Connection(str(path))
    connection.execute(request.param.read_text(encoding="utf-8"))
    connection.close()
    return path


def test_there_is_an_example_of_every_schema():
    assert [int(path.stem.removeprefix("memory-")) for path in RELEASED] == [
        step.number for step in load_migrations("asides.store")
    ]


def test_a_new_store_and_an_old_one_brought_forward_have_the_same_shape(old_store, tmp_path):
    old, new = open_database(old_store, durable=True), open_database(tmp_path / "new.db", durable=True)
    steps = load_migrations("asides.store")
    assert migrate(old, steps) == migrate(new, steps) == len(steps)
    assert shape(old) == shape(new)
    old.close()
    new.close()


def test_an_old_store_tells_what_it_always_told(old_store):
    store = open_store(old_store, PROJECT)
    assert {entry.body: (entry.standing, entry.sightings) for entry in store.all()} == {
        "never use axios": ("live", 2),
        "it's edited": ("live", 1),
        "use tabs": ("refused", 1),
    }
    assert store.is_refused("Use tabs.")
    law = EntryId("deu5w7a5g")
    assert [one.act for one in store.history(law)] == [Act.KEEP, Act.SIGHT]
    assert [one.kept for one in store.findings()] == [False, True, True]
    assert [one.measure for one in store.findings(entry=law)[0].verdicts] == [1.0, 0.97]
    assert [(one.session, one.left) for one in store.deliveries(law)] == [("session-2", None)]
    assert [one.left for one in store.deliveries("bbdbnijbx")] == [Left.COUNT]
    assert store.delivered_to(SessionId("session-2")) == ("the text",)
    assert store.unannounced() == ()
    assert store.keep(statement("new", turn="turn-9")).fresh
    store.undo_last(2)
    assert store.get("633onv57p").standing == "proposed"
    store.close()


def test_what_was_logged_before_entries_were_in_doubt_is_read_and_undone(tmp_path):
    path = tmp_path / "memory.db"
    connection = apsw.Connection(str(path))
    connection.execute(RELEASED[0].read_text(encoding="utf-8"))
    logged = [str(text) for row in connection.execute("SELECT before, after FROM operation") for text in row]
    connection.close()
    assert not any('"verify"' in text for text in logged)
    store = open_store(path, PROJECT)
    edit = next(one for one in store.history("bbdbnijbx") if one.act is Act.EDIT)
    store.doubt("bbdbnijbx", "its code changed")
    store.undo(edit.id)
    now = store.get("bbdbnijbx")
    assert (now.body, now.verify) == ("ünïcode 日本 'quoted'", "its code changed")
    store.close()


def test_moments_of_a_released_store_are_told(tmp_path):
    path = tmp_path / "memory.db"
    connection = apsw.Connection(str(path))
    connection.execute(RELEASED[1].read_text(encoding="utf-8"))
    connection.close()
    store = open_store(path, PROJECT)
    law = EntryId("deu5w7a5g")
    assert [(one.entry, one.subject.sketch, one.gone_at) for one in store.subjects()] == [(law, (1, 2), "")]
    assert [(one.session, one.occasion) for one in store.cues(law)] == [("session-2", "edit")]
    assert [(one.line, one.outcome) for one in store.firings(law)] == [("import axios", "open")]
    store.close()


def test_every_named_query_runs_on_a_fresh_store(tmp_path):
    path = tmp_path / "memory.db"
    open_store(path, PROJECT).close()
    database = open_database(path, durable=True, readonly=True)
    assert schema_version(database) == len(load_migrations("asides.store"))
    for sql in load_queries("asides.store").values():
        names = set(re.findall(r":([a-z_]+)", sql))
        assert database.rows(f"EXPLAIN {sql}", dict.fromkeys(names))
    database.close()


def test_the_id_of_a_span_is_the_same_for_ever():
    said = (PROJECT, "turn-1", 0, 15, "never use axios")
    assert entry_id(*said) == "deu5w7a5g"
    for place, other in enumerate(("blog", "turn-2", 1, 16, "never use axios!")):
        changed = [*said]
        changed[place] = other
        assert entry_id(*changed) != "deu5w7a5g"


def test_half_a_surrogate_pair_has_an_id_and_a_key():
    assert len(entry_id(PROJECT, "turn-1", 0, 1, "\udc88")) == 9
    assert value_key("\udc88") == "\udc88"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never use axios.", "never  use\nAXIOS"),
        ("„Straße“ (immer)", "STRASSE immer"),
        ("ｆｕｌｌ width", "full width"),
        ("use `make test`!", "use make test"),
        ("- not here -", "not here"),
    ],
)
def test_case_spacing_and_outer_punctuation_make_no_other_value(one, other):
    assert value_key(one) == value_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("use C++", "use C"), ("use C#", "use C"), ("1.5", "15"), ("हाँ करो", "हा करो"), ("!!!", "???")],
)
def test_what_differs_in_a_sign_that_carries_meaning_is_another_value(one, other):
    assert value_key(one) != value_key(other)


@pytest.mark.parametrize(("start", "end"), [(0, 10), (995, 1_005), (1_990, 2_000), (100, 1_900)])
def test_an_excerpt_is_bounded_and_holds_the_span_or_its_beginning(start, end):
    message = "".join(chr(0x4E00 + place) for place in range(2_000))
    shown = excerpt(message, start, end)
    assert len(shown) <= 400
    assert message[start : min(end, start + 390)] in shown
    assert excerpt("short", 0, 5) == "short"
