"""A rule that is taken back is retired; an order for the task at hand takes nothing back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.judge.judge import judge
from asides.judge.takeback import takes_back
from asides.judge.withdrawal import meant, withdrawals
from asides.model.clock import now
from asides.model.entry import Entry, EntryId, Framing, Kind, Standing
from asides.model.judgment import Judgment, Packet, Proposal, Reason, Withdrawn
from asides.model.turn import ProjectId, SessionId, Turn, TurnId, Via

NOON, ONE = "2026-11-30T12:00:00.000Z", "2026-11-30T13:00:00.000Z"


class Silent:
    """A writer that points at the whole message, or at nothing."""

    identity, live_threshold, floor = "silent-1", 0.5, 0.1

    def __init__(self, *, points: bool = False) -> None:
        self.points = points

    def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:
        whole = Proposal(start=0, end=len(message), kind="law", framing=Framing.EXPLICIT, score=0.9)
        return (whole,) if self.points else ()


def entry(body: str, name: str = "e1", *, said_at: str = NOON, standing: Standing = Standing.LIVE) -> Entry:
    return Entry(
        id=EntryId(name),
        project=ProjectId("p"),
        body=body,
        kind=Kind.LAW,
        standing=standing,
        said_at=said_at,
        last_seen_at=said_at,
    )


def judged(
    message: str,
    *standing: Entry,
    points: bool = False,
    via: Via = Via.TYPED,
    said_at: str = ONE,
    following: str = "",
    masked: tuple[tuple[int, int], ...] = (),
) -> Judgment:
    turn = Turn(
        id=TurnId("t1"),
        session=SessionId("s1"),
        project=ProjectId("p"),
        agent="claude-code",
        via=via,
        said_at=said_at,
        message=message,
        following=following,
        masked=masked,
        cwd="/home/dev/shop",
    )
    return judge(Packet(turn=turn, standing=standing), writer=Silent(points=points), now=now)


TABS = entry("tabs for indentation, always")

TAKEN = [
    ("forget what I said about tabs", "tabs"),
    ("ok, forget everything I told you about the tabs.", "the tabs"),
    ("scrap the rule on tabs", "tabs"),
    ("Please drop the tabs rule, prettier does it", "tabs"),
    ("that rule about tabs, scrap it", "tabs"),
    ("the tabs thing I told you doesn't hold any more", "tabs"),
    ("the tabs rule is off", "tabs"),
    ("no need to use tabs any more", "use tabs"),
    ("you don't have to use tabs any longer", "use tabs"),
    ("tabs are no longer required", "tabs"),
    ("fix the header first. And forget what I said about tabs", "tabs"),
    ("vergiss was ich über Tabs gesagt habe", "Tabs"),
]
NOTHING = [
    "forget the tabs for now",
    "forget the tests, just get it running",
    "don't forget the tabs",
    "I forgot to convert the tabs, can you?",
    "never mind the tabs warning",
    "scrap the last screenshot, it shows customer data",
    "drop the tabs rule in this PR",
    "forget what I said about tabs for now",
    "should we drop the tabs rule?",
    "ignore warning CS1591",
    "never forget what I said about tabs",
]


@pytest.mark.parametrize(("message", "subject"), TAKEN)
def test_a_rule_is_taken_back_in_so_many_words(message: str, subject: str) -> None:
    (found,) = withdrawals(message)
    assert found.subject == subject
    words = message[found.start : found.end]
    assert subject in words
    assert words == words.strip()


@pytest.mark.parametrize("message", NOTHING)
def test_an_order_for_the_task_at_hand_takes_nothing_back(message: str) -> None:
    assert withdrawals(message) == ()


@pytest.mark.parametrize("message", [message for message, _ in TAKEN])
def test_what_was_taken_back_is_named_with_its_words(message: str) -> None:
    (found,) = judged(message, TABS, entry("never push to main", "e2")).withdrawn
    assert (found.entry, found.words in message, found.likeness > 0) == ("e1", True, True)


def test_what_two_entries_speak_of_is_not_certain_enough_to_take_out() -> None:
    both = (TABS, entry("tabs in the sidebar are sorted", "e2"))
    assert meant("tabs", both, None) is None
    assert judged("forget what I said about tabs", *both).withdrawn == ()


def test_closeness_decides_between_entries_that_speak_of_the_same() -> None:
    both = (TABS, entry("tabs in the sidebar are sorted", "e2"))
    found = meant("the tabs", both, lambda _, others: [0.9 if "indent" in one else 0.3 for one in others])
    assert found is not None
    assert found[0] is TABS


def test_without_vectors_now_words_alone_have_to_do() -> None:
    assert meant("tabs", (TABS,), lambda _text, _others: None) == (TABS, 1.0)


def test_what_speaks_of_nothing_that_stands_takes_nothing_out() -> None:
    assert judged("forget what I said about semicolons", TABS).withdrawn == ()
    assert judged("forget what I said about that", TABS).withdrawn == ()
    assert judged("forget what I said about tabs").withdrawn == ()


def test_only_a_proven_person_takes_back() -> None:
    assert judged("forget what I said about tabs", TABS, via=Via.UNPROVEN).withdrawn == ()
    message = "> forget what I said about tabs"
    assert judged(message, TABS, masked=((0, len(message)),)).withdrawn == ()


def test_an_old_transcript_takes_back_nothing_that_was_said_since() -> None:
    assert judged("forget what I said about tabs", TABS, said_at="2026-11-30T11:00:00.000Z").withdrawn == ()


def test_a_withdrawal_that_is_itself_taken_back_takes_nothing_out() -> None:
    assert judged("forget what I said about tabs", TABS, following="no wait, scratch that").withdrawn == ()


@pytest.mark.parametrize(
    "body",
    [
        "forget what I said about tabs",
        "scrap the rule on tabs",
        "the tabs rule is off",
        "drop the tabs rule please",
    ],
)
def test_a_withdrawal_is_never_kept_as_a_rule(body: str) -> None:
    assert takes_back(body)
    judgment = judged(body, TABS, points=True)
    assert [one.entry for one in judgment.withdrawn] == ["e1"]
    assert (judgment.kept, judgment.reason) == ((), Reason.TAKEN_BACK)


def test_what_holds_instead_is_kept_beside_the_withdrawal() -> None:
    body = "forget what I said about tabs, use two spaces from now on"
    judgment = judged(body, TABS, points=True)
    assert [one.entry for one in judgment.withdrawn] == ["e1"]
    assert [one.draft.body for one in judgment.kept] == [body]


def test_a_rule_that_is_taken_back_is_not_seen_again_in_the_same_breath() -> None:
    judgment = judged("no need to use tabs for indentation any more", TABS, points=True)
    assert judgment.withdrawn == (
        Withdrawn(entry=EntryId("e1"), words="no need to use tabs for indentation any more", likeness=1.0),
    )
    assert all("e1" not in str(one.relation) for one in judgment.findings)


@given(st.text(max_size=400))
def test_any_text_can_be_looked_through(text: str) -> None:
    for found in withdrawals(text):
        assert 0 <= found.start < found.end <= len(text)
        assert found.subject
