"""The same rule said again is a sighting, a changed one supersedes, and what is unsure is new."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.judge.consolidation import SAME_LIVE, SAME_PROPOSED, relate
from asides.judge.kinship import Closeness, kinship
from asides.judge.likeness import flipped, read, same
from asides.model.entry import Entry, EntryId, Framing, Kind, Source, Standing
from asides.model.judgment import Draft, New, Reason, Relation, Sighting, Supersedes
from asides.model.turn import ProjectId

NOON, ONE, TWO = (f"2026-11-30T{hour}:00:00.000Z" for hour in (12, 13, 14))


def entry(
    body: str,
    *,
    name: str = "e1",
    kind: Kind = Kind.LAW,
    source: Source = Source.HUMAN,
    standing: Standing = Standing.LIVE,
    said_at: str = NOON,
    seen_at: str = "",
) -> Entry:
    return Entry(
        id=EntryId(name),
        project=ProjectId("p"),
        body=body,
        kind=kind,
        source=source,
        standing=standing,
        said_at=said_at,
        last_seen_at=seen_at,
    )


def draft(body: str, *, kind: str = "law", source: Source = Source.HUMAN) -> Draft:
    return Draft(
        body=body, start=0, end=len(body), kind=kind, framing=Framing.PASSING, source=source, score=0.9
    )


def related(new: str, old: str, *, kind: str = "law") -> type[Relation]:
    return type(relate(draft(new, kind=kind), (entry(old),), (), said_at=NOON).relation)


SAME = [
    ("use pnpm, not npm", "Use pnpm, not npm."),
    ("always run the tests before committing", "please always run the tests before committing!"),
    ("always run the tests before committing", "before committing, always run the tests"),
    ("never mock the database", "never mock the database because it hid a bug"),
    ("never mock the database", "again: never mock the database"),
    ("don't commit unless I ask", "do not commit unless I ask"),
    ("remember to update the endpoint list", "remeber to update the endpoint list"),
    ("from now on answer in short messages", "answer in short messages"),
    ("don't push to main", "dont push to main"),
    ("we never mock the database in tests", "never mock the database in tests"),
    ("update the changelog after each change", "update the changelogs after each change"),
    ("I told you: the API key comes from vault", "the API key comes from vault"),
    ("никогда не трогай миграции", "Никогда не трогай миграции!"),
    ("हमेशा टेस्ट चलाओ", "हमेशा टेस्ट चलाओ।"),
    ("不要提交代码", "不要提交代码。"),
    ("use `make check`, not pytest", "use make check, not pytest"),
]
CHANGED = [
    ("use npm, not pnpm", "use pnpm, not npm"),
    ("use tabs over spaces", "use spaces over tabs"),
    ("use tabs instead of spaces", "use spaces instead of tabs"),
    ("always add comments to tests", "never add comments to tests"),
    ("commit without asking me", "don't commit without asking me"),
    ("run the linter before the tests", "run the tests before the linter"),
    ("migrate calls from axios to fetch", "migrate calls from fetch to axios"),
    ("keep lines under 120 characters", "keep lines under 100 characters"),
    ("functions stay below 30 lines", "functions stay below 50 lines"),
    ("we target python version 3.12", "we target python version 3.11"),
    ("you may push to main", "you may not push to main"),
    ("提交代码", "不要提交代码"),
    ("use axios for calls", "stop using axios for calls"),
]
NEW = [
    ("never push to main", "never push to develop"),
    ("never edit foo.py by hand", "never edit bar.py by hand"),
    ("port 3000 is taken by the other app", "port 3001 is taken by the other app"),
    ("use pytest for the tests", "use hypothesis for the tests"),
    ("update the endpoint list when you add an endpoint", "update the changelog when you add an endpoint"),
    ("never mock the database", "never mock the clock"),
    ("never log tokens", "never log passwords"),
    ("enable the cache in staging", "disable the cache in staging"),
    ("never upload the model by hand", "never unload the model by hand"),
    ("imports are sorted", "exports are sorted"),
    ("run the tests", "run the tests on staging before each release"),
    ("issue 12 waits for the release", "issue 13 waits for the release"),
    ("answer in German", "write commits in English"),
    ("use v1 of the api", "use v2 of the client"),
    ("never deploy on friday", "always deploy on monday"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_rule_in_other_clothes_is_a_sighting_both_ways(one: str, other: str) -> None:
    assert related(one, other) is Sighting
    assert related(other, one) is Sighting


@pytest.mark.parametrize(("new", "old"), CHANGED)
def test_a_flipped_or_replaced_rule_supersedes_both_ways(new: str, old: str) -> None:
    assert related(new, old) is Supersedes
    assert related(old, new) is Supersedes


@pytest.mark.parametrize(("one", "other"), NEW)
def test_rules_that_only_share_words_are_new_both_ways(one: str, other: str) -> None:
    assert related(one, other) is New
    assert related(other, one) is New


def test_a_name_is_replaced_only_where_the_person_turns_away() -> None:
    old = "use pnpm for installing packages"
    assert related("use yarn for installing packages", old) is New
    assert related("use yarn for installing packages", old, kind="correction") is Supersedes
    assert related("no, use yarn for installing packages", old, kind="correction") is Supersedes
    assert related("from now on use yarn for installing packages", old) is Supersedes
    assert related("never push to develop", "never push to main", kind="correction") is New


def test_one_saying_ends_each_rule_whose_slots_it_fills_anew() -> None:
    there = (
        entry("start method names with `m_`", name="front"),
        entry("end method names with `_k`", name="back"),
        entry("end class names with `_c`", name="classes"),
    )
    words = "method names now start with `q_` and end with `_z`"
    found = relate(draft(words), there, (), said_at=ONE)
    assert isinstance(found.relation, Supersedes)
    assert {found.relation.entry, *found.relation.also} == {"front", "back"}
    ended = [one.detail for one in found.verdicts if one.reason is Reason.SUPERSEDES]
    assert sorted(ended) == ["back", "front"]


def test_where_one_of_several_rules_was_said_later_none_is_ended() -> None:
    there = (
        entry("start method names with `m_`", name="front"),
        entry("end method names with `_k`", name="back", said_at=TWO),
    )
    words = "method names now start with `q_` and end with `_z`"
    found = relate(draft(words), there, (), said_at=ONE)
    assert (found.relation, found.outdated) == (New(), True)


def test_a_near_duplicate_of_what_was_refused_does_not_come_back() -> None:
    refused = entry("never mock the database", standing=Standing.REFUSED)
    related = relate(
        draft("Never mock the database!"), (entry("never mock the database"),), (refused,), said_at=NOON
    )
    assert related.relation == New()
    assert [(v.passed, v.reason) for v in related.verdicts] == [(False, Reason.REFUSED_BEFORE)]
    related = relate(draft("never mock the clock"), (), (refused,), said_at=NOON)
    assert all(v.passed for v in related.verdicts)


def test_a_sighting_goes_before_a_change_and_names_its_entry() -> None:
    standing = (entry("use pnpm, not npm", name="old"), entry("use npm, not pnpm", name="new"))
    related = relate(draft("use npm, not pnpm"), standing, (), said_at=NOON)
    assert related.relation == Sighting(entry=EntryId("new"), likeness=1.0)
    assert related.verdicts[-1].reason is Reason.SIGHTING


def test_an_agent_changes_nothing_that_a_person_said() -> None:
    one = draft("use npm, not pnpm", source=Source.AGENT)
    agents = entry("use pnpm, not npm", source=Source.AGENT)
    assert relate(one, (entry("use pnpm, not npm"),), (), said_at=NOON).relation == New()
    assert relate(one, (agents,), (), said_at=NOON).relation != New()


def test_what_no_longer_stands_is_neither_seen_again_nor_changed() -> None:
    gone = (entry("use pnpm, not npm", standing=Standing.SUPERSEDED), entry("x", standing=Standing.RETIRED))
    assert relate(draft("use pnpm, not npm"), gone, (), said_at=NOON).relation == New()


@pytest.mark.parametrize(("one", "other"), CHANGED)
def test_an_older_saying_never_throws_out_a_newer_one(one: str, other: str) -> None:
    related = relate(draft(one), (entry(other, said_at=ONE),), (), said_at=NOON)
    assert (related.relation, related.outdated) == (New(), True)
    assert [(v.passed, v.reason, v.detail) for v in related.verdicts[1:]] == [
        (True, Reason.SAID_BEFORE, "e1")
    ]
    assert isinstance(relate(draft(one), (entry(other, said_at=ONE),), (), said_at=ONE).relation, Supersedes)


def test_a_sighting_counts_as_said_again_then() -> None:
    seen = entry("use pnpm, not npm", said_at=NOON, seen_at=TWO)
    assert relate(draft("use npm, not pnpm"), (seen,), (), said_at=ONE).outdated
    assert not relate(draft("use npm, not pnpm"), (seen,), (), said_at=TWO).outdated


def test_a_choice_said_before_the_turn_away_from_it_does_not_stand_beside_it() -> None:
    turn = entry("from now on use yarn for installing packages", said_at=ONE)
    assert relate(draft("use pnpm for installing packages"), (turn,), (), said_at=NOON).outdated
    correction = entry("use yarn for installing packages", kind=Kind.CORRECTION, said_at=ONE)
    assert relate(draft("use pnpm for installing packages"), (correction,), (), said_at=NOON).outdated


def test_what_is_only_proposed_neither_holds_an_older_saying_back_nor_gives_way_to_it() -> None:
    unsure = entry("use pnpm, not npm", standing=Standing.PROPOSED, said_at=ONE)
    related = relate(draft("use npm, not pnpm"), (unsure,), (), said_at=NOON)
    assert (related.relation, related.outdated) == (New(), False)


def test_an_outdated_proposal_said_again_before_its_change_is_seen_and_stays_outdated() -> None:
    standing = (
        entry("use npm, not pnpm", name="old", standing=Standing.PROPOSED, said_at=NOON),
        entry("use pnpm, not npm", name="new", said_at=TWO),
    )
    related = relate(draft("use npm, not pnpm"), standing, (), said_at=ONE)
    assert (related.relation, related.outdated) == (Sighting(entry=EntryId("old"), likeness=1.0), True)


def test_an_outdated_proposal_said_again_after_its_change_changes_it_back() -> None:
    standing = (
        entry("use npm, not pnpm", name="old", standing=Standing.PROPOSED, said_at=NOON),
        entry("use pnpm, not npm", name="new", said_at=ONE),
    )
    related = relate(draft("use npm, not pnpm"), standing, (), said_at=TWO)
    assert related.relation == Supersedes(entry=EntryId("new"), likeness=1.0)
    assert related.twin == Sighting(entry=EntryId("old"), likeness=1.0)


def test_a_live_entry_is_seen_again_before_a_proposed_one() -> None:
    standing = (
        entry("use npm, not pnpm", name="idea", standing=Standing.PROPOSED),
        entry("use npm, not pnpm", name="rule", said_at=ONE),
    )
    related = relate(draft("use npm, not pnpm"), standing, (), said_at=NOON)
    assert related.relation == Sighting(entry=EntryId("rule"), likeness=1.0)


@pytest.mark.parametrize("standing", [Standing.RETIRED, Standing.SUPERSEDED])
def test_words_said_before_their_entry_ended_do_not_come_back_and_later_ones_do(standing: Standing) -> None:
    ended = ((entry("never mock the database", standing=standing), ONE),)
    again = draft("please, never mock the database!")
    related = relate(again, (), (), said_at=NOON, gone=ended)
    assert related.relation == New()
    assert [(v.passed, v.reason, v.detail) for v in related.verdicts] == [
        (True, Reason.OK, ""),
        (False, Reason.SAID_BEFORE, "e1"),
    ]
    for later in (ONE, TWO):
        assert all(v.passed for v in relate(again, (), (), said_at=later, gone=ended).verdicts)
    stands = entry("never mock the database", name="e2")
    related = relate(again, (stands,), (), said_at=NOON, gone=ended)
    assert isinstance(related.relation, Sighting)


RULES = st.sampled_from([text for pair in (*SAME, *CHANGED, *NEW) for text in pair])


@given(RULES, RULES)
def test_likeness_is_symmetric_and_a_rule_is_always_itself(one: str, other: str) -> None:
    a, b = read(one), read(other)
    assert same(a, a)
    assert not flipped(a, a)
    assert same(a, b) == same(b, a)
    assert flipped(a, b) == flipped(b, a)
    assert not (same(a, b) and flipped(a, b))


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_can_be_compared(one: str, other: str) -> None:
    a, b = read(one), read(other)
    assert same(a, b) == same(b, a)
    assert flipped(a, b) == flipped(b, a)


# --- what is weighed ------------------------------------------------------------

ALIKE = ("please don't put @Autowired on fields", "constructor injection only, no @Autowired on fields")
TURNED = [
    ("jest is gone, vitest everywhere", "run jest for all tests"),
    ("turns out mocks are fine in unit tests after all", "never mock in unit tests"),
    ("use bun now", "use pnpm for installs"),
]


def near(amount: float) -> Closeness:
    """Returns a closeness that is the same for all."""
    return lambda _, others: [amount for _ in others]


@pytest.mark.parametrize(("later", "earlier"), TURNED)
def test_a_change_in_other_words_supersedes(later: str, earlier: str) -> None:
    for closeness in (None, near(0.5)):
        found = relate(draft(later), (entry(earlier),), (), said_at=NOON, closeness=closeness)
        assert isinstance(found.relation, Supersedes)
        assert found.verdicts[-1].reason is Reason.SUPERSEDES


@pytest.mark.parametrize(("later", "earlier"), TURNED)
def test_a_change_in_other_words_from_an_older_turn_stays_outdated(later: str, earlier: str) -> None:
    found = relate(draft(later), (entry(earlier, said_at=ONE),), (), said_at=NOON)
    assert (found.relation, found.outdated) == (New(), True)
    back = relate(draft(earlier), (entry(later, said_at=ONE),), (), said_at=NOON)
    assert (back.relation, back.outdated) == (New(), True)


def test_what_is_only_proposed_is_seen_again_on_less_than_what_is_live() -> None:
    later, earlier = ALIKE
    weighed = kinship(later, earlier, closeness=0.4).same
    assert SAME_PROPOSED <= weighed < SAME_LIVE  # else this pair shows nothing
    proposed = entry(earlier, standing=Standing.PROPOSED)
    found = relate(draft(later), (proposed,), (), said_at=NOON, closeness=near(0.4))
    assert found.relation == Sighting(entry=EntryId("e1"), likeness=round(weighed, 3))
    assert found.verdicts[-1].reason is Reason.SIGHTING
    assert relate(draft(later), (entry(earlier),), (), said_at=NOON, closeness=near(0.4)).relation == New()


def test_a_live_repeat_goes_before_a_proposed_one() -> None:
    standing = (
        entry("no abbreviations in variable names", name="unsure", standing=Standing.PROPOSED),
        entry("no abbreviations in variable names ever", name="sure"),
    )
    found = relate(
        draft("No abbreviations in variable names!"), standing, (), said_at=NOON, closeness=near(0.99)
    )
    assert isinstance(found.relation, Sighting)
    assert found.relation.entry == "sure"


def test_what_was_refused_does_not_come_back_in_other_words_that_are_close() -> None:
    refused = entry("name test files foo.test.ts", standing=Standing.REFUSED)
    later = draft("please name the test files foo.test.ts, all of them")
    found = relate(later, (), (refused,), said_at=NOON, closeness=near(0.97))
    assert [(v.passed, v.reason, v.detail) for v in found.verdicts] == [(False, Reason.REFUSED_BEFORE, "e1")]
    found = relate(
        draft("story files are foo.stories.tsx"), (), (refused,), said_at=NOON, closeness=near(0.5)
    )
    assert all(v.passed for v in found.verdicts)


def test_what_ended_does_not_come_back_from_an_older_turn_in_other_words_that_are_close() -> None:
    gone = entry("name test files foo.test.ts", standing=Standing.RETIRED)
    words = draft("please name the test files foo.test.ts, all of them")
    before = relate(words, (), (), said_at=NOON, gone=((gone, ONE),), closeness=near(0.97))
    assert [(v.passed, v.reason) for v in before.verdicts] == [(True, Reason.OK), (False, Reason.SAID_BEFORE)]
    after = relate(words, (), (), said_at=TWO, gone=((gone, ONE),), closeness=near(0.97))
    assert all(v.passed for v in after.verdicts)


def test_of_several_that_could_end_the_likeliest_does() -> None:
    standing = (entry("use black for formatting", name="other"), entry("run jest for all tests", name="jest"))
    found = relate(draft("jest is gone, vitest everywhere"), standing, (), said_at=NOON)
    assert isinstance(found.relation, Supersedes)
    assert found.relation.entry == "jest"


def test_work_that_is_put_off_ends_nothing_by_weight() -> None:
    later = draft("jest is gone after the release, vitest everywhere then", kind="loop")
    assert relate(later, (entry("run jest for all tests"),), (), said_at=NOON).relation == New()


def test_an_agents_other_words_change_nothing_that_a_person_said() -> None:
    one = draft("jest is gone, vitest everywhere", source=Source.AGENT)
    assert relate(one, (entry("run jest for all tests"),), (), said_at=NOON).relation == New()


def test_closeness_is_asked_once_for_all_that_stands() -> None:
    asked: list[tuple[str, ...]] = []

    def closeness(_: str, others: Sequence[str]) -> list[float]:
        asked.append(tuple(others))
        return [0.3 for _ in others]

    standing = (entry("use black", name="a"), entry("never push to main", name="b"))
    relate(draft("write tests first"), standing, (), said_at=NOON, closeness=closeness)
    assert asked == [("use black", "never push to main")]
