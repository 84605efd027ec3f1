"""The replay of rules over many sessions counts what it says, on a dialogue of our own."""

from __future__ import annotations

import gzip
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from asides.model.entry import Framing, Kind
from asides.writers.scripted import Scripted

BENCH = Path(__file__).parents[3] / "bench" / "memorycode.py"


@pytest.fixture(scope="module")
def bench():
    spec = importlib.util.spec_from_file_location("asides_bench_memorycode", BENCH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


OLD = "always start variable names with 'k_'"
NEW = "always start variable names with 'p_'"
OTHER = "always import the 'colorsys' module even if it is not used"


def session(kind: str, topic: str, said: str) -> dict:
    return {
        "type": [kind],
        "topic": [topic],
        "text": f"Ada: hello there\n\nBob: hi Ada\n\nA: {said}\nand so on\n\nBob: I will",
    }


DIALOGUE = {
    "id": 7,
    "context": {"mentor": "Ada", "mentee": "Bob"},
    "sessions": [
        session("instruction-add", OLD, "Start each variable name with 'k_'."),
        session("filler-add", "lunch", "Lunch is at noon."),
        session("instruction-add", OTHER, "Import 'colorsys' everywhere."),
        session("instruction-update", NEW, "Start each variable name with 'p_'."),
    ],
}


def played(bench, phrases: dict[str, float]):
    script = {phrase: (Kind.LAW, Framing.EXPLICIT, score) for phrase, score in phrases.items()}
    tally = bench.Tally()
    bench.replay(DIALOGUE, Scripted(script), tally)
    return tally


def counts(tally, name: str) -> list[bool]:
    return tally.shares[name]


def test_speakers_are_told_apart_also_by_their_first_letters(bench):
    text = "Ada: one: two\n\nB: three\nfour\n  Ada:  five\nNote: six\n**Bob**: seven"
    assert list(bench.utterances(text, "Ada", "Bob")) == [
        (True, "one: two"),
        (False, "three\nfour"),
        (True, "five\nNote: six"),
        (False, "seven"),
    ]


def test_a_first_letter_that_both_share_names_nobody(bench):
    assert list(bench.utterances("Ada: one\nA: two", "Ada", "Al")) == [(True, "one\nA: two")]


def test_versions_of_one_rule_share_a_name_and_other_rules_do_not(bench):
    rules = [rule for one in bench.sessions(DIALOGUE) for rule in one.rules]
    assert [rule.literal for rule in rules] == ["k_", "colorsys", "p_"]
    assert rules[0].name == rules[2].name != rules[1].name


def test_a_rule_counts_as_captured_when_its_session_left_its_literal_live(bench):
    tally = played(bench, {"Start each variable name with 'k_'.": 0.9, "Import 'colorsys' everywhere.": 0.5})
    assert counts(tally, "captured") == [True, False, False]
    assert counts(tally, "captured, proposed too") == [True, True, False]
    assert dict(tally.missed) == {"only proposed: below_live": 1, "writer: nothing proposed": 1}


def test_a_session_without_instruction_is_false_when_it_leaves_anything(bench):
    tally = played(bench, {"Lunch is at noon.": 0.9, "hello there": 0.9})
    assert counts(tally, "false sessions") == [True]
    tally = played(bench, {"Lunch is at noon.": 0.4})
    assert counts(tally, "false sessions") == [False]
    assert counts(tally, "false sessions, proposed too") == [True]


def test_the_state_is_wrong_while_a_replaced_literal_lives_on(bench):
    tally = played(
        bench,
        {
            "Start each variable name with 'k_'.": 0.9,
            "Import 'colorsys' everywhere.": 0.9,
            "Unrelated: start each variable name with 'p_'": 0.9,
        },
    )
    assert counts(tally, "final state") == [True, True, True, False]
    assert dict(tally.wrong) == {
        "the literal in force: never live": 1,
        "a replaced literal is still live, and the new one was not captured": 1,
    }
    assert counts(tally, "changed rules right") == [False]


def test_a_literal_that_another_rule_has_in_force_is_not_stale(bench):
    course = bench.Course(store=None)
    tally = bench.Tally()
    course.versions = {"variables": [("k_", 0), ("p_", 1)], "methods": [("k_", 2)]}
    live = [entry(bench, "methods: k_", 2), entry(bench, "variables: p_", 1)]
    bench._count_state(2, live, course, tally)
    assert counts(tally, "final state") == [True]
    # By origin it is: this one came from the session that taught the replaced version.
    bench._count_state(2, [*live, entry(bench, "variables: k_", 0)], course, tally)
    assert counts(tally, "final state") == [True, True]
    assert counts(tally, "final state, by origin") == [True, False]


def test_a_longer_name_is_not_the_literal(bench):
    assert bench._names_it("start with 'k_'", "k_")
    assert not bench._names_it("as in 'k_total' or task_", "k_")


def entry(bench, body: str, session: int):
    return bench.Entry(
        id=bench.EntryId(body),
        project=bench.ProjectId("p"),
        body=body,
        kind=Kind.LAW,
        session=f"session-{session}",
    )


def test_the_writer_that_knows_the_answer_misses_nothing_that_was_said(bench):
    tally = bench.Tally()
    bench.replay(DIALOGUE, bench.Pointing(), tally)
    assert counts(tally, "captured") == [True, True, True]
    assert counts(tally, "false sessions") == [False]


def test_a_sample_takes_dialogues_of_every_length_and_the_same_ones_again(bench):
    every = [{"id": n, "sessions": [0] * (1 + n % 3)} for n in range(12)]
    first = bench.sample(every, 6, 1)
    assert sorted(len(one["sessions"]) for one in first) == [1, 1, 2, 2, 3, 3]
    assert first == bench.sample(every, 6, 1)
    assert bench.sample(every, None, 1) == every


def test_the_command_prints_figures_with_their_denominators(tmp_path: Path):
    with gzip.open(tmp_path / "dialogues.jsonl.gz", "wt") as file:
        file.write(json.dumps(DIALOGUE) + "\n")
    command = [sys.executable, BENCH, tmp_path, "--writer", "pointing"]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True, timeout=60)
    found = json.loads(done.stdout)
    assert (found["dialogues"], found["sessions"]) == (1, 4)
    captured = found["figures"]["captured"]
    assert (captured["hits"], captured["of"]) == (3, 3)
    assert sum(one["of"] for one in found["final state"].values()) == 4
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert "3/3" in done.stdout


def test_a_folder_without_the_dialogues_is_said_so(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, BENCH, tmp_path], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert "nothing to replay" in done.stderr
