"""From words to the moment they matter, in the real Claude Code: nothing between is written by the test."""

import subprocess

import pytest

from tests.support.clients import VERSIONS, delivered, machine

pytestmark = pytest.mark.client

PURE = "total() never rounds"
AXIOS = "don't use axios in anything new"
LOOK, FETCH, RENAME = "Look at the sums", "Fetch the rates", "Where are they now"
IMPORT = 'import axios from "axios";'


def tool(name, **given):
    return [{"type": "tool_use", "name": name, "input": given}]


@pytest.fixture(scope="module", params=VERSIONS)
def lived(request, tmp_path_factory):
    """A project whose two entries have met their moments, and whose code has moved on."""
    with machine(tmp_path_factory.mktemp("moments"), request.param, {}) as here:
        shop = here.project("shop")
        here.asides("install", "claude-code")
        moved = str(shop / "sums.py")
        here.api.script["turns"] = [
            {"match": LOOK, "steps": [tool("Read", file_path=str(shop / "app.py")), "It sums."]},
            {
                "match": FETCH,
                "steps": [tool("Write", file_path=str(shop / "rates.js"), content=f"{IMPORT}\n"), "Fetched."],
            },
            {"match": RENAME, "steps": [tool("Read", file_path=moved), "It still sums."]},
        ]
        here.asides("add", PURE, cwd=shop)
        here.asides("add", AXIOS, "--kind", "correction", cwd=shop)
        found = {"looked": here.say(shop, LOOK), "shop": shop, "here": here}
        found["fetched"] = here.say(shop, FETCH, "--permission-mode", "acceptEdits")
        here.settle()
        (shop / "app.py").rename(shop / "sums.py")
        subprocess.run(["git", "add", "-A"], cwd=shop, check=True, timeout=30)
        found["between"] = here.say(shop, "Hello")
        here.settle()
        found["again"] = here.say(shop, RENAME)
        here.settle()
        yield found


def told(ran, words):
    """Returns the texts of asides in the last request that hold these words and are no list of a start."""
    body = [r for r in ran.requests if r.body.get("tools")][-1].body
    return [text for text in delivered(body) if words in text and "Standing instructions" not in text]


def test_an_entry_comes_up_when_the_file_of_its_function_is_read(lived):
    (text,) = told(lived["looked"], PURE)
    assert "app.py::total" in text


def test_an_added_line_that_breaks_an_entry_is_told_and_recorded(lived):
    (text,) = told(lived["fetched"], AXIOS)
    assert IMPORT.rstrip(";") in text
    assert "rates.js (line 1)" in text
    story = lived["here"].asides("why", entry(lived, AXIOS)["id"], "--json", cwd=lived["shop"])
    assert [(one["path"], one["line"], one["outcome"]) for one in story["firings"]] == [
        ("rates.js", IMPORT, "broken")
    ]


def test_an_entry_goes_along_with_its_function_and_comes_up_there(lived):
    assert entry(lived, PURE)["anchor"] == "sums.py::total"
    (text,) = told(lived["again"], PURE)
    assert "sums.py::total" in text


def test_what_happened_is_counted(lived):
    counted = lived["here"].asides("stats", "--json", cwd=lived["shop"])
    assert str(counted).count("broken") >= 1
    plain = lived["here"].asides("stats", cwd=lived["shop"])
    assert PURE in plain
    assert AXIOS in plain


def entry(lived, body):
    entries = lived["here"].asides("list", "--json", cwd=lived["shop"])
    return next(one for one in entries if one["body"] == body)
