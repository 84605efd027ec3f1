"""SQL has names and lives in `.sql` files."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asides.db.queries import load_queries, parse_queries
from asides.model.errors import Broken


def test_a_query_begins_at_its_name_and_keeps_its_comments():
    text = "-- A file.\n\n-- name: one\n-- Why.\nSELECT 1;\n\n-- name: two\nSELECT\n  2;\n"
    assert parse_queries(text, origin="here") == {
        "one": "-- Why.\nSELECT 1;",
        "two": "SELECT\n  2;",
    }


@pytest.mark.parametrize(
    "text",
    [
        "-- name: one\nSELECT 1;\n-- name: one\nSELECT 2;",
        "-- name: one\n-- only a comment\n-- name: two\nSELECT 2;",
        "SELECT 0;\n-- name: one\nSELECT 1;",
    ],
    ids=["a name twice", "a name without a statement", "a statement without a name"],
)
def test_a_file_that_is_not_clear_is_an_error(text):
    with pytest.raises(Broken, match="here"):
        parse_queries(text, origin="here")


@settings(deadline=None)
@given(st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True), st.integers(0, 99)))
def test_every_named_query_is_found(numbers):
    text = "".join(f"-- name: {name}\nSELECT {number};\n\n" for name, number in numbers.items())
    assert parse_queries(text, origin="here") == {
        name: f"SELECT {number};" for name, number in numbers.items()
    }


def test_the_queries_of_the_store_are_in_the_package():
    assert "ORDER BY said_at, id" in load_queries("asides.store")["entries"]
