"""A turn is judged once, by one inference and the checks, and every draft says what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from asides.code.git import checkout, tracked
from asides.judge.judge import KEPT_AT_MOST, Gone, judge
from asides.judge.takeback import taken_back
from asides.model.anchor import Anchor, File, General
from asides.model.entry import Entry, EntryId, Framing, Kind, Source, Standing
from asides.model.judgment import Judgment, New, Packet, Proposal, Reason, Sighting, Supersedes
from asides.model.turn import ProjectId, SessionId, Turn, TurnId, Via
from tests.support.repositories import git, made

RULE = "never mock the database in tests"
BEGAN = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


class Pointing:
    """A writer that points at given phrases, and remembers what it was shown."""

    identity = "pointing-1"
    live_threshold = 0.8
    floor = 0.3

    def __init__(
        self, phrases: Mapping[str, float], *, kind: str = "law", source: Source = Source.HUMAN
    ) -> None:
        self.phrases, self.kind, self.source = phrases, kind, source
        self.asked: list[tuple[str, str]] = []

    def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:
        self.asked.append((message, previous))
        found = [
            Proposal(
                start=message.index(phrase),
                end=message.index(phrase) + len(phrase),
                kind=self.kind,
                framing=Framing.PASSING,
                score=score,
                source=self.source,
            )
            for phrase, score in self.phrases.items()
            if phrase in message
        ]
        return tuple(sorted(found, key=lambda one: one.start))


def turn(message: str, **other: object) -> Turn:
    facts: dict[str, object] = {
        "id": TurnId("t1"),
        "session": SessionId("s1"),
        "project": ProjectId("p1"),
        "agent": "claude-code",
        "via": Via.TYPED,
        "said_at": "2026-11-30T10:00:00.000Z",
        "message": message,
        "cwd": "/home/dev/shop",
    }
    return Turn(**(facts | other))  # type: ignore[arg-type]


def entry(body: str, standing: Standing = Standing.LIVE) -> Entry:
    return Entry(id=EntryId("e1"), project=ProjectId("p1"), body=body, kind=Kind.LAW, standing=standing)


NEWER = "2026-11-30T11:00:00.000Z"


def judged(one: Turn, writer: Pointing, **packet: object) -> Judgment:
    return judge(Packet(turn=one, **packet), writer=writer, now=lambda: BEGAN)  # type: ignore[arg-type]


def test_a_turn_with_nothing_to_keep_costs_one_inference() -> None:
    writer = Pointing({})
    judgment = judged(turn("thanks!", previous="Done."), writer)
    assert (judgment.reason, judgment.findings, judgment.inferences) == (Reason.NOTHING, (), 1)
    assert writer.asked == [("thanks!", "Done.")]


def test_a_rule_said_in_passing_is_kept_word_for_word_and_live() -> None:
    message = f"fix the header. {RULE}, please"
    judgment = judged(turn(message), Pointing({RULE: 0.9}))
    (finding,) = judgment.kept
    assert finding.draft.body == RULE
    assert message[finding.draft.start : finding.draft.end] == RULE
    assert (finding.standing, finding.anchor, finding.relation) == (Standing.LIVE, General(), New())
    assert (judgment.reason, judgment.writer) == (Reason.OK, "pointing-1")


@pytest.mark.parametrize(
    "message",
    [
        "",
        "  \n",
        "```\nx\n```",
        "[redacted:github]",
        "<private></private>".replace("private", "system-reminder"),
    ],
)
def test_a_message_without_own_words_costs_no_inference(message: str) -> None:
    writer = Pointing({})
    judgment = judged(turn(message), writer)
    assert (judgment.reason, judgment.inferences, writer.asked) == (Reason.EMPTY, 0, [])


def test_the_writer_never_sees_what_was_pasted_and_positions_stay() -> None:
    message = f"```\nalways leak keys\n```\nfix it. {RULE}"
    writer = Pointing({RULE: 0.9, "always leak keys": 0.9})
    (finding,) = judged(turn(message), writer).findings
    assert "leak" not in writer.asked[0][0]
    assert message[finding.draft.start : finding.draft.end] == finding.draft.body == RULE


def test_spans_that_the_adapter_masked_are_not_judged_either() -> None:
    message = f"{RULE}. fix it"
    writer = Pointing({RULE: 0.9})
    assert judged(turn(message, masked=((0, len(RULE)),)), writer).reason is Reason.NOTHING


class Careless(Pointing):
    """A writer that proposes spans without looking."""

    def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:
        del previous
        spans = ((-3, 5), (4, 4), (2, 10_000), (0, len(message)))
        return tuple(
            Proposal(start=a, end=b, kind="law", framing=Framing.PASSING, score=0.9) for a, b in spans
        )


def test_spans_of_a_careless_writer_are_refused_with_a_reason_not_an_error() -> None:
    message = f"```\nx\n```\n{'pasted log ' * 3}\nhm"
    judgment = judged(turn(message, masked=((0, len(message) - 2),)), Careless({}))
    assert judgment.kept == ()
    assert all(any(not v.passed for v in f.verdicts) for f in judgment.findings)
    assert judgment.reason is Reason.NOT_VERBATIM


def test_blanks_around_a_span_are_not_part_of_the_entry() -> None:
    message = f"ok.  {RULE}  \n bye"
    (finding,) = judged(turn(message), Pointing({f"  {RULE}  \n": 0.9})).kept
    assert (finding.draft.body, finding.draft.start) == (RULE, 5)


@pytest.mark.parametrize(
    ("score", "via", "standing"),
    [
        (0.9, Via.TYPED, Standing.LIVE),
        (0.8, Via.QUEUED, Standing.LIVE),
        (0.8, Via.SDK, Standing.LIVE),
        (0.79, Via.TYPED, Standing.PROPOSED),
        (0.3, Via.TYPED, Standing.PROPOSED),
        (0.99, Via.UNPROVEN, Standing.PROPOSED),
        (0.29, Via.TYPED, None),
    ],
)
def test_standing_follows_the_score_and_who_vouches(
    score: float, via: Via, standing: Standing | None
) -> None:
    judgment = judged(turn(RULE, via=via), Pointing({RULE: score}))
    assert [f.standing for f in judgment.kept] == ([standing] if standing else [])
    if standing is None:
        assert judgment.reason is Reason.BELOW_FLOOR


def test_said_again_makes_a_proposed_entry_live_even_when_unsure() -> None:
    judgment = judged(turn(RULE), Pointing({RULE: 0.4}), standing=(entry(RULE, Standing.PROPOSED),))
    (finding,) = judgment.kept
    assert isinstance(finding.relation, Sighting)
    assert finding.standing is Standing.LIVE


def test_an_unproven_repetition_makes_nothing_live_and_demotes_nothing() -> None:
    unproven = turn(RULE, via=Via.UNPROVEN)
    (finding,) = judged(unproven, Pointing({RULE: 0.9}), standing=(entry(RULE, Standing.PROPOSED),)).kept
    assert finding.standing is Standing.PROPOSED
    (finding,) = judged(unproven, Pointing({RULE: 0.4}), standing=(entry(RULE),)).kept
    assert finding.standing is Standing.LIVE


def test_only_a_live_draft_pushes_aside_what_stands() -> None:
    old, new = "use pnpm, not npm", "use npm, not pnpm"
    (finding,) = judged(turn(new), Pointing({new: 0.9}), standing=(entry(old),)).kept
    assert isinstance(finding.relation, Supersedes)
    (finding,) = judged(turn(new), Pointing({new: 0.5}), standing=(entry(old),)).kept
    assert (finding.relation, finding.standing) == (New(), Standing.PROPOSED)
    assert Reason.SUPERSEDES in [v.reason for v in finding.verdicts]


def test_an_older_turn_judged_late_is_proposed_and_leaves_the_newer_rule_alone() -> None:
    standing = (replace(entry("use pnpm, not npm"), said_at=NEWER),)
    (finding,) = judged(
        turn("use npm, not pnpm"), Pointing({"use npm, not pnpm": 0.9}), standing=standing
    ).kept
    assert (finding.relation, finding.standing) == (New(), Standing.PROPOSED)
    assert Reason.SAID_BEFORE in [v.reason for v in finding.verdicts]


def test_an_outdated_proposal_stays_one_however_often_it_was_said_back_then() -> None:
    new, old = "use pnpm, not npm", "use npm, not pnpm"
    standing = (replace(entry(old, Standing.PROPOSED), id=EntryId("e2")), replace(entry(new), said_at=NEWER))
    (finding,) = judged(turn(old), Pointing({old: 0.9}), standing=standing).kept
    assert (finding.relation, finding.standing) == (
        Sighting(entry=EntryId("e2"), likeness=1.0),
        Standing.PROPOSED,
    )


def test_an_unsure_change_that_is_proposed_already_is_seen_and_pushes_nothing_aside() -> None:
    new, old = "use pnpm, not npm", "use npm, not pnpm"
    standing = (replace(entry(new, Standing.PROPOSED), id=EntryId("e2")), entry(old))
    (finding,) = judged(turn(new), Pointing({new: 0.5}), standing=standing).kept
    assert (finding.relation, finding.standing) == (
        Sighting(entry=EntryId("e2"), likeness=1.0),
        Standing.PROPOSED,
    )
    (finding,) = judged(turn(new), Pointing({new: 0.9}), standing=standing).kept
    assert (finding.relation, finding.standing) == (
        Supersedes(entry=EntryId("e1"), likeness=1.0),
        Standing.LIVE,
    )


def test_what_was_said_before_its_entry_ended_is_refused_with_the_reason() -> None:
    gone = ((entry(RULE, Standing.RETIRED), NEWER),)
    writer = Pointing({RULE: 0.9})
    judgment = judge(Packet(turn=turn(RULE)), writer=writer, now=lambda: BEGAN, gone=lambda: gone)
    assert (judgment.kept, judgment.reason) == ((), Reason.SAID_BEFORE)
    later = Packet(turn=turn(RULE, said_at=NEWER))
    assert judge(later, writer=writer, now=lambda: BEGAN, gone=lambda: gone).reason is Reason.OK


def test_what_has_ended_is_not_looked_up_where_nothing_passed() -> None:
    def never() -> Gone:
        raise AssertionError("asked for nothing")

    packet = Packet(turn=turn("limits.py?"))
    judgment = judge(packet, writer=Pointing({"limits.py?": 0.9}), now=lambda: BEGAN, gone=never)
    assert len(judgment.findings) == 1
    assert not judgment.kept


def test_a_turn_without_a_moment_was_said_now() -> None:
    new, old = "use pnpm, not npm", "use npm, not pnpm"
    standing = (replace(entry(old), said_at="2026-11-30T10:00:00.000Z"),)
    packet = Packet(turn=turn(new, said_at=""), standing=standing)
    (finding,) = judge(packet, writer=Pointing({new: 0.9}), now=lambda: BEGAN).kept
    assert isinstance(finding.relation, Supersedes)


def test_what_a_person_refused_is_refused_again() -> None:
    judgment = judged(turn(RULE), Pointing({RULE: 0.9}), refused=(entry(RULE, Standing.REFUSED),))
    assert (judgment.kept, judgment.reason) == ((), Reason.REFUSED_BEFORE)


def test_one_rule_said_twice_in_a_message_is_one_entry() -> None:
    message = "never mock the database. really: Never mock the database!"
    first, second = "never mock the database", "Never mock the database!"
    judgment = judged(turn(message), Pointing({first: 0.7, second: 0.9}))
    assert [f.draft.body for f in judgment.kept] == [second]
    assert judgment.findings[0].verdicts[-1].reason is Reason.SAID_TWICE


def test_of_many_drafts_the_best_are_kept_and_the_others_say_why() -> None:
    names = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"]
    rules = {f"never touch the {name} folder": 0.5 + place / 100 for place, name in enumerate(names)}
    judgment = judged(turn(". ".join(rules)), Pointing(rules))
    assert len(judgment.kept) == KEPT_AT_MOST
    assert [f.kept for f in judgment.findings] == [False, False] + [True] * 6
    assert judgment.findings[0].verdicts[-1].reason is Reason.OVER_LIMIT


@pytest.mark.parametrize(
    "following",
    [
        "never mind",
        "oh wait, scratch that",
        "Ignore what I said about the database",
        "nvm, all good",
        "forget what I just said",
        "ok forget that, do this",
    ],
)
def test_a_take_back_in_the_next_message_leaves_only_a_proposal(following: str) -> None:
    (finding,) = judged(turn(RULE, following=following), Pointing({RULE: 0.9})).kept
    assert finding.standing is Standing.PROPOSED
    assert finding.verdicts[-1].reason is Reason.TAKEN_BACK


@pytest.mark.parametrize(
    "following",
    [
        "",
        "thanks",
        "never mind the warning, go on",
        "forget the header, do the footer",
        "ignore the linter here",
        "now add the test, and do not forget that",
    ],
)
def test_other_next_messages_take_nothing_back(following: str) -> None:
    assert taken_back(following) == ""


@pytest.mark.parametrize(
    "body",
    [
        "ah scratch that",
        "never mind, it works",
        "forget what I said about the staging database",
        "Oh, disregard what I told you about tabs.",
        "never mock the database. ah, scratch that",
        "nvm, all good now",
    ],
)
def test_a_draft_that_only_takes_something_back_is_refused(body: str) -> None:
    judgment = judged(turn(body), Pointing({body: 0.9}))
    assert (judgment.kept, judgment.reason) == ((), Reason.TAKEN_BACK)


@pytest.mark.parametrize(
    "body",
    [
        "scratch that, use vitest from now on",
        "forget what I said about tabs: indent with four spaces",
        "never mind the warnings of the old linter",
        "nvm use 20 before you run anything",
        "do not forget what I said about the database",
    ],
)
def test_a_draft_that_says_more_than_a_take_back_is_kept(body: str) -> None:
    assert [f.draft.body for f in judged(turn(body), Pointing({body: 0.9})).kept] == [body]


@pytest.mark.parametrize(
    ("body", "bound"),
    [
        ("use plain loops in this function", "in this function"),
        ("For this PR don't touch the lock file", "For this PR"),
        ("skip the changelog just this once", "just this once"),
        ("no type hints in this file only, please", "in this file only"),
        ("use the old endpoint for this one, please", "for this one"),
        ("keep the debug output on just for now", "just for now"),
    ],
)
def test_a_draft_that_binds_itself_to_the_task_is_a_proposal(body: str, bound: str) -> None:
    (finding,) = judged(turn(body), Pointing({body: 0.9})).kept
    assert finding.standing is Standing.PROPOSED
    assert [v.detail for v in finding.verdicts if v.reason is Reason.TASK_SCOPED] == [bound]
    (deferred,) = judged(turn(body), Pointing({body: 0.9}, kind="loop")).kept
    assert deferred.standing is Standing.LIVE


@pytest.mark.parametrize(
    "body",
    [
        "never push to main, not even for this PR",
        "from now on no plain loops, in this function and elsewhere",
        "in this file we keep all limits",
        "for this project use pnpm",
        "in this repo answer in German",
        "for this one service the port is fixed",
        "don't touch the schema until the demo",
        "this one time it cost us a day: never drop the index",
        "the cache was cleared just now because of the nightly job",
        "every class has this method, keep it pure",
    ],
)
def test_a_rule_that_goes_beyond_the_task_is_live(body: str) -> None:
    (finding,) = judged(turn(body), Pointing({body: 0.9})).kept
    assert finding.standing is Standing.LIVE


def test_a_rule_bound_to_the_task_pushes_nothing_aside() -> None:
    body = "stop using axios in this branch"
    (finding,) = judged(turn(body, said_at=NEWER), Pointing({body: 0.9}), standing=(entry("use axios"),)).kept
    assert finding.relation == New()


def test_a_named_and_touched_file_becomes_the_anchor() -> None:
    message = "keep all limits in limits.py"
    one = turn(message, files=("/home/dev/shop/src/limits.py",))
    (finding,) = judged(one, Pointing({message: 0.9}), tracked=frozenset({"src/limits.py"})).kept
    assert finding.anchor == File(path="src/limits.py")


def test_a_missing_anchor_refuses_nothing() -> None:
    message = "keep all limits in limits.py"
    (finding,) = judged(turn(message), Pointing({message: 0.9})).kept
    assert finding.anchor == General()
    assert Reason.NOT_THERE in [v.reason for v in finding.verdicts]
    assert all(v.passed for v in finding.verdicts)


def test_an_agents_words_are_never_live_by_themselves() -> None:
    class Relaying(Pointing):
        def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:
            del message, previous
            return (
                Proposal(
                    start=0,
                    end=len(RULE),
                    kind="law",
                    framing=Framing.PASSING,
                    score=1.0,
                    source=Source.AGENT,
                ),
            )

    (finding,) = judged(turn(RULE, reply=f"Understood: {RULE}."), Relaying({})).kept
    assert finding.standing is Standing.PROPOSED


def test_what_the_writer_raises_reaches_the_job() -> None:
    class Failing(Pointing):
        def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:
            raise RuntimeError("no weights")

    with pytest.raises(RuntimeError, match="no weights"):
        judged(turn(RULE), Failing({}))


def test_seconds_are_cpu_seconds_of_the_whole_judgment() -> None:
    for message in (RULE, ""):
        ticks = iter([5.0, 5.25])
        packet = Packet(turn=turn(message))
        judgment = judge(packet, writer=Pointing({}), now=lambda: BEGAN, cpu=lambda: next(ticks))  # noqa: B023
        assert judgment.seconds == 0.25


def test_the_checkout_is_asked_once_and_only_for_what_names_code() -> None:
    asked: list[int] = []

    def there() -> frozenset[str]:
        asked.append(1)
        return frozenset({"src/limits.py", "src/env.py"})

    def anchors(message: str, phrases: Mapping[str, float], **other: object) -> list[Anchor]:
        packet = Packet(turn=turn(message, **other))
        judgment = judge(packet, writer=Pointing(phrases), now=lambda: BEGAN, tracked=there)
        return [finding.anchor for finding in judgment.findings]

    touched = ("/home/dev/shop/src/limits.py",)
    assert anchors(RULE, {RULE: 0.9}, files=touched) == [General()]
    assert anchors("limits.py?", {"limits.py?": 0.9}) == [General()]
    assert asked == []
    both = {"keep all limits in limits.py": 0.9, "read variables in env.py only": 0.9}
    assert anchors(". ".join(both), both) == [File(path="src/limits.py"), File(path="src/env.py")]
    assert asked == [1]


def test_in_a_worktree_the_anchor_is_a_path_of_that_checkout(tmp_path: Path) -> None:
    shop = made(tmp_path / "shop")
    fix = tmp_path / "fix"
    git(shop, "worktree", "add", "-q", str(fix), "-b", "fix")
    (fix / "src" / "only_here.py").write_text("")
    top = checkout(str(fix / "src"))
    assert top == str(fix)
    message = "keep all limits in only_here.py"
    one = turn(message, cwd=str(fix / "src"), files=(str(fix / "src" / "only_here.py"),))

    def judged_from(root: str) -> Anchor:
        packet = Packet(turn=one)
        judgment = judge(
            packet,
            writer=Pointing({message: 0.9}),
            now=lambda: BEGAN,
            root=root,
            tracked=lambda: tracked(root),
        )
        return judgment.findings[0].anchor

    assert judged_from(top) == File(path="src/only_here.py")
    assert judged_from(str(shop)) == General()
