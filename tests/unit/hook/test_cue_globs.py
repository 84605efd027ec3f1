"""Globs mean what model/watch.py says: `*` and `?` within one part, `**` any number of parts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.hook.cues.globs import fits


def reference(glob: str, path: str) -> bool:
    """Says the same with a regular expression over a path whose parts each end in a slash."""
    told = ""
    for part in [one for one in glob.split("/") if one]:
        if part == "**":
            told += "(?:[^/]+/)*"
        else:
            told += re.escape(part).replace(r"\*", "[^/]*").replace(r"\?", "[^/]") + "/"
    parts = "".join(f"{one}/" for one in path.split("/") if one)
    return re.fullmatch(told, parts, re.DOTALL) is not None


PARTS = st.text(alphabet="ab.*?", min_size=1, max_size=4).filter(lambda part: part != ".")
GLOBS = st.lists(PARTS | st.just("**"), max_size=5).map("/".join)
PATHS = st.lists(
    st.text(alphabet="ab.", min_size=1, max_size=4).filter(lambda part: part.strip(".")), max_size=5
).map("/".join)


@given(glob=GLOBS, path=PATHS)
def test_a_glob_fits_what_the_reference_says(glob: str, path: str) -> None:
    assert fits(glob, path) == reference(glob, path)


@pytest.mark.parametrize(
    ("glob", "path", "wanted"),
    [
        ("src/cart.py", "src/cart.py", True),
        ("src/cart.py", "old/src/cart.py", False),
        ("src/*.py", "src/api/cart.py", False),
        ("src/**/*.py", "src/cart.py", True),
        ("src/**/*.py", "src/api/v1/cart.py", True),
        ("**/migrations/**", "db/migrations/001.sql", True),
        ("migrations/**", "migrations", True),
        ("*", "a/b", False),
        ("**", "a/b", True),
        ("src/c?rt.py", "src/cart.py", True),
        ("Src/cart.py", "src/cart.py", False),
        ("src/**", "srcs/a", False),
        ("[ab].py", "a.py", False),
        ("[ab].py", "[ab].py", True),
    ],
)
def test_globs_as_a_person_writes_them(glob: str, path: str, wanted: bool) -> None:
    assert fits(glob, path) is wanted


def test_a_glob_of_many_stars_does_not_take_for_ever() -> None:
    assert not fits("/".join(["**", "*a*a*a*a*a*b"] * 12), "/".join(["a" * 60] * 60))
