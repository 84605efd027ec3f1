"""Named queries out of `.sql` files, so that SQL is read as SQL."""

from __future__ import annotations

import re
from importlib import resources

from asides.model.errors import Broken

_NAME = re.compile(r"^--\s*name:\s*(?P<name>[a-z][a-z0-9_]*)\s*$")


def parse_queries(text: str, *, origin: str) -> dict[str, str]:
    """Returns the queries of one file by name, with the comments under each name kept.

    A query begins at a line `-- name: some_name` and ends before the next one. Raises
    Broken for a name given twice, a name without a statement, or SQL above the first name.
    """
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in text.splitlines():
        if matched := _NAME.match(line):
            name = matched["name"]
            if name in found:
                raise Broken(what=origin, why=f"the query {name} is there twice")
            current = found[name] = []
        elif current is not None:
            current.append(line)
        elif line.strip() and not line.startswith("--"):
            raise Broken(what=origin, why=f"a statement stands above the first name: {line.strip()}")
    queries = {name: "\n".join(lines).strip() for name, lines in found.items()}
    for name, sql in queries.items():
        if not any(line.strip() and not line.startswith("--") for line in sql.splitlines()):
            raise Broken(what=origin, why=f"the query {name} has no statement")
    return queries


def load_queries(package: str, name: str = "queries.sql") -> dict[str, str]:
    """Returns the queries of `sql/NAME` beside the modules of a package."""
    file = resources.files(package) / "sql" / name
    return parse_queries(file.read_text(encoding="utf-8"), origin=f"{package}/sql/{name}")
