"""The store on a hostile machine: killed, crowded, full, read-only, newer."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from asides.db.connection import open_database
from asides.db.errors import StoreTooNew, StoreUnavailable
from asides.model.entry import Actor
from asides.model.errors import BrokenStore
from asides.store.rules import EntryStore
from asides.store.sqlite import SqliteShelf, open_store
from tests.support.stores import PROJECT, statement

# Keeps one entry after the other and says each one aloud once it is kept.
WRITER = """
import sys
from pathlib import Path
from asides.model.entry import Kind
from asides.model.turn import ProjectId, TurnId
from asides.store.contract import Statement
from asides.store.rules import EntryStore
from asides.store.sqlite import open_store

store = open_store(Path(sys.argv[1]), ProjectId("shop"))
for number in range(int(sys.argv[3])):
    turn = TurnId(f"{sys.argv[2]}-{number}")
    with store.step():
        kept = store.keep(Statement(body=f"rule {turn}", kind=Kind.LAW, turn=turn, writer="encoder-1"))
        store.sight(kept.entry.id, turn=TurnId(f"again-{turn}"))
    print(kept.entry.id, flush=True)
"""


def writing(path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(count)], stdout=subprocess.PIPE, text=True
    )


def test_three_processes_writing_at_once_lose_nothing(tmp_path):
    path = tmp_path / "memory.db"
    writers = [writing(path, name, 60) for name in "abc"]
    said = [writer.communicate(timeout=60)[0].split() for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    store = open_store(path, PROJECT)
    assert sorted(entry.id for entry in store.all()) == sorted(one for their in said for one in their)
    assert len(store.operations(1_000)) == 360
    assert {entry.sightings for entry in store.all()} == {2}
    store.close()


@pytest.mark.parametrize("seed", range(6))
def test_a_writer_killed_at_any_moment_loses_nothing_it_said_was_kept(tmp_path, seed):
    path = tmp_path / "memory.db"
    writer = writing(path, "a", 10_000)
    assert writer.stdout is not None
    said = [writer.stdout.readline().strip() for _ in range(random.Random(seed).randrange(1, 60))]
    writer.kill()
    said += writer.stdout.read().split()
    writer.wait(timeout=60)
    store = open_store(path, PROJECT)
    kept = {entry.id for entry in store.all()}
    assert set(said) <= kept
    assert len(kept) <= len(said) + 1
    # A step is whole or absent: no entry was kept without its sighting.
    assert {entry.sightings for entry in store.all()} == {2}
    assert len(store.operations(100_000)) == 2 * len(kept)
    store.close()
    database = open_database(path, durable=True)
    assert database.problems() == []
    database.close()


def test_a_full_disk_is_an_error_and_no_entry_is_lost_or_half_kept(tmp_path):
    path = tmp_path / "memory.db"
    open_store(path, PROJECT).close()
    database = open_database(path, durable=True)
    pages = int(str(database.row("PRAGMA page_count")[0]))
    database.run(f"PRAGMA max_page_count = {pages + 4}")
    store = EntryStore(SqliteShelf(database), PROJECT)
    kept = []

    def filling() -> None:
        for number in range(1_000):
            kept.append(store.keep(statement(f"rule {number} " + "x" * 300, turn=f"turn-{number}")).entry)

    with pytest.raises(StoreUnavailable):
        filling()
    assert kept
    assert {entry.id for entry in store.all()} == {entry.id for entry in kept}
    assert len(store.operations(1_000)) == len(kept)
    database.run("PRAGMA max_page_count = 100000")
    again = store.keep(statement(f"rule {len(kept)} " + "x" * 300, turn=f"turn-{len(kept)}"))
    assert again.fresh
    store.close()


def test_a_store_opened_for_reading_reads_and_refuses_to_write(tmp_path):
    path = tmp_path / "memory.db"
    writer = open_store(path, PROJECT)
    entry = writer.keep(statement()).entry
    reader = open_store(path, PROJECT, readonly=True)
    assert reader.get(entry.id) == entry
    with pytest.raises(StoreUnavailable):
        reader.retire(entry.id)
    writer.edit(entry.id, "changed", actor=Actor.PERSON)
    assert reader.get(entry.id).body == "changed"
    reader.close()
    writer.close()


def test_a_damaged_store_is_broken_and_stays_as_it_is(tmp_path):
    path = tmp_path / "memory.db"
    open_store(path, PROJECT).close()
    path.write_bytes(path.read_bytes()[:5_000])
    before = path.read_bytes()
    with pytest.raises(BrokenStore):
        open_store(path, PROJECT)
    assert path.read_bytes() == before


def test_a_store_of_a_newer_version_is_left_alone(tmp_path):
    path = tmp_path / "memory.db"
    open_store(path, PROJECT).close()
    database = open_database(path, durable=True)
    database.run("PRAGMA user_version = 999")
    database.close()
    before = path.read_bytes()
    for readonly in (False, True):
        with pytest.raises(StoreTooNew, match="999"):
            open_store(path, PROJECT, readonly=readonly)
    assert path.read_bytes() == before


def test_a_store_is_kept_in_full_when_the_process_forgets_to_close_it(tmp_path):
    path = tmp_path / "memory.db"
    store = open_store(path, PROJECT)
    entry = store.keep(statement()).entry
    other = open_store(path, PROJECT)
    assert other.get(entry.id) == entry
    other.close()
    store.close()
