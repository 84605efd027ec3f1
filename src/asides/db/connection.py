"""One connection to one SQLite file, with rights, limits and errors settled once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

import apsw

from asides.db.errors import StoreUnavailable
from asides.model.errors import BrokenStore

Cell = str | int | float | bytes | None
Row = tuple[Cell, ...]
Parameters = Mapping[str, Cell] | Sequence[Cell]

BUSY_MILLISECONDS = 5_000  # an integrity check elsewhere may read for long (hazard B-050)
WAL_PAGES = 1_000  # checkpoint after about 4 MB (hazard B-097)
WAL_BYTES = 8 * 1024 * 1024  # what a log may keep after a checkpoint


class Database:
    """A connection that may be shared by threads; one statement or transaction at a time."""

    def __init__(self, connection: apsw.Connection, path: Path, *, readonly: bool) -> None:
        self.path = path
        self.readonly = readonly
        self._connection = connection
        self._lock = RLock()
        self._depth = 0

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """Returns every row of one query."""
        with self._lock, _readable_errors(self.path):
            return list(self._connection.execute(sql, parameters))

    def row(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """Returns the first row of one query, or None."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def run(self, sql: str, parameters: Parameters = ()) -> int:
        """Executes a statement and returns how many rows it changed."""
        with self._lock, _readable_errors(self.path):
            before = self._connection.total_changes()
            self._connection.execute(sql, parameters).fetchall()
            return self._connection.total_changes() - before

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Makes everything inside happen or not happen; inside another one, a savepoint.

        Takes the write lock at once, so that no transaction fails half way because
        another process wrote first.
        """
        with self._lock:
            name = f"level{self._depth}"
            outermost = self._depth == 0
            self.run("BEGIN IMMEDIATE" if outermost else f"SAVEPOINT {name}")
            self._depth += 1
            try:
                yield
                self.run("COMMIT" if outermost else f"RELEASE {name}")
            except BaseException:
                self._roll_back(name, outermost=outermost)
                raise
            finally:
                self._depth -= 1

    def problems(self) -> list[str]:
        """Returns what SQLite's own check finds wrong with the file; empty when sound."""
        found = [str(row[0]) for row in self.rows("PRAGMA integrity_check(10)")]
        return [] if found == ["ok"] else found

    def close(self) -> None:
        """Closes the connection; closing twice is allowed."""
        with self._lock, _readable_errors(self.path):
            self._connection.close()

    def _roll_back(self, name: str, *, outermost: bool) -> None:
        # SQLite may have rolled back by itself already, e.g. when the disk is full.
        if not self._connection.in_transaction:
            return
        if outermost:
            self.run("ROLLBACK")
        else:
            self.run(f"ROLLBACK TO {name}")
            self.run(f"RELEASE {name}")


def open_database(path: Path, *, durable: bool, readonly: bool = False) -> Database:
    """Opens a database file, making it (0600) and its folder (0700) when they are missing.

    `durable`: every commit reaches the disk, for what cannot be rebuilt. `readonly`:
    never writes and never creates (hazard B-300). Raises BrokenStore for a damaged
    file, which stays as it is, and StoreUnavailable when it cannot be opened.
    """
    with _readable_errors(path):
        if not readonly:
            _make_private(path)
        flags = apsw.SQLITE_OPEN_READONLY if readonly else apsw.SQLITE_OPEN_READWRITE
        connection = apsw.Connection(str(path), flags=flags)
        try:
            connection.set_busy_timeout(BUSY_MILLISECONDS)
            _check(connection, path)
            _set_up(connection, durable=durable, readonly=readonly)
        except BaseException:
            connection.close()
            raise
    return Database(connection, path, readonly=readonly)


def _check(connection: apsw.Connection, path: Path) -> None:
    found = [row[0] for row in connection.execute("PRAGMA quick_check(1)")]
    if found != ["ok"]:
        raise BrokenStore(path=path, why="; ".join(map(str, found)))


def _set_up(connection: apsw.Connection, *, durable: bool, readonly: bool) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    if readonly:
        connection.execute("PRAGMA query_only = ON")
        return
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}").fetchall()
    connection.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}").fetchall()


def _make_private(path: Path) -> None:
    missing = [folder for folder in path.parents if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
    # SQLite gives its log and index files the rights of the main file.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)


@contextmanager
def _readable_errors(path: Path) -> Iterator[None]:
    """Turns what SQLite and the system raise into errors with a sentence and a hint."""
    try:
        yield
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise BrokenStore(path=path, why=str(error)) from error
    except (apsw.BusyError, apsw.LockedError) as error:
        raise StoreUnavailable(path=path, why="another process is writing to it") from error
    except (
        apsw.FullError,
        apsw.ReadOnlyError,
        apsw.CantOpenError,
        apsw.IOError,
        apsw.PermissionsError,
        apsw.ConnectionClosedError,
        OSError,
    ) as error:
        raise StoreUnavailable(path=path, why=str(error)) from error
