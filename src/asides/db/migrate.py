"""Brings a database to the newest schema: numbered files, one transaction each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

from asides.db.connection import Database
from asides.db.errors import StoreTooNew, StoreUnavailable
from asides.model.errors import Broken

_FILE = re.compile(r"^(?P<number>\d{4})_(?P<title>[a-z0-9_]+)\.sql$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One step from the schema `number - 1` to the schema `number`."""

    number: int
    title: str
    sql: str


def load_migrations(package: str) -> tuple[Migration, ...]:
    """Returns the steps `sql/NNNN_title.sql` of a package, in order, numbered from 1 without a gap."""
    found = []
    for file in (resources.files(package) / "sql").iterdir():
        if matched := _FILE.match(file.name):
            found.append(
                Migration(
                    number=int(matched["number"]),
                    title=matched["title"],
                    sql=file.read_text(encoding="utf-8"),
                )
            )
    steps = tuple(sorted(found, key=lambda step: step.number))
    if [step.number for step in steps] != list(range(1, len(steps) + 1)):
        raise Broken(what=f"{package}/sql", why="migrations are not numbered 1, 2, 3 without a gap")
    return steps


def schema_version(database: Database) -> int:
    """Returns the schema that the file has; 0 for a new file."""
    row = database.row("PRAGMA user_version")
    return int(str(row[0])) if row else 0


def migrate(database: Database, steps: Sequence[Migration]) -> int:
    """Applies the steps that are missing and returns the schema version reached.

    A failed step leaves the version before it. Raises StoreTooNew, without writing, for
    a file that a newer program has written, and StoreUnavailable for an older file that
    is open for reading only.
    """
    known = len(steps)
    found = schema_version(database)
    if found > known:
        raise StoreTooNew(path=database.path, found=found, known=known)
    if found < known and database.readonly:
        raise StoreUnavailable(path=database.path, why=f"its schema is {found} and {known} is needed")
    for step in steps[found:]:
        with database.transaction():
            # Another process may have taken this step while this one waited for the lock.
            if schema_version(database) >= step.number:
                continue
            database.run(step.sql)
            database.run(f"PRAGMA user_version = {step.number}")
    return schema_version(database)
