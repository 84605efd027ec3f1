"""A database file: rights, modes, transactions, and errors a person can read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import apsw
import pytest

from asides.db.connection import open_database
from asides.db.errors import StoreUnavailable
from asides.model.errors import BrokenStore


@pytest.fixture
def database(tmp_path):
    opened = open_database(tmp_path / "a.db", durable=True)
    opened.run("CREATE TABLE word (text TEXT PRIMARY KEY) STRICT")
    yield opened
    opened.close()


def words(database) -> list[str]:
    return [str(row[0]) for row in database.rows("SELECT text FROM word ORDER BY text")]


def put(database, text: str) -> None:
    database.run("INSERT INTO word VALUES (:text)", {"text": text})


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_only_its_owner_may_read_the_file_its_log_and_its_folder(tmp_path):
    umask = os.umask(0)
    try:
        path = tmp_path / "new" / "deeper" / "a.db"
        database = open_database(path, durable=True)
        database.run("CREATE TABLE word (text)")
        assert {one.name: mode(one) for one in path.parent.iterdir()} == {
            "a.db": 0o600,
            "a.db-wal": 0o600,
            "a.db-shm": 0o600,
        }
        assert mode(path.parent) == mode(path.parent.parent) == 0o700
        database.close()
    finally:
        os.umask(umask)


def test_a_file_that_others_may_read_is_closed_to_them(tmp_path):
    path = tmp_path / "a.db"
    path.touch(0o644)
    path.chmod(0o644)
    open_database(path, durable=True).close()
    assert mode(path) == 0o600


@pytest.mark.parametrize(("durable", "synchronous"), [(True, 2), (False, 1)])
def test_what_cannot_be_rebuilt_is_synced_in_full(tmp_path, durable, synchronous):
    database = open_database(tmp_path / "a.db", durable=durable)
    assert database.row("PRAGMA synchronous") == (synchronous,)
    assert database.row("PRAGMA journal_mode") == ("wal",)
    assert database.row("PRAGMA foreign_keys") == (1,)
    assert database.row("PRAGMA busy_timeout") == (5_000,)
    assert database.row("PRAGMA journal_size_limit") == (8 * 1024 * 1024,)
    database.close()


def test_a_transaction_that_fails_leaves_nothing(database):
    def failing() -> None:
        with database.transaction():
            put(database, "a")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        failing()
    assert words(database) == []
    with database.transaction():
        put(database, "b")
    assert words(database) == ["b"]


def test_an_inner_transaction_that_fails_takes_back_only_its_own(database):
    def failing() -> None:
        with database.transaction():
            put(database, "inner")
            raise RuntimeError

    with database.transaction():
        put(database, "outer")
        with pytest.raises(RuntimeError):
            failing()
        with database.transaction():
            put(database, "second")
    assert words(database) == ["outer", "second"]


def test_an_outer_transaction_that_fails_takes_back_the_inner_too(database):
    def failing() -> None:
        with database.transaction():
            with database.transaction():
                put(database, "inner")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        failing()
    assert words(database) == []


def test_a_second_writer_waits_and_then_says_that_another_is_writing(tmp_path, database, monkeypatch):
    monkeypatch.setattr("asides.db.connection.BUSY_MILLISECONDS", 20)
    other = open_database(tmp_path / "a.db", durable=True)
    with database.transaction():
        put(database, "a")
        with pytest.raises(StoreUnavailable, match="another process is writing"):
            other.run("BEGIN IMMEDIATE")
        assert words(other) == []
    with other.transaction():
        put(other, "b")
    assert words(database) == ["a", "b"]
    other.close()


def test_a_read_only_connection_never_writes_and_never_creates(tmp_path, database):
    put(database, "a")
    reader = open_database(tmp_path / "a.db", durable=True, readonly=True)
    assert words(reader) == ["a"]
    with pytest.raises(StoreUnavailable):
        put(reader, "b")
    reader.close()
    with pytest.raises(StoreUnavailable):
        open_database(tmp_path / "none" / "b.db", durable=True, readonly=True)
    assert not (tmp_path / "none").exists()


def test_readers_go_on_while_somebody_writes(tmp_path, database):
    put(database, "a")
    reader = open_database(tmp_path / "a.db", durable=True, readonly=True)
    with database.transaction():
        put(database, "b")
        assert words(reader) == ["a"]
    assert words(reader) == ["a", "b"]
    reader.close()


@pytest.mark.parametrize("start", [0, 100, 4096])
def test_a_damaged_file_is_named_broken_and_stays_as_it_is(tmp_path, database, start):
    for number in range(500):
        put(database, f"word {number} " + "x" * 100)
    database.close()
    path = tmp_path / "a.db"
    content = bytearray(path.read_bytes())
    content[start : start + 90] = b"\xff" * 90
    path.write_bytes(content)
    with pytest.raises(BrokenStore) as caught:
        open_database(path, durable=True)
    assert str(path) in caught.value.sentence
    assert path.read_bytes() == content


def test_a_file_that_is_no_database_is_named_broken_and_stays_as_it_is(tmp_path):
    path = tmp_path / "a.db"
    path.write_text("Dear diary, " * 100)
    before = path.read_bytes()
    with pytest.raises(BrokenStore):
        open_database(path, durable=True)
    assert path.read_bytes() == before


def test_a_full_disk_is_an_error_and_what_stood_stands(database):
    put(database, "before")
    pages = int(str(database.row("PRAGMA page_count")[0]))
    database.run(f"PRAGMA max_page_count = {pages}")

    def filling() -> None:
        with database.transaction():
            for number in range(1_000):
                put(database, f"{number} " + "x" * 500)

    with pytest.raises(StoreUnavailable, match="full"):
        filling()
    assert words(database) == ["before"]
    database.run("PRAGMA max_page_count = 100000")
    put(database, "after")
    assert words(database) == ["after", "before"]
    assert database.problems() == []


def test_a_folder_that_is_a_file_is_unavailable_not_a_crash(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnavailable):
        open_database(tmp_path / "file" / "a.db", durable=True)


def test_a_mistake_in_a_statement_is_not_called_unavailable(database):
    with pytest.raises(apsw.SQLError):
        database.run("SELEKT 1")


def test_how_many_rows_a_statement_changed_is_told(database):
    put(database, "a")
    assert database.run("INSERT OR IGNORE INTO word VALUES ('a')") == 0
    assert database.run("UPDATE word SET text = 'b'") == 1


def test_a_closed_database_may_be_closed_again_and_says_so_when_used(tmp_path):
    database = open_database(tmp_path / "a.db", durable=True)
    database.close()
    database.close()
    with pytest.raises(StoreUnavailable):
        database.rows("SELECT 1")


def test_the_log_does_not_keep_growing_behind_a_reader_that_leaves(tmp_path, database):
    reader = open_database(tmp_path / "a.db", durable=True, readonly=True)
    words(reader)
    for number in range(300):
        with database.transaction():
            for part in range(40):
                put(database, f"{number}-{part} " + "x" * 900)
    reader.close()
    assert (tmp_path / "a.db-wal").stat().st_size < 12 * 1024 * 1024
