"""Every reason has words of its own."""

from __future__ import annotations

import pytest

from asides.model.delivery import Left, Occasion
from asides.model.entry import Act, Actor
from asides.model.judgment import Reason
from asides.observe import reasons


def test_every_reason_but_ok_has_words_and_no_two_the_same() -> None:
    told = {reason: reasons.found(reason) for reason in Reason if reason is not Reason.OK}
    assert not [reason for reason, words in told.items() if words == reason]
    assert len(set(told.values())) == len(told)


def test_a_score_is_said_with_the_bound_it_is_held_against() -> None:
    live = reasons.found("below_live", measure=0.13, detail="live from 0.45")
    assert live == "score 0.13, live from 0.45"
    assert reasons.found("below_floor", measure=0.05, detail="floor 0.11") == "score 0.05, kept from 0.11"


def test_a_reason_of_another_version_stands_as_it_is() -> None:
    assert reasons.found("of_tomorrow", detail="x") == "of_tomorrow (x)"


def test_what_failed_or_had_a_consequence_is_noteworthy() -> None:
    assert reasons.is_noteworthy(False, "question")
    assert reasons.is_noteworthy(True, "below_live")
    assert not reasons.is_noteworthy(True, "ok")


@pytest.mark.parametrize("reason", ["abandoned", "script", "machine", "empty", "nothing"])
def test_a_message_that_left_nothing_says_why_in_words(reason: str) -> None:
    assert reasons.became("skipped", reason) == f"nothing kept: {reasons.found(reason)}"


def test_a_message_that_could_not_be_judged_names_the_way_on() -> None:
    assert "asides daemon retry" in reasons.became("parked", "OSError: disk.")


def test_every_act_and_every_delivery_has_words() -> None:
    acts = {reasons.done(act, actor, "live") for act in Act for actor in Actor}
    assert len(acts) == len(Act) * len(Actor)
    assert reasons.done("keep", "writer", "live") == "kept by the writer"
    assert reasons.done("keep", "writer", "proposed") == "proposed by the writer"
    ways = [reasons.given(occasion, "") for occasion in Occasion]
    ways += [reasons.given("start", left) for left in Left]
    assert len(set(ways)) == len(Occasion) + len(Left)


def test_a_withdrawal_is_one_sentence_whatever_is_known_of_it():
    words = "forget  what\nI said about tabs"
    moment = "2026-01-05T10:00:07.000Z"
    assert reasons.taken_back(words, said_at=moment, session="s-1") == (
        "The developer took it back on 2026-01-05 at 10:00:07 in session s-1, "
        "saying “forget what I said about tabs”."
    )
    assert reasons.taken_back(words, said_at=moment, session="").startswith(
        "The developer took it back on 2026-01-05 at 10:00:07, saying “forget"
    )


def test_what_becomes_of_an_anchor_has_words():
    assert reasons.done("anchor", "check", "live") == "tied to another place by a check"
    assert reasons.done("doubt", "check", "live") == "looked at with its code by a check"


def test_every_moment_has_words_and_one_of_another_version_stands_as_it_is():
    told = {reasons.cued(one, "") for one in ("read", "edit", "create", "delete", "run", "owed")}
    assert len(told) == 6
    assert reasons.cued("of_tomorrow", "") == "put before the agent: of_tomorrow"
    assert reasons.cued("read", "agent-1").endswith(" (sub-agent agent-1)")


def test_a_firing_is_told_with_its_line_and_what_came_of_it():
    assert reasons.fired("a.ts", " import  axios", "heeded") == (
        "broken in a.ts by “import axios”, heeded: the line is gone again"
    )
    assert len({reasons.fired("a.ts", "x", one) for one in ("open", "heeded", "broken")}) == 3


def test_a_repeat_tells_whether_the_agent_had_the_entry():
    assert reasons.repeated(True) == "said again, although the agent had it"
    assert reasons.repeated(False) == "said again, and the agent did not have it"
