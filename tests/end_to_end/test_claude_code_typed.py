"""The real Claude Code at a terminal: typed, queued, interrupted, compacted, cleared.

One interactive session for each version; the tests look at what came of it.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.clients import VERSIONS, Machine, Terminal, delivered, json_text, machine, need, until

pytestmark = pytest.mark.client

ASIDE = "Note that we are moving off requests: never use it in new code, always httpx from now on."
BY_HAND = "Prices are integer cents, never floats."
TYPED = "Rename total to cart_total."
SLOW = "Run the slow check"
QUEUED = "One more thing: ship nothing today."
INTERRUPTED = "Explain the module. From now on, always use tabs in this code base."
AFTER_COMPACTION = "What is left to do?"
AFTER_CLEARING = "Start over on the docs."

SCRIPT = {
    "turns": [
        {
            "match": SLOW,
            "steps": [
                {
                    "blocks": [
                        {
                            "type": "tool_use",
                            "name": "Bash",
                            "input": {"command": "ls", "description": "Look"},
                        }
                    ],
                    "hold": "queued",
                },
                "The check passed.",
            ],
        },
        {"match": INTERRUPTED, "steps": [{"blocks": "Never delivered.", "hold": "never"}]},
        {
            "match": "create a detailed summary",
            "steps": ["<analysis>Short.</analysis>\n<summary>\nThe user renamed total.\n</summary>"],
        },
    ]
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """What a session at the terminal left behind."""

    machine: Machine
    shop: Path
    kept: list  # entries before the session
    first_screen: str
    cleared_screen: str
    after_compaction: dict  # requests
    after_clearing: dict


@pytest.fixture(scope="module", params=VERSIONS)
def evening(request, tmp_path_factory):
    need("tmux")
    with (
        machine(tmp_path_factory.mktemp("typed"), request.param, SCRIPT) as here,
        tempfile.TemporaryDirectory() as short,
    ):
        shop = here.project("my shop")
        here.asides("install", "claude-code")
        here.asides("add", BY_HAND, cwd=shop)
        here.say(shop, ASIDE)
        here.settle()
        kept = here.asides("list", "--json", cwd=shop)
        terminal = Terminal(here, shop, Path(short))
        try:
            yield play(here, shop, kept, terminal)
        finally:
            terminal.close()


def play(here, shop, kept, terminal):
    """Plays the session: one screen after the other, each awaited."""
    terminal.say(TYPED)
    first_screen = terminal.screen

    ended = terminal.ended("Stop")
    terminal.enter(SLOW)
    here.api.wait_for(lambda r: r.is_messages and SLOW in json_text(r.body))
    terminal.enter(QUEUED)
    terminal.shows("Press up to edit queued messages")
    here.api.let_go("queued")
    until("the answer to both", lambda: terminal.ended("Stop") > ended, seen=lambda: terminal.screen)
    terminal.rests()

    terminal.enter(INTERRUPTED)
    here.api.wait_for(lambda r: r.is_messages and INTERRUPTED in json_text(r.body))
    terminal.key("Escape")
    # Interrupted before any answer, a prompt comes back into the input box.
    until("the prompt to come back", lambda: terminal.typed == INTERRUPTED, seen=lambda: terminal.screen)
    terminal.key("C-u")
    until("an empty input box", lambda: terminal.typed == "")

    starts = terminal.ended("SessionStart")
    terminal.enter("/compact")
    terminal.shows("Compacted")
    asked = len(here.api.requests)
    terminal.say(AFTER_COMPACTION)
    after_compaction = here.api.wait_for(asking(AFTER_COMPACTION), since=asked).body
    assert terminal.ended("SessionStart") == starts + 1

    terminal.enter("/clear")
    until("the cleared session to start", lambda: terminal.ended("SessionStart") == starts + 2)
    terminal.shows("❯ /clear")
    terminal.say(AFTER_CLEARING)
    after_clearing = here.api.wait_for(asking(AFTER_CLEARING), since=asked).body
    cleared_screen = terminal.screen
    terminal.enter("/exit")
    terminal.ends()
    here.settle()
    return Evening(
        machine=here,
        shop=shop,
        kept=kept,
        first_screen=first_screen,
        cleared_screen=cleared_screen,
        after_compaction=after_compaction,
        after_clearing=after_clearing,
    )


def asking(words):
    """Returns a test for requests of the agent, with its tools, that hold `words`."""
    return lambda r: r.is_messages and r.body.get("tools") and words in json_text(r.body)


def test_the_person_is_told_once_of_what_was_newly_kept(evening):
    live = [entry for entry in evening.kept if entry["standing"] == "live" and entry["writer"] != "person"]
    assert live
    told = " ".join(evening.first_screen.split())  # the terminal breaks lines
    assert told.count(f"kept {len(live)}: ") == 1
    assert "asides undo" in told
    assert all(entry["id"] in told for entry in live)
    assert "asides undo" not in " ".join(evening.cleared_screen.split())


def test_typed_and_queued_prompts_are_judged_and_an_interrupted_one_is_not(evening):
    turns = evening.machine.rows("SELECT message, via, state FROM turn WHERE via <> 'sdk' ORDER BY seq")
    assert turns == [
        (TYPED, "typed", "judged"),
        (SLOW, "typed", "judged"),
        (QUEUED, "queued", "judged"),
        (INTERRUPTED, "typed", "skipped"),
        (AFTER_COMPACTION, "typed", "judged"),
        (AFTER_CLEARING, "typed", "judged"),
    ]


def test_what_was_said_in_an_interrupted_prompt_is_not_kept(evening):
    kept = evening.machine.asides("list", "--all", "--json", cwd=evening.shop)
    assert kept
    assert not [entry for entry in kept if "tabs" in entry["body"]]


def test_after_compaction_the_list_is_given_again_and_the_task_goes_on(evening):
    (text,) = delivered(evening.after_compaction)
    assert "Continue the current task" in text
    assert BY_HAND in text


def test_after_clearing_the_list_is_given_as_to_a_new_session(evening):
    (text,) = delivered(evening.after_clearing)
    assert "Standing instructions from the developer of this project" in text
    assert "Continue the current task" not in text
    assert BY_HAND in text


def test_the_ledger_has_one_row_for_every_hook_that_ran_at_the_terminal(evening):
    counted = evening.machine.hook_runs_counted()
    assert evening.machine.hook_runs_recorded() == counted
    assert {event for _, event in counted} >= {"PreCompact", "SessionStart", "SessionEnd", "Stop"}
