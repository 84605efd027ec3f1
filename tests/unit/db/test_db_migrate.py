"""Migrations: numbered, one transaction each, never downwards."""

from __future__ import annotations

import pytest
from apsw import SQLError

from asides.db.connection import open_database
from asides.db.errors import StoreTooNew, StoreUnavailable
from asides.db.migrate import Migration, load_migrations, migrate, schema_version
from asides.model.errors import Broken

FIRST = Migration(number=1, title="words", sql="CREATE TABLE word (text); INSERT INTO word VALUES ('a');")
SECOND = Migration(number=2, title="age", sql="ALTER TABLE word ADD COLUMN age; UPDATE word SET age = 1;")
FAILING = Migration(number=2, title="age", sql="ALTER TABLE word ADD COLUMN age; SELECT nonsense FROM word;")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.db"


def test_the_steps_that_are_missing_are_taken_in_order_and_only_once(path):
    database = open_database(path, durable=True)
    assert migrate(database, [FIRST]) == 1
    assert migrate(database, [FIRST, SECOND]) == 2
    assert migrate(database, [FIRST, SECOND]) == 2
    assert database.rows("SELECT text, age FROM word") == [("a", 1)]
    database.close()


def test_a_failed_step_leaves_the_old_version_whole(path):
    database = open_database(path, durable=True)
    with pytest.raises(SQLError):
        migrate(database, [FIRST, FAILING])
    assert schema_version(database) == 1
    assert database.rows("SELECT * FROM word") == [("a",)]
    assert migrate(database, [FIRST, SECOND]) == 2
    database.close()


def test_a_newer_schema_is_refused_and_never_written_to(path):
    database = open_database(path, durable=True)
    migrate(database, [FIRST, SECOND])
    database.close()
    before = path.read_bytes()
    database = open_database(path, durable=True)
    with pytest.raises(StoreTooNew) as caught:
        migrate(database, [FIRST])
    database.close()
    assert "Upgrade" in caught.value.advice
    assert path.read_bytes() == before


def test_an_old_file_opened_for_reading_only_is_not_migrated(path):
    database = open_database(path, durable=True)
    migrate(database, [FIRST])
    database.close()
    reader = open_database(path, durable=True, readonly=True)
    with pytest.raises(StoreUnavailable, match="schema"):
        migrate(reader, [FIRST, SECOND])
    reader.close()


def test_two_processes_that_migrate_at_once_take_each_step_once(path):
    one = open_database(path, durable=True)
    two = open_database(path, durable=True)

    class Raced(list[Migration]):
        """Steps which another connection takes just after they were looked up."""

        def __getitem__(self, place):
            migrate(two, [FIRST])
            return list.__getitem__(self, place)

    assert migrate(one, Raced([FIRST])) == 1
    assert one.rows("SELECT text FROM word") == [("a",)]
    one.close()
    two.close()


def test_a_gap_in_the_numbers_is_an_error(tmp_path, monkeypatch):
    package = tmp_path / "gappy"
    (package / "sql").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "sql" / "0002_late.sql").write_text("SELECT 1;")
    (package / "sql" / "queries.sql").write_text("-- name: one\nSELECT 1;")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(Broken, match="gap"):
        load_migrations("gappy")
    (package / "sql" / "0001_first.sql").write_text("SELECT 1;")
    assert [step.title for step in load_migrations("gappy")] == ["first", "late"]
