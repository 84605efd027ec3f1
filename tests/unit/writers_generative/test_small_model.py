"""The real thing, small: SmolLM2-135M held to the grammar. Skipped where it is not installed."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from asides.judge.judge import judge
from asides.model.anchor import label
from asides.model.entry import Entry, EntryId, Framing, Kind, Standing
from asides.model.errors import WriterUnavailable
from asides.model.judgment import Packet, Proposal, Sighting
from asides.model.turn import ProjectId, SessionId, Turn, TurnId, Via
from asides.writers.generative import grammar, prompts
from asides.writers.generative.answers import Fault, Line, read
from asides.writers.generative.completion import TooLong
from asides.writers.generative.llama import Llama
from asides.writers.generative.passes import anchored, related
from asides.writers.generative.prompts import Prompt
from asides.writers.generative.view import harmless, shown
from asides.writers.generative.writer import Generative
from tests.support.completers import small_model

MESSAGES = (
    "Add a retry function and raise the timeout to 60. Also, fyi: we are moving off requests. httpx only.",
    "why does the second test fail",
    'From now on run `make lint` before every commit, and "quote" the C:\\new\\path | with a bar.',
    "Größe ändern 🙂 in ui.ts\nrun  the   linter before every commit\tplease",
    "以后不要再用 axios 了，统一用内置的 fetch。谢谢！",
    "- one thing\n- two things here\n```\ncode never\n```\n- and never touch generated files",
)


@pytest.fixture(scope="module")
def model():
    return Llama(small_model(), seconds=120, threads=1)


@pytest.mark.parametrize("message", MESSAGES)
def test_under_the_grammar_every_whole_answer_parses_and_is_verbatim(model, message):
    view = shown(harmless(message))
    rules = grammar.salience(view)
    assert rules is not None
    # Without the way out, so that lines come of it: this model would else say NONE to most.
    forced = rules.replace('root ::= "NONE" | line', "root ::= line")
    assert forced != rules
    for asked in (rules, forced):
        done = model.complete(prompts.salience(view, "Done."), grammar=asked)
        if not done.whole:
            continue  # six long lines run into the limit, which the writer counts
        lines = read(done.text)
        assert not isinstance(lines, Fault), done.text
        assert all(line.body in view for line in lines), done.text


def test_the_writer_points_at_words_of_the_message_and_is_never_sure(model):
    writer = Generative(model)
    for message in MESSAGES[:3]:
        for found in writer.salience(message, ""):
            assert found.score < writer.live_threshold
    assert set(writer.refusals) <= {Fault.REPEATED, Fault.CUT}
    assert writer.identity.startswith("SmolLM2-135M-Instruct.Q4_1.gguf@")


def test_anchoring_and_consolidation_are_held_to_their_forms(model):
    line = Line(kind=Kind.LAW, body="env vars are read in config/env.js only")
    (moved,), fault = anchored([line], ["config/env.js", "src/app.js::main"], model)
    assert fault is None
    assert label(moved.anchor) in ("general", "config/env.js", "src/app.js::main")
    assert (moved.kind, moved.body) == (line.kind, line.body)
    _, fault = related("we are on vitest now, not jest", ["use jest for tests", "no tabs"], model)
    assert fault is None


def test_the_judge_asks_the_real_model_all_three_questions_and_holds_it_to_the_checks(model):
    """What it answers is its affair; here it is made to keep something, as it would rather not."""
    rule = "every string in the env module goes in double quotes"
    message = f"ok. {rule}"

    class Keeping(Generative):
        def salience(self, message, previous):
            at = message.index(rule)
            return (Proposal(start=at, end=at + len(rule), kind="law", framing=Framing.PASSING, score=0.6),)

    old = Entry(
        id=EntryId("e1"),
        project=ProjectId("p"),
        body="use single quotes for strings in the env module",
        kind=Kind.LAW,
        standing=Standing.PROPOSED,
    )
    turn = Turn(
        id=TurnId("t"),
        session=SessionId("s"),
        project=ProjectId("p"),
        agent="claude-code",
        via=Via.TYPED,
        said_at="2026-11-30T10:00:00.000Z",
        message=message,
        cwd="/shop",
        files=("/shop/config/env.js", "/shop/src/app.js"),
    )
    writer = Keeping(model)
    judgment = judge(
        Packet(turn=turn, standing=(old,), tracked=frozenset({"config/env.js"})),
        writer=writer,
        now=lambda: datetime(2026, 11, 30, 10, 0, tzinfo=UTC),
        root="/shop",
    )
    (finding,) = judgment.findings
    asked = 2 if isinstance(finding.relation, Sighting) else 3  # a repeat has its place already
    assert (judgment.inferences, writer.asked, dict(writer.refusals)) == (asked, asked - 1, {})
    assert label(finding.anchor) in ("general", "config/env.js")
    assert finding.standing is Standing.PROPOSED
    assert [one.detail for one in finding.verdicts if one.check == "asked"]


def test_a_prompt_that_does_not_fit_is_said_to_be_too_long(model):
    with pytest.raises(TooLong):
        model.complete(Prompt(system="", user="word " * 5_000), grammar='root ::= "NONE"')


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's tables of sockets are read")
def test_nothing_listens_on_a_port(model):
    """The library's server is kept to a socket in a folder that only this user may enter."""
    handles = [each for each in Path("/proc/self/fd").iterdir() if each.is_symlink()]
    inodes = {str(each.readlink()).removeprefix("socket:[").rstrip("]") for each in handles}
    for table in ("tcp", "tcp6"):
        for row in Path(f"/proc/self/net/{table}").read_text().splitlines()[1:]:
            columns = row.split()
            assert not (columns[3] == "0A" and columns[9] in inodes), "a TCP port is listened on"


def test_a_damaged_model_is_refused_and_not_a_crash(tmp_path):
    with small_model().open("rb") as whole:
        start = whole.read(8_000_000)
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(start)
    with pytest.raises(WriterUnavailable, match=r"cut\.gguf"):
        Llama(cut, seconds=5)
