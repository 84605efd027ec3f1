"""What the conversation went on without is abandoned, and only where that is proved."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asides.intake.branches import Branches, statements
from asides.model.event import Answered, Line, Linked, Said
from asides.model.turn import Via

# No deadline: the machine that runs this may be busy.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def said(uuid: str, parent: str | None) -> Said:
    return Said(
        uuid=uuid, parent=parent, session="s", via=Via.TYPED, text=uuid, at="", prompt_id=None, cwd=""
    )


def answered(uuid: str, parent: str | None) -> Answered:
    return Answered(uuid=uuid, parent=parent, session="s", text=uuid, at="")


def linked(uuid: str, parent: str | None) -> Linked:
    return Linked(uuid=uuid, parent=parent, session="s")


def abandoned(*lines: Line, limit: int = 100) -> list[str]:
    return [each.said.uuid for each in statements(lines, Branches(limit=limit)) if each.abandoned]


def test_a_conversation_without_branches_abandons_nothing():
    assert abandoned(said("1", None), answered("a", "1"), said("2", "a"), answered("b", "2")) == []


def test_a_prompt_taken_back_before_any_answer_is_abandoned_by_the_next():
    assert abandoned(
        linked("0", None), said("1", "0"), linked("x", "1"), said("2", "0"), answered("a", "2")
    ) == ["1"]


def test_the_first_prompt_of_all_taken_back_is_abandoned_by_the_next():
    assert abandoned(said("1", None), said("2", None), answered("a", "2")) == ["1"]


def test_all_that_was_rewound_past_is_abandoned():
    lines = [
        said("1", None),
        answered("a", "1"),
        said("2", "a"),
        answered("b", "2"),
        said("3", "b"),
        said("4", "a"),
    ]
    assert abandoned(*lines) == ["2", "3"]


def test_a_prompt_taken_back_is_abandoned_though_only_commands_of_the_client_follow():
    assert abandoned(said("1", None), answered("a", "1"), said("2", "a"), linked("exit", "a")) == ["2"]


def test_a_stray_line_on_an_older_branch_does_not_abandon_what_is_being_answered():
    lines = [said("1", None), answered("a", "1"), said("2", "a"), answered("b", "2"), linked("late", "a")]
    assert abandoned(*lines) == []


def test_a_statement_without_any_answer_stands_as_long_as_nothing_follows():
    assert abandoned(said("1", None), answered("a", "1"), said("2", "a"), linked("x", "2")) == []


def test_the_end_of_a_turn_written_before_the_turn_itself_abandons_nothing():
    # Claude Code 2.1.197, when a person types on at once: lines of the stop hooks come first in the file.
    ended = [linked("y", "a"), linked("z", "y")]
    assert abandoned(*ended, linked("0", None), said("1", "0"), answered("a", "1"), said("2", "z")) == []


def test_results_of_parallel_tools_are_branches_that_abandon_nothing():
    lines = [
        said("1", None), linked("t1", "1"), linked("t2", "t1"), linked("r1", "t1"), linked("r2", "t2"),
        said("queued", "r2"), answered("a", "queued"), said("2", "a"),
    ]  # fmt: skip
    assert abandoned(*lines) == []


def test_compaction_keeps_the_branch_together_by_its_logical_parent():
    lines = [
        said("1", None),
        answered("a", "1"),
        said("2", "a"),
        linked("boundary", "a"),
        said("3", "boundary"),
    ]
    assert abandoned(*lines) == ["2"]


def test_a_new_root_that_nobody_said_proves_nothing():
    assert abandoned(said("1", None), linked("x", "1"), linked("root", None), said("2", "root")) == []


def test_a_new_root_does_not_abandon_a_prompt_that_had_something_above_it():
    assert abandoned(linked("hook", None), said("1", "hook"), said("2", None), answered("a", "2")) == []


def test_a_new_root_does_not_abandon_what_was_answered():
    assert abandoned(said("1", None), answered("a", "1"), said("2", None), answered("b", "2")) == []


def test_a_line_whose_parents_are_forgotten_proves_nothing():
    lines = [linked("0", None), said("1", "0"), said("2", "unknown"), answered("a", "2")]
    assert abandoned(*lines) == []


def test_only_so_many_links_are_kept_the_oldest_are_forgotten_first():
    branches = Branches(limit=3)
    for number in range(1_000):
        branches.add(linked(str(number), str(number - 1)))
    assert len(branches) == 3
    assert ["996" in branches, "997" in branches, "999" in branches] == [False, True, True]
    assert not branches.left_behind("1")


def test_a_later_line_can_be_asked_about_instead_of_the_last():
    branches = Branches()
    for line in (linked("0", None), said("1", "0"), said("2", "0"), answered("a", "2")):
        branches.add(line)
    assert branches.left_behind("1", head="2")
    assert not branches.left_behind("2", head="a")
    assert not branches.left_behind("2", head="never seen")
    assert not branches.left_behind("never seen")


def test_a_repeated_line_keeps_its_first_parent():
    assert (
        abandoned(said("1", None), answered("a", "1"), said("2", "a"), said("1", "elsewhere"), said("3", "2"))
        == []
    )


def test_parents_that_run_in_a_circle_end_the_walk():
    assert abandoned(said("1", None), said("2", "3"), linked("3", "2"), answered("4", "3"), limit=10) == []


@unhurried
@given(st.lists(st.tuples(st.sampled_from([said, answered, linked]), st.integers(0, 11)), max_size=12))
def test_nothing_that_the_last_words_descend_from_is_ever_abandoned(shape):
    lines: list[Line] = []
    for number, (make, back) in enumerate(shape):
        parent = None if not lines or back == 0 else lines[max(0, number - back)].uuid
        lines.append(make(str(number), parent))
    parents = {line.uuid: line.parent for line in lines}
    spoken = [line.uuid for line in lines if not isinstance(line, Linked)]
    step = spoken[-1] if spoken else None
    path = set()
    while step is not None:
        path.add(step)
        step = parents[step]
    last = spoken[-1:] if spoken else []
    assert not (set(abandoned(*lines)) & path) - set(last)


@pytest.mark.parametrize("limit", [1, 2, 5])
@unhurried
@given(st.lists(st.integers(0, 8), max_size=9))
def test_forgetting_never_abandons_what_full_knowledge_would_not(limit, shape):
    lines: list[Line] = []
    for number, back in enumerate(shape):
        parent = lines[max(0, number - 1 - back)].uuid if lines else None
        lines.append(said(str(number), parent))
    assert set(abandoned(*lines, limit=limit)) <= set(abandoned(*lines))
