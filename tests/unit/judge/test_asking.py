"""A writer that answers more is asked where rules leave something open, and the checks bound its word."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from asides.judge.anchoring import named
from asides.judge.consolidation import ENDS, POSSIBLE, SAME_PROPOSED
from asides.judge.judge import judge
from asides.judge.kinship import kinship
from asides.model.anchor import Anchor, File, General
from asides.model.entry import Entry, EntryId, Framing, Kind, Source, Standing
from asides.model.judgment import (
    Draft,
    Finding,
    Judgment,
    New,
    Packet,
    Proposal,
    Relation,
    Sighting,
    Supersedes,
)
from asides.model.turn import ProjectId, SessionId, Turn, TurnId, Via
from asides.writers.further import further
from asides.writers.passing import Passing
from asides.writers.scripted import Scripted
from asides.writers.tuned import Tuned

ROOT = "/home/dev/shop"
NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
LOOSE = "environment variables get read in the env module and nowhere else"
OFFLINE, AGAIN = "every test must run offline", "tests without network please"
OLD, CHANGE = "use single quotes for strings", "strings go in double quotes"


class Answering:
    """Answers further questions as it is told to, and remembers them."""

    identity = "answering-1"
    live_threshold = 0.8
    floor = 0.3

    def __init__(
        self,
        phrases: Mapping[str, float],
        *,
        places: Callable[[Sequence[Anchor]], Sequence[Anchor] | None] = lambda offered: None,
        relation: Callable[[Sequence[Entry]], Relation | None] = lambda standing: None,
        source: Source = Source.HUMAN,
        kind: Kind = Kind.LAW,
    ) -> None:
        self._phrases, self._source, self._kind = phrases, source, kind
        self._places, self._relation = places, relation
        self.asked: list[tuple[str, list[str], list[str]]] = []

    def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:
        return tuple(
            Proposal(
                start=message.index(phrase),
                end=message.index(phrase) + len(phrase),
                kind=self._kind,
                framing=Framing.PASSING,
                score=score,
                source=self._source,
            )
            for phrase, score in self._phrases.items()
        )

    @property
    def further(self) -> Answering:
        return self

    def places(self, drafts: Sequence[Draft], offered: Sequence[Anchor]) -> tuple[Anchor, ...] | None:
        paths = [one.path for one in offered if isinstance(one, File)]
        self.asked.append(("places", [one.body for one in drafts], paths))
        answer = self._places(offered)
        return None if answer is None else tuple(answer)

    def relation(self, draft: Draft, standing: Sequence[Entry]) -> Relation | None:
        self.asked.append(("relation", [draft.body], [one.id for one in standing]))
        return self._relation(standing)


def entry(body: str, standing: Standing = Standing.LIVE, name: str = "e1", **more: object) -> Entry:
    one = Entry(
        id=EntryId(name),
        project=ProjectId("p1"),
        body=body,
        kind=Kind.LAW,
        standing=standing,
        said_at="2026-11-01T10:00:00.000Z",
    )
    return replace(one, **more)  # type: ignore[arg-type]


def judged(message: str, writer: Answering, *, files: tuple[str, ...] = (), **packet: object) -> Judgment:
    turn = Turn(
        id=TurnId("t1"),
        session=SessionId("s1"),
        project=ProjectId("p1"),
        agent="claude-code",
        via=Via.TYPED,
        said_at="2026-11-30T10:00:00.000Z",
        message=message,
        cwd=ROOT,
        files=tuple(f"{ROOT}/{name}" for name in files),
    )
    tracked = frozenset({"config/env.js", "src/app.js", "README.md"})
    seen = Packet(turn=turn, tracked=tracked, **packet)  # type: ignore[arg-type]
    return judge(seen, writer=writer, now=lambda: NOW, root=ROOT)


def only(judgment: Judgment) -> Finding:
    (finding,) = judgment.kept
    return finding


def notes(finding: Finding) -> list[str]:
    return [one.detail for one in finding.verdicts if one.check == "asked"]


FILES = ("src/app.js", "config/env.js")


# --- the second question -------------------------------------------------------------


def test_an_entry_that_names_a_touched_file_loosely_is_tied_to_it_by_the_writer():
    writer = Answering({LOOSE: 0.9}, places=lambda offered: [File(path="config/env.js")])
    judgment = judged(f"Fine. {LOOSE}.", writer, files=FILES)
    assert only(judgment).anchor == File(path="config/env.js")
    assert notes(only(judgment)) == ["the writer ties it to config/env.js"]
    assert [one.reason for one in only(judgment).verdicts if one.check == "anchor"] == ["named_and_there"]
    assert writer.asked == [("places", [LOOSE], ["config/env.js", "src/app.js"])], "what is named comes first"
    assert judgment.inferences == 2


@pytest.mark.parametrize("path", ["src/app.js", "README.md", "../etc/env.js"])
def test_a_place_that_the_entry_does_not_name_or_the_turn_did_not_touch_is_not_taken(path):
    writer = Answering({LOOSE: 0.9}, places=lambda offered: [File(path=path)])
    finding = only(judged(f"Fine. {LOOSE}.", writer, files=FILES))
    assert finding.anchor == General()
    assert notes(finding) == [f"the writer ties it to {path}, no file of the turn that it names"]


@pytest.mark.parametrize(("answer", "told"), [([General()], ["the writer ties it to no file"]), (None, [])])
def test_where_the_writer_ties_it_to_nothing_it_stays_general(answer, told):
    writer = Answering({LOOSE: 0.9}, places=lambda offered: answer)
    finding = only(judged(f"Fine. {LOOSE}.", writer, files=FILES))
    assert (finding.anchor, notes(finding)) == (General(), told)


def test_the_second_question_can_neither_add_nor_drop_nor_reword():
    writer = Answering({LOOSE: 0.9, "no tabs in here": 0.8}, places=lambda offered: [offered[0]])
    message = f"Fine. {LOOSE}. And no tabs in here"
    judgment = judged(message, writer, files=FILES)
    assert [one.draft.body for one in judgment.kept] == [LOOSE, "no tabs in here"]
    assert [one.anchor for one in judgment.kept] == [File(path="config/env.js"), General()]


@pytest.mark.parametrize(
    ("body", "score", "files"),
    [
        (LOOSE, 0.9, ()),  # no code was touched
        ("never mock the database in tests", 0.9, FILES),  # no file is named
        ("env vars are read in config/env.js only", 0.9, FILES),  # rules tie it already
        (LOOSE, 0.1, FILES),  # nothing is kept
    ],
)
def test_the_second_question_is_not_asked_where_it_cannot_matter(body, score, files):
    writer = Answering({body: score})
    judgment = judged(f"Fine. {body}.", writer, files=files)
    assert writer.asked == []
    assert judgment.inferences == 1


@pytest.mark.parametrize(
    ("body", "path", "right"),
    [
        ("read env vars in env.js only", "config/env.js", True),
        ("the env module reads them", "config/env.js", True),
        ("only the file called `env` reads them", "config/env.js", True),
        ("the Env-module reads them", "config/env.js", True),
        ("never test on production", "src/test.py", False),
        ("keep the environment module small", "config/env.js", False),
        ("my-env module", "config/env.js", False),
        ("read old.env.js only", "config/env.js", False),
        ("the module is small", ".gitignore", False),
        ("leave .gitignore alone", ".gitignore", True),
    ],
)
def test_a_file_is_named_by_its_name_or_by_what_developers_call_it(body, path, right):
    assert named(body, path) is right


# --- the third question --------------------------------------------------------------


def test_the_examples_lie_where_the_weights_leave_it_open():
    """Choose others where new weights are sure of these."""
    repeat = kinship(AGAIN, OFFLINE, closeness=None)
    assert POSSIBLE <= repeat.same < SAME_PROPOSED
    assert repeat.ends < POSSIBLE
    change = kinship(CHANGE, OLD, closeness=None)
    assert POSSIBLE <= change.ends < ENDS
    assert change.same < POSSIBLE


def test_a_repeat_that_rules_miss_is_counted_on_the_writers_word():
    writer = Answering({AGAIN: 0.9}, relation=lambda standing: Sighting(entry=standing[0].id, likeness=1.0))
    standing = (entry(OFFLINE, Standing.PROPOSED), entry("no tabs", name="e2"))
    judgment = judged(AGAIN, writer, standing=standing)
    finding = only(judgment)
    assert isinstance(finding.relation, Sighting)
    assert finding.relation.entry == "e1"
    assert 0.1 <= finding.relation.likeness < 0.5, "measured, not the writer's"
    assert writer.asked == [("relation", [AGAIN], ["e1"])], "only what may be meant is put to it"
    assert notes(finding) == ["the writer says that it repeats e1"]
    assert judgment.inferences == 2


def test_the_writers_word_for_a_repeat_makes_nothing_live():
    def says(standing: Sequence[Entry]) -> Relation:
        return Sighting(entry=standing[0].id, likeness=1.0)

    proposed = entry(OFFLINE, Standing.PROPOSED)
    unsure = judged(AGAIN, Answering({AGAIN: 0.5}, relation=says), standing=(proposed,))
    assert isinstance(only(unsure).relation, Sighting)
    assert only(unsure).standing is Standing.PROPOSED
    sure = judged(AGAIN, Answering({AGAIN: 0.9}, relation=says), standing=(proposed,))
    assert only(sure).standing is Standing.LIVE, "its own score does"
    certain = judged(OFFLINE, Answering({OFFLINE: 0.5}, relation=says), standing=(proposed,))
    assert only(certain).standing is Standing.LIVE, "as does a repeat that rules find"


def test_a_repeat_of_what_is_live_takes_more_than_the_writers_word():
    writer = Answering({AGAIN: 0.9}, relation=lambda standing: Sighting(entry=EntryId("e1"), likeness=1.0))
    finding = only(judged(AGAIN, writer, standing=(entry(OFFLINE),)))
    assert finding.relation == New(), "its words would be lost"


@pytest.mark.parametrize(
    "answer",
    [
        Sighting(entry=EntryId("elsewhere"), likeness=1.0),
        Supersedes(entry=EntryId("e1"), likeness=1.0),  # the weights rule it out
        New(),
        None,
    ],
)
def test_what_cannot_be_is_not_taken_from_the_writer(answer):
    writer = Answering({AGAIN: 0.9}, relation=lambda standing: answer)
    finding = only(judged(AGAIN, writer, standing=(entry(OFFLINE, Standing.PROPOSED),)))
    assert (finding.relation, finding.standing, len(notes(finding))) == (New(), Standing.LIVE, 1)


def test_a_change_that_rules_miss_supersedes_on_the_writers_word_if_the_draft_is_live():
    def says(standing: Sequence[Entry]) -> Relation:
        return Supersedes(entry=standing[0].id, likeness=1.0)

    finding = only(judged(CHANGE, Answering({CHANGE: 0.9}, relation=says), standing=(entry(OLD),)))
    assert isinstance(finding.relation, Supersedes)
    assert 0.1 <= finding.relation.likeness < 0.75
    unsure = only(judged(CHANGE, Answering({CHANGE: 0.5}, relation=says), standing=(entry(OLD),)))
    assert (unsure.relation, unsure.standing) == (New(), Standing.PROPOSED)


@pytest.mark.parametrize(
    ("later", "old"),
    [
        ({"source": Source.AGENT}, {}),  # an agent ends nothing that a person said
        ({"kind": Kind.LOOP}, {}),  # nor does work that is put off
        ({}, {"last_seen_at": "2026-12-24T10:00:00.000Z"}),  # nor what is older
    ],
)
def test_what_may_not_end_anything_does_not_by_the_writers_word_either(later, old):
    writer = Answering(
        {CHANGE: 0.9}, relation=lambda standing: Supersedes(entry=EntryId("e1"), likeness=1.0), **later
    )
    judgment = judged(CHANGE, writer, standing=(entry(OLD, **old),))
    assert not any(isinstance(one.relation, Supersedes) for one in judgment.kept)


@pytest.mark.parametrize(
    ("body", "packet"),
    [
        (AGAIN, {}),  # nothing stands
        (AGAIN, {"standing": (entry("no tabs in here"),)}),  # nothing near it does
        (OFFLINE, {"standing": (entry(OFFLINE),)}),  # rules find the repeat
        (OFFLINE, {"refused": (entry(OFFLINE, Standing.REFUSED),), "standing": (entry(AGAIN),)}),
    ],
)
def test_the_third_question_is_not_asked_where_rules_decide(body, packet):
    writer = Answering({body: 0.9}, relation=lambda standing: New())
    judgment = judged(body, writer, **packet)
    assert writer.asked == []
    assert judgment.inferences == 1


# --- who is asked --------------------------------------------------------------------


def test_a_writer_without_more_answers_is_asked_once_and_judged_by_rules_alone():
    plain = Scripted({AGAIN: (Kind.LAW, Framing.PASSING, 0.9), LOOSE: (Kind.LAW, Framing.PASSING, 0.9)})
    assert further(plain) is None
    assert further(Tuned(Passing(plain), live_threshold=0.9, floor=0.1)) is None
    judgment = judged(
        f"{LOOSE}. {AGAIN}",
        plain,  # type: ignore[arg-type]
        files=FILES,
        standing=(entry(OFFLINE, Standing.PROPOSED),),
    )
    assert judgment.inferences == 1
    assert all("asked" not in {one.check for one in finding.verdicts} for finding in judgment.findings)


def test_what_wraps_a_writer_hands_its_further_answers_on():
    writer = Answering({})
    assert further(Tuned(Passing(writer), live_threshold=0.9, floor=0.1)) is writer


def test_what_the_writer_raises_is_not_caught():
    def away(standing: Sequence[Entry]) -> Relation:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        judged(AGAIN, Answering({AGAIN: 0.9}, relation=away), standing=(entry(OFFLINE, Standing.PROPOSED),))
