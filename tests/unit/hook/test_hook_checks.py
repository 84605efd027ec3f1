"""Added lines that break an entry: told once after the edit, or refused once before it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.deliver.cues import Modes
from asides.hook.cues.added import about_to_add, added
from tests.support.cuetables import LINES, Agent, at, forbids, table


@pytest.fixture
def agent(state: Path, repo: Path, shell: str) -> Agent:
    (state / "hook" / "cues" / "lines.py").write_text(LINES)
    return Agent(state=state, repo=repo, shell=shell)


@pytest.fixture
def plain(state: Path, repo: Path) -> Agent:
    (state / "hook" / "cues" / "lines.py").write_text(LINES)
    return Agent(state=state, repo=repo)


AXIOS = 'import axios from "axios"'
BLOCK = Modes(checks="block")


def test_an_added_line_that_breaks_an_entry_is_told_in_one_sentence(
    state: Path, repo: Path, agent: Agent
) -> None:
    table(state, repo / ".git", forbids("axios", "axios", body="Don't use axios in anything new."))
    told = agent.edited("src/api.ts", "let a", AXIOS)
    assert told.context == (
        "[asides]\nYou have just added `axios` to src/api.ts (line 3), and the developer of this project"
        ' said: "Don\'t use axios in anything new."\n[/asides]'
    )
    assert {key: told.trailer[key] for key in told.trailer if key.startswith("broke")} == {
        "broke": "axios",
        "broke_line": "3",
        "broke_path": "src/api.ts",
        "broke_text": AXIOS,
    }


def test_the_same_line_is_told_once_in_a_session(state: Path, repo: Path, plain: Agent) -> None:
    table(state, repo / ".git", forbids("axios", "axios"))
    assert plain.edited("src/api.ts", AXIOS).context
    assert plain.edited("src/api.ts", f"   {AXIOS}  ").silent
    assert plain.edited("src/api.ts", AXIOS + ";").context
    assert plain.edited("src/other.ts", AXIOS).context
    assert replace(plain, session="s2").edited("src/api.ts", AXIOS).context


def test_several_entries_and_lines_are_one_sentence_for_each_entry(
    state: Path, repo: Path, plain: Agent
) -> None:
    table(state, repo / ".git", *(forbids(name, name) for name in ("one", "two", "three", "four")))
    told = plain.edited("a.js", "one two", "one three", "four one")
    assert told.trailer["broke"] == "one one one two three four"
    assert told.trailer["broke_line"] == "2 3 4 2 3 4"
    assert told.trailer["broke_text"].split("\t")[2] == "four one"
    sentences = told.context.splitlines()[1:-1]
    assert len(sentences) == 3
    assert "`one` and 2 more such lines to a.js (line 2)" in sentences[0]


def test_a_line_of_a_new_file_counts(state: Path, repo: Path, plain: Agent) -> None:
    table(state, repo / ".git", forbids("axios", "axios"))
    assert "(line 2)" in plain.created("a.ts", f"x\n{AXIOS}\n").context


def test_what_was_there_and_what_is_taken_out_is_not_held_against_anyone(
    state: Path, repo: Path, plain: Agent
) -> None:
    table(state, repo / ".git", forbids("axios", "axios"))
    lines = [f" {AXIOS}", f"-  {AXIOS}", f"+{AXIOS}", "-axios()", "+fetch()"]
    patch = [{"oldStart": 1, "newStart": 1, "lines": lines}, "odd", {"lines": None}, {"lines": [3]}]
    response = {"structuredPatch": patch, "originalFile": AXIOS}
    assert plain.after("Edit", response, file_path=f"{repo}/a.ts").silent


def test_checks_can_be_off(state: Path, repo: Path, plain: Agent) -> None:
    table(state, repo / ".git", forbids("axios", "axios"), at("b", "b.ts"), modes=Modes(checks="off"))
    assert plain.edited("a.ts", AXIOS).silent


def test_a_change_elsewhere_is_not_looked_at(state: Path, repo: Path, plain: Agent, tmp_path: Path) -> None:
    table(state, repo / ".git", forbids("axios", "axios"))
    assert plain.edited("../other/a.ts", AXIOS).silent
    assert plain.ran(f"echo '{AXIOS}' > a.ts").silent


# By choice: refused


def test_a_change_that_breaks_an_entry_can_be_refused(state: Path, repo: Path, agent: Agent) -> None:
    table(state, repo / ".git", forbids("axios", "axios"), modes=BLOCK)
    told = agent.edits("a.ts", "let a", AXIOS)
    assert told.denied == (
        "[asides] This would add `axios` to a.ts, and the developer of this project said:"
        ' "Never use axios." - write it another way, or make the very same change again if it is what the'
        " developer asked for now. [/asides]"
    )
    assert (told.trailer["broke"], told.trailer["refused"], told.trailer["broke_text"]) == (
        "axios",
        "axios",
        AXIOS,
    )


def test_an_agent_that_insists_is_let_through_and_that_is_noted(
    state: Path, repo: Path, plain: Agent
) -> None:
    table(state, repo / ".git", forbids("axios", "axios"), modes=BLOCK)
    assert plain.edits("a.ts", "let a", AXIOS).denied
    again = plain.edits("a.ts", "let a", AXIOS)
    assert again.silent
    assert (again.trailer["broke"], again.trailer["insisted"]) == ("axios", "axios")
    assert plain.edited("a.ts", AXIOS).silent
    assert plain.edits("a.ts", "let a", "axios.get()").denied
    assert plain.edits("b.ts", "let a", AXIOS).denied


def test_a_refusal_leaves_the_cue_for_the_next_attempt(state: Path, repo: Path, plain: Agent) -> None:
    table(state, repo / ".git", at("file", "a.ts"), forbids("axios", "axios"), modes=BLOCK)
    assert "cued" not in plain.edits("a.ts", "let a", AXIOS).trailer
    assert plain.edits("a.ts", "let a", "fetch()").trailer["cued"] == "file"


@pytest.mark.parametrize(
    ("tool", "change", "denied"),
    [
        ("Write", {"content": f"old axios\n{AXIOS}\n"}, True),
        ("Write", {"content": "old axios\nfetch()\n"}, False),
        ("Edit", {"old_string": "x", "new_string": AXIOS}, True),
        ("Edit", {"old_string": f"{AXIOS}\nx", "new_string": f"y\n{AXIOS}"}, False),
        ("MultiEdit", {"edits": [{"old_string": "a", "new_string": "b"}, {"new_string": AXIOS}]}, True),
        ("NotebookEdit", {"new_source": AXIOS, "edit_mode": "insert"}, True),
        ("NotebookEdit", {"new_source": "axios.get()"}, True),
        ("NotebookEdit", {"new_source": "old axios"}, False),
        ("NotebookEdit", {"new_source": AXIOS, "edit_mode": "delete"}, False),
    ],
)
def test_only_what_a_change_adds_is_refused(
    state: Path, repo: Path, plain: Agent, tool: str, change: dict[str, object], denied: bool
) -> None:
    table(state, repo / ".git", forbids("axios", "axios"), modes=BLOCK)
    (repo / "a.ts").write_text("old axios\n")
    key = "notebook_path" if tool == "NotebookEdit" else "file_path"
    assert bool(plain.before(tool, **{key: f"{repo}/a.ts"}, **change).denied) is denied


# Which lines are added

TEXTS = st.lists(st.text(alphabet="ab ", max_size=4), max_size=6).map("\n".join)


@given(old=TEXTS, new=TEXTS)
def test_a_change_adds_at_most_what_is_new_and_nothing_when_nothing_is(old: str, new: str) -> None:
    lines = about_to_add("Edit", {"old_string": old, "new_string": new}, "")
    texts = [line.text for line in lines]
    assert all(text in new.split("\n") and text.strip() for text in texts)
    before = [text.strip() for text in old.split("\n")]
    for text in {text.strip() for text in texts}:
        there = [one.strip() for one in new.split("\n")].count(text)
        assert [one.strip() for one in texts].count(text) == max(0, there - before.count(text))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = ("structuredPatch", "type", "originalFile", "content", "original_file", "lines", "newStart")


@given(
    tool=st.sampled_from(["Write", "Edit", "MultiEdit", "NotebookEdit"]),
    change=st.dictionaries(
        st.sampled_from(["content", "new_string", "old_string", "edits", "new_source", "edit_mode"]), JSON
    ),
    response=JSON
    | st.dictionaries(st.sampled_from(KEYS), JSON | st.lists(st.dictionaries(st.sampled_from(KEYS), JSON))),
)
def test_any_answer_of_a_tool_is_read_without_a_failure(
    tool: str, change: dict[str, object], response: object
) -> None:
    assert all(line.text.strip() for line in added(tool, change, response))
    about_to_add(tool, change, "/nonexistent/\0")


def test_the_golden_payloads_are_read_as_they_are() -> None:
    folder = Path(__file__).parents[2] / "golden" / "claude-code"
    for version in ("2.1.197", "2.1.332"):
        edit = json.loads((folder / version / "payloads" / "PostToolUse.Edit.json").read_text())
        lines = added("Edit", edit["tool_input"], edit["tool_response"])
        assert [(line.number, line.text) for line in lines] == [(3, "TIMEOUT = 60")]
        write = json.loads((folder / version / "payloads" / "PostToolUse.Write.json").read_text())
        lines = added("Write", write["tool_input"], write["tool_response"])
        assert (lines[0].number, lines[0].text) == (1, "def retry(call, attempts=3):")
