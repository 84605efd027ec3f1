"""A rule that is turned round by other words supersedes; a rule beside it, or for a part of it, does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.judge.consolidation import relate
from asides.judge.reversal import reverses
from asides.model.entry import Entry, EntryId, Framing, Kind, Source
from asides.model.judgment import Draft, New, Reason, Relation, Sighting, Supersedes
from asides.model.turn import ProjectId

NOON, ONE = (f"2026-11-30T{hour}:00:00.000Z" for hour in (12, 13))


def related(later: str, earlier: str, *, said: str = ONE, stood: str = NOON, kind: str = "law") -> Relation:
    entry = Entry(id=EntryId("e1"), project=ProjectId("p"), body=earlier, kind=Kind.LAW, said_at=stood)
    draft = Draft(
        body=later,
        start=0,
        end=len(later),
        kind=kind,
        framing=Framing.PASSING,
        source=Source.HUMAN,
        score=0.9,
    )
    return relate(draft, (entry,), (), said_at=said).relation


# earlier, later
REVERSED = [
    (
        "Always use tabs for indentation in this repo.",
        "Change of plan: from now on always use spaces for indentation in this repo, not tabs.",
    ),
    ("We use jest for tests", "vitest here, no longer jest"),
    ("we use pnpm here, not npm", "we went back to npm, pnpm is history"),
    ("we use pnpm here, not npm", "we use npm here"),
    ("always use tabs", "use spaces, not tabs"),
    ("use axios for calls", "we're moving off axios for calls"),
    ("we use axios", "stop using axios"),
    ("prefer yarn", "we don't use yarn any more"),
    ("stick with webpack for now", "webpack is dead, use vite"),
    ("we're on moment here", "moment → dayjs"),
    ("use redux for state", "we switched from redux to zustand"),
    ("use redux for state", "no more redux please"),
    ("run `mocha` for the tests", "use vitest instead of mocha for the tests"),
    ("use class components", "never use class components"),
    ("go with styled-components for css", "tailwind rather than styled-components for css"),
    ("write everything in JavaScript", "we ditched JavaScript, write in TypeScript"),
    ("please use black as the formatter", "ruff format here, not black"),
    ("use lodash", "avoid lodash"),
    ("tabs, not spaces", "spaces, not tabs"),
    ("we always use moment.js for dates", "we got rid of moment.js"),
    ("use poetry here because pip is slow", "we moved away from poetry"),
    ("don't use yarn here", "we switched back to yarn"),
    ("use enzyme for component tests", "enzyme was replaced by testing-library"),
    ("We use jest in tests", "we no longer use jest"),
    ("for tests we use jest", "jest's dead, use vitest"),
    ("use pnpm, not npm", "let's go back to npm"),
    ("We use jest for tests", "we use vitest now, not jest"),
    ("We use jest for tests", "Forget jest, we moved to vitest"),
    ("we use redux for state", "drop redux. We use zustand now instead of redux."),
    ("use jest or mocha", "not jest or mocha, only vitest"),
]
BESIDE = [
    ("always use tabs for indentation in Go files", "use spaces, not tabs, in Python"),
    ("always use tabs for indentation in Go files", "use spaces for indentation, not tabs"),
    ("use tabs for indentation in Go", "use spaces for indentation in Python, not tabs"),
    ("use tabs for indentation of go code", "use spaces, not tabs, for indentation of python code"),
    ("never push to main", "never push to develop"),
    ("axios calls go through lib/http.js", "don't use axios in anything new"),
    ("use axios for uploads", "don't use axios in the parser"),
    ("use npm workspaces", "use pnpm, not npm"),
    ("use pnpm, not npm", "run npm audit before each release"),
    ("use pnpm, not npm", "use npm to publish the package"),
    ("never use any", "use any for the legacy payload"),
    ("use jest for unit tests of the parser", "use vitest, not jest, for the component tests"),
    ("if you use axios, wrap it in a retry", "no longer axios"),
    ("when using docker, name the container", "we stopped using docker"),
    ("before using tabs ask me", "spaces, not tabs"),
    ("use tabs", "not only tabs but spaces are fine"),
    ("use jest", "the problem is not jest"),
    ("use jest", "why not jest"),
    ("use jest", "once we move off jest delete the config"),
    ("use jest", "don't use jest snapshots"),
    ("use jest", "if jest is gone, tell me"),
    ("use tabs in the frontend", "spaces, not tabs"),
    ("use tabs. Run the linter before each commit and push.", "spaces, not tabs"),
    ("use redis for sessions", "use postgres, not redis, for the job queue"),
    ("use tabs in Go", "from now on use spaces, not tabs, in Python"),
    ("we use jest for tests", "we use vitest in the frontend now, not jest"),
    ("use redis", "use postgres, not redis, in the worker"),
    ("we use jest for tests", "no longer jest in the frontend tests"),
    ("never mock the database", "never mock the clock"),
    ("use the staging key", "never use the production key"),
    ("we used jest back then", "vitest, not jest"),
    ("make use of hooks", "no hooks in classes"),
    ("use fetch for calls", "use fetch for calls, not for uploads"),
    ("use spaces, not tabs", "use spaces, not tabs, in Python too"),
    ("use the logger, not print", "the logger is out of date"),
    ("answer in German", "write commits in English, not German"),
    ("don't use axios in anything new", "use axios for the upload"),
]


@pytest.mark.parametrize(("earlier", "later"), REVERSED)
def test_a_rule_turned_round_supersedes(earlier: str, later: str) -> None:
    assert isinstance(related(later, earlier), Supersedes)


@pytest.mark.parametrize(("earlier", "later"), REVERSED)
def test_a_rule_turned_round_since_does_not_come_back_from_an_old_transcript(
    earlier: str, later: str
) -> None:
    assert not isinstance(related(earlier, later, said=NOON, stood=ONE), Supersedes)
    assert not isinstance(related(later, earlier, said=NOON, stood=ONE), Supersedes)


@pytest.mark.parametrize(("earlier", "later"), BESIDE)
def test_a_rule_for_something_else_stands_beside(earlier: str, later: str) -> None:
    assert not isinstance(related(later, earlier), Supersedes)
    assert not reverses(later, earlier)


@pytest.mark.parametrize(("earlier", "later"), REVERSED)
def test_work_that_is_put_off_turns_nothing_round(earlier: str, later: str) -> None:
    assert reverses(later, earlier)
    assert not isinstance(related(f"later: {later}", f"{earlier} (or so)", kind="loop"), Supersedes)


def test_an_older_saying_is_outdated_by_what_turned_it_round() -> None:
    entry = Entry(
        id=EntryId("e1"), project=ProjectId("p"), body="we use npm here", kind=Kind.LAW, said_at=ONE
    )
    body = "we use pnpm here, not npm"
    draft = Draft(
        body=body,
        start=0,
        end=len(body),
        kind="law",
        framing=Framing.PASSING,
        source=Source.HUMAN,
        score=0.9,
    )
    found = relate(draft, (entry,), (), said_at=NOON)
    assert (found.relation, found.outdated) == (New(), True)
    assert found.verdicts[-1].reason is Reason.SAID_BEFORE


RULES = st.sampled_from([rule for pair in (*REVERSED, *BESIDE) for rule in pair])


@given(RULES)
def test_no_rule_turns_itself_round(rule: str) -> None:
    assert not reverses(rule, rule)
    assert isinstance(related(rule, rule), Sighting)


@given(st.text(max_size=120), st.text(max_size=120))
def test_any_two_texts_can_be_held_against_each_other(one: str, other: str) -> None:
    assert reverses(one, other) in (True, False)
