"""The real Claude Code, oldest supported and newest: an entry comes up when its file or command does.

The tables are written as the daemon writes them; the hook that reads them, and the client, are the real ones.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from asides.deliver.cues import Modes, write_cues
from tests.support.clients import VERSIONS, Machine, Ran, Terminal, delivered, json_text, machine, need, until
from tests.support.cuetables import COMMIT, MIGRATION, at, forbids, on_command

pytestmark = pytest.mark.client

CART = "Prices in the cart are integer cents."
PUSH = "Pushing to main takes the release lock first."
NEVER = "No axios in anything new."
WATCHED = (
    at("cart", "app.py", body=CART),
    on_command("pushing", "git", "push", body=PUSH),
    forbids("axios", "axios", body=NEVER),
    MIGRATION,
    COMMIT,
)

OPEN, OPEN_AGAIN, EDIT, RUN = (
    "Open the cart",
    "Look at the cart once more",
    "Change the timeout",
    "Show where it goes",
)
BREAK, MIGRATE, DELEGATE, SUBTASK = (
    "Fetch the rates",
    "Add a table",
    "Have a helper look",
    "SUBTASK: read the cart",
)


def tool(name, **given):
    return [{"type": "tool_use", "name": name, "input": given}]


def script(shop):
    """Returns what the model does in a project."""
    cart = str(shop / "app.py")
    edit = tool("Edit", file_path=cart, old_string="TIMEOUT = 30", new_string="TIMEOUT = 60")
    push = tool("Bash", command="true && git --no-pager push --dry-run || true", description="Look")
    fetch = tool("Write", file_path=str(shop / "rates.js"), content='// rates\nimport axios from "axios";\n')
    table = tool(
        "Write", file_path=str(shop / "migrations" / "1.sql"), content="create table rates (id int);\n"
    )
    helper = tool("Agent", description="Read", prompt=SUBTASK, subagent_type="general-purpose")
    return [
        {"match": OPEN, "steps": [tool("Read", file_path=cart), tool("Read", file_path=cart), "It sums."]},
        {"match": OPEN_AGAIN, "steps": [tool("Read", file_path=cart), "It still sums."]},
        {"match": EDIT, "steps": [tool("Read", file_path=cart), edit, "Changed."]},
        {"match": RUN, "steps": [push, push, "There."]},
        {"match": BREAK, "steps": [fetch, "Fetched."]},
        {"match": MIGRATE, "steps": [table, "Added.", "It does not apply here."]},
        {"match": DELEGATE, "steps": [helper, "It is at work.", "It has looked."]},
        {"match": SUBTASK, "steps": [tool("Read", file_path=cart), "It sums."]},
        {"match": "<task-notification>", "steps": ["The helper is done."]},
        {
            "match": "create a detailed summary",
            "steps": ["<analysis>Short.</analysis>\n<summary>\nThe cart was read.\n</summary>"],
        },
    ]


def cues(body):
    """Returns the texts of asides in a request."""
    return [text for text in delivered(body) if "Standing instructions" not in text]


def last_cues(ran):
    """Returns the texts of asides that the last request of a run holds."""
    return cues([r for r in ran.requests if r.body.get("tools")][-1].body)


@pytest.fixture(scope="module", params=VERSIONS)
def version(request):
    return request.param


def watch(here, shop, modes=None):
    key = str((shop / ".git").resolve())
    write_cues(WATCHED, key=key, agent="claude-code", ready=here.places.ready, modes=modes or Modes())


# Nobody watches


@dataclass(frozen=True, slots=True, kw_only=True)
class Unattended:
    """What came of one session with -p for each thing to do."""

    machine: Machine
    opened: Ran
    edited: Ran
    ran: Ran
    broke: Ran
    migrated: Ran
    delegated: Ran


@pytest.fixture(scope="module")
def unattended(version, tmp_path_factory):
    with machine(tmp_path_factory.mktemp("cues"), version, {}) as here:
        shop = here.project("my shop")
        here.asides("install", "claude-code")
        here.api.script["turns"] = script(shop)
        watch(here, shop)
        auto = ("--permission-mode", "acceptEdits")
        yield Unattended(
            machine=here,
            opened=here.say(shop, OPEN, *auto),
            edited=here.say(shop, EDIT, *auto),
            ran=here.say(shop, RUN, *auto),
            broke=here.say(shop, BREAK, *auto),
            migrated=here.say(shop, MIGRATE, *auto),
            delegated=here.say(shop, DELEGATE, *auto),
        )


def test_a_file_that_is_read_brings_its_entry_with_the_answer_of_the_tool(unattended):
    before, after, last = [r.body for r in unattended.opened.requests if r.body.get("tools")]
    assert cues(before) == []
    (text,) = cues(after)
    assert CART in text
    assert "About the file that you are reading" in text
    assert len(text) <= 900
    assert cues(last) == [text]  # read twice, told once


def test_a_file_that_is_edited_after_it_was_read_says_nothing_again(unattended):
    (text,) = last_cues(unattended.edited)
    assert text.count(CART) == 1


def test_a_command_brings_its_entry_once(unattended):
    (text,) = last_cues(unattended.ran)
    assert PUSH in text
    assert "About this command" in text


def test_an_edit_that_breaks_an_entry_is_told_right_after_it(unattended):
    (text,) = last_cues(unattended.broke)
    assert "You have just added `axios" in text
    assert "to rates.js (line 2)" in text
    assert NEVER in text


def test_where_nobody_watches_the_agent_is_not_held(unattended):
    assert unattended.migrated.code == 0
    requests = [r.body for r in unattended.migrated.requests if r.body.get("tools")]
    assert not any("does not seem to be done" in json_text(body) for body in requests)
    assert len(requests) == 2


def test_a_sub_agent_is_told_for_itself(unattended):
    asked = [r.body for r in unattended.delegated.requests if SUBTASK in json_text(r.body["messages"][:1])]
    (text,) = cues(asked[-1])
    assert CART in text


def test_every_run_of_the_hook_is_in_the_ledger_and_none_failed(unattended):
    here = unattended.machine
    here.settle()
    assert here.hook_runs_recorded() == here.hook_runs_counted()
    assert here.rows("SELECT * FROM heartbeat WHERE outcome IN ('failed', 'killed')") == []


# By choice: refused


def test_by_choice_an_edit_that_breaks_an_entry_is_refused_once(version, tmp_path_factory):
    with machine(tmp_path_factory.mktemp("block"), version, {}) as here:
        shop = here.project("shop")
        here.asides("install", "claude-code")
        (turn,) = [dict(turn) for turn in script(shop) if turn["match"] == BREAK]
        turn["steps"] = [turn["steps"][0], turn["steps"][0], "Fetched."]
        here.api.script["turns"] = [turn]
        watch(here, shop, Modes(checks="block"))
        ran = here.say(shop, BREAK, "--permission-mode", "acceptEdits")
        first, second, third = [r.body for r in ran.requests if r.body.get("tools")]
        assert NEVER not in json_text(first)
        assert "This would add `axios" in json_text(second)
        assert json_text(third).count(NEVER) == json_text(second).count(NEVER)
        assert (shop / "rates.js").exists()


# Somebody watches


@dataclass(frozen=True, slots=True, kw_only=True)
class Attended:
    """Requests of one session at the terminal."""

    machine: Machine
    opened: dict
    again: dict
    compacted: dict
    reminded: dict
    stops: int  # how often the reply was complete when a ritual was owed
    later: dict


@pytest.fixture(scope="module")
def attended(version, tmp_path_factory):
    need("tmux")
    with (
        machine(tmp_path_factory.mktemp("watched"), version, {}) as here,
        tempfile.TemporaryDirectory() as short,
    ):
        shop = here.project("my shop")
        here.asides("install", "claude-code")
        here.api.script["turns"] = script(shop)
        watch(here, shop)
        terminal = Terminal(here, shop, Path(short))
        try:
            yield play(here, terminal)
        finally:
            terminal.close()


def newest(here, words):
    """Returns the newest request of the agent that holds `words`."""
    asked = [r.body for r in here.api.requests if r.is_messages and r.body.get("tools")]
    return next(body for body in reversed(asked) if words in json_text(body))


def play(here, terminal):
    """Plays the session, each screen awaited."""
    terminal.say(OPEN)
    opened = newest(here, OPEN)
    terminal.say(OPEN_AGAIN)
    again = newest(here, OPEN_AGAIN)
    starts = terminal.ended("SessionStart")
    terminal.enter("/compact")
    terminal.shows("Compacted")
    until("the session to start again", lambda: terminal.ended("SessionStart") > starts)
    terminal.say(OPEN_AGAIN)
    compacted = newest(here, OPEN_AGAIN)
    stops = terminal.ended("Stop")
    terminal.enter(MIGRATE)
    terminal.shows("It does not apply here.")
    until("the agent to stop", lambda: terminal.ended("Stop") >= stops + 2)
    terminal.rests()
    reminded = newest(here, MIGRATE)
    stops = terminal.ended("Stop") - stops
    terminal.say(OPEN_AGAIN)
    later = newest(here, OPEN_AGAIN)
    terminal.enter("/exit")
    terminal.ends()
    return Attended(
        machine=here,
        opened=opened,
        again=again,
        compacted=compacted,
        reminded=reminded,
        stops=stops,
        later=later,
    )


def test_an_entry_comes_up_once_in_a_session_and_again_after_a_compaction(attended):
    assert len([text for text in cues(attended.opened) if CART in text]) == 1
    assert cues(attended.again) == cues(attended.opened)
    assert len([text for text in cues(attended.compacted) if CART in text]) == 1


def reminders(body):
    """Returns how often a request tells of a ritual owed in the role of the person.

    The client repeats it behind as what a hook said, with the command of the hook.
    """
    people = [json_text(message["content"]) for message in body["messages"] if message["role"] == "user"]
    return sum(text.count("Stop hook feedback:\n[asides]") for text in people)


def test_a_ritual_left_undone_is_reminded_of_once_and_the_agent_may_stop(attended):
    assert "docs/schema.md" in json_text(attended.reminded)
    assert reminders(attended.reminded) == 1
    assert attended.stops == 2
    assert reminders(attended.later) == 1
