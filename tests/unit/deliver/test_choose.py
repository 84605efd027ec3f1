"""Which entries are delivered, and in which order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.deliver.choose import SUBAGENT_KINDS, Limits, choose, limits_for, ranked
from asides.deliver.render import render
from asides.model.delivery import Left, Occasion
from asides.model.entry import Framing, Kind, Source, Standing
from tests.support.entries import entries, entry, unhurried

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SESSION = (Occasion.START, Occasion.COMPACT, Occasion.REPLACE)


def bodies(made, occasion=Occasion.START, now=NOW) -> list[str]:
    return [one.body for one in choose(made, occasion, now).chosen]


@unhurried
@given(entries().flatmap(lambda made: st.tuples(st.just(made), st.permutations(made))))
def test_the_order_of_what_comes_in_never_changes_what_goes_out(both):
    made, shuffled = both
    for occasion in Occasion:
        assert choose(shuffled, occasion, NOW) == choose(made, occasion, NOW)


@unhurried
@given(entries(), st.timedeltas(timedelta(0), timedelta(days=4_000)))
def test_time_passing_changes_nothing_by_itself(made, later):
    then = datetime(9999, 1, 1, tzinfo=UTC) - timedelta(days=4_001)
    assert [one.id for one in ranked(made, then)] == [one.id for one in ranked(made, then + later)]


@unhurried
@given(entries())
def test_every_entry_is_chosen_or_left_for_a_reason_never_both(made):
    for occasion in Occasion:
        choice = choose(made, occasion, NOW)
        accounted = [one.id for one in choice.chosen] + [one.id for one, _ in choice.left]
        assert sorted(accounted) == sorted(one.id for one in made)


@unhurried
@given(entries())
def test_the_same_list_is_shown_at_start_after_compaction_and_as_replacement(made):
    first, *others = (choose(made, occasion, NOW).chosen for occasion in SESSION)
    assert all(other == first for other in others)


@unhurried
@given(entries())
def test_nothing_but_live_entries_is_delivered(made):
    for occasion in Occasion:
        choice = choose(made, occasion, NOW)
        assert all(one.standing is Standing.LIVE for one in choice.chosen)
        assert {one.id for one, why in choice.left if why is Left.NOT_LIVE} == {
            one.id for one in made if one.standing is not Standing.LIVE
        }


@unhurried
@given(entries())
def test_sub_agents_get_rules_hazards_and_corrections_only(made):
    choice = choose(made, Occasion.SUBAGENT, NOW)
    assert {one.kind for one in choice.chosen} <= SUBAGENT_KINDS
    assert all(one.kind not in SUBAGENT_KINDS for one, why in choice.left if why is Left.KIND)


def test_a_list_that_just_fits_at_start_is_no_longer_than_elsewhere():
    for length in range(100, 300):
        made = [entry("x" * length, id=f"id{number}") for number in range(8)]
        assert len({len(choose(made, occasion, NOW).chosen) for occasion in SESSION}) == 1


def test_a_persons_words_come_before_an_agents():
    agents = entry("agent's", id="a", source=Source.AGENT, framing=Framing.EXPLICIT, sightings=30)
    humans = entry("human's", id="b", kind=Kind.LOOP)
    assert bodies([agents, humans]) == ["human's", "agent's"]


def test_a_rule_comes_before_a_correction_a_hazard_a_ritual_and_a_deferred_task():
    made = [entry(kind.value, kind=kind, id=kind.value) for kind in reversed(Kind)]
    assert bodies(made) == ["law", "correction", "hazard", "ritual", "loop"]


@pytest.mark.parametrize(
    "better",
    [
        {"framing": Framing.EXPLICIT},
        {"sightings": 4},
        {"last_seen_at": "2026-11-29T09:00:00.000Z"},
    ],
    ids=["said as a rule", "said more often", "said more lately"],
)
def test_of_two_alike_the_weightier_comes_first_whatever_their_ids(better):
    for ids in ("ab", "ba"):
        made = [entry("plain", id=ids[0]), entry("better", id=ids[1], **better)]
        assert bodies(made) == ["better", "plain"]


def test_a_correction_of_today_comes_before_a_rule_of_years_ago():
    old = entry("old", id="a", said_at="2023-01-01T00:00:00.000Z", last_seen_at="2023-01-01T00:00:00.000Z")
    assert bodies([old, entry("new", id="b", kind=Kind.CORRECTION)]) == ["new", "old"]


def test_a_moment_in_the_future_counts_as_now_and_gains_nothing():
    future = entry("future", id="b", last_seen_at="2199-01-01T00:00:00.000Z")
    lately = entry("now", id="a", last_seen_at="2026-11-30T12:00:00.000Z")
    assert bodies([future, lately]) == ["now", "future"]


def test_a_ninth_entry_is_left_and_counted():
    made = [entry(f"rule {number}", id=f"id{number}") for number in range(9)]
    choice = choose(made, Occasion.START, NOW)
    assert len(choice.chosen) == 8
    assert [why for _, why in choice.left] == [Left.COUNT]


def test_an_entry_without_room_is_left_whole_and_a_shorter_one_takes_the_place():
    long = [entry(f"{number} " + "x" * 320, id=f"id{number}") for number in range(6)]
    choice = choose([*long, entry("short", id="zz", kind=Kind.LOOP)], Occasion.START, NOW)
    assert Left.ROOM in {why for _, why in choice.left}
    assert choice.chosen[-1].body == "short"


def test_giant_entries_are_cut_so_that_none_crowds_out_all_others():
    giants = [entry("word " * 20_000, id=f"giant{number}") for number in range(3)]
    choice = choose(giants, Occasion.START, NOW)
    assert len(choice.chosen) == 3
    assert len(render(choice)) <= 2_000


@unhurried
@given(entries(), st.integers(0, 3), st.integers(0, 1_000), st.integers(0, 50))
def test_any_limits_hold(made, count, characters, body):
    limits = Limits(entries=count, characters=characters, body=body)
    for occasion in SESSION:
        choice = choose(made, occasion, NOW, limits=limits)
        assert len(choice.chosen) <= count
        if choice.chosen:
            assert len(render(choice, limit=body)) <= characters


@unhurried
@given(entries())
def test_no_text_is_ever_above_its_limit(made):
    for occasion in Occasion:
        limits = limits_for(occasion)
        choice = choose(made, occasion, NOW)
        assert len(choice.chosen) <= limits.entries
        assert len(render(choice)) <= limits.characters
