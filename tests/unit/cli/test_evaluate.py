"""`asides eval` as a person and a pipeline see it."""

from __future__ import annotations

import json
import os
import pty
import subprocess

import pytest

from tests.support.console import RUN, Console
from tests.support.model_server import said, sending, serving

ROWS = (
    {
        "id": "1",
        "user_text": "add it. we never log card numbers",
        "verdict": "keep",
        "entries": [{"kind": "law", "span": "we never log card numbers", "framing": "passing"}],
    },
    {"id": "2", "user_text": "make the button blue again", "verdict": "none"},
)
PHRASES = {
    "we never log card numbers": ["law", "passing", 0.9],
    "make the button blue again": ["law", "passing", 0.4],
}


@pytest.fixture
def stage(console: Console) -> Console:
    (console.folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (console.folder / "phrases.json").write_text(json.dumps(PHRASES))
    return console


EVAL = ("eval", "labels.jsonl", "--writer", "scripted:phrases.json")


def test_the_tables_show_each_figure_with_its_denominator(stage: Console):
    done = stage.run(*EVAL)
    assert done.returncode == 0
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "scripted-1 on labels.jsonl: 2 turns (1 keep, 1 none)"
    assert "captured         100.0% [21, 100]   1/1           100.0% [21, 100]   1/1" in lines
    assert "clean turns      100.0% [21, 100]   1/1           0.0% [0, 79]       0/1" in lines
    assert "Brier" in done.stdout
    assert "peak memory" in lines[-1]


def test_json_holds_the_whole_report(stage: Console):
    found = stage.json(*EVAL)
    assert isinstance(found, dict)
    assert found["figures"]["live"]["captured"]["share"] == 1
    assert found["writer"] == "scripted-1"
    assert {"calibration", "curve", "cost", "refusals", "quiet"} <= set(found)


def test_thresholds_are_chosen_on_the_command_line(stage: Console):
    found = stage.json(*EVAL, "--threshold", "0.95", "--floor", "0.5")
    assert found["figures"]["live"]["captured"]["hits"] == 0
    assert found["figures"]["live and proposed"]["captured"]["hits"] == 1
    assert found["figures"]["live and proposed"]["clean turns"]["hits"] == 1
    assert found["refusals"] == {"below_floor": 1}


def test_predictions_and_the_picture_are_written(stage: Console):
    done = stage.run(*EVAL, "--predictions", "p.jsonl", "--plot", "curve.svg")
    assert done.returncode == 0
    first = json.loads((stage.folder / "p.jsonl").read_text().splitlines()[0])
    assert first["id"] == "1"
    assert first["entries"][0]["body"] == "we never log card numbers"
    assert (stage.folder / "curve.svg").read_text().startswith("<svg")


def test_a_requirement_that_is_missed_leaves_with_1_and_says_which_and_by_how_much(stage: Console):
    done = stage.run(*EVAL, "--require", "captured>=40%", "--require", "both.clean-turns>=0.92")
    assert done.returncode == 1
    assert "captured" in done.stdout
    assert done.stderr == (
        "asides: both.clean-turns>=0.92 is missed by 92.0 points: "
        "clean turns (live and proposed) is 0.0% (0 of 1).\n"
        "  The figures are printed above; docs/evaluation.md says what each counts.\n"
    )


def test_requirements_that_are_met_leave_with_0(stage: Console):
    assert stage.run(*EVAL, "--require", "captured>=40%").returncode == 0


def test_a_missed_requirement_leaves_the_report_as_json_and_tells_the_fault_as_json(stage: Console):
    done = stage.run(*EVAL, "--json", "--require", "clean-hard>=1")
    assert done.returncode == 1
    assert json.loads(done.stdout)["turns"] == 2
    assert json.loads(done.stderr)["exit_code"] == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("eval", "nowhere.jsonl"), "nowhere.jsonl"),
        ((*EVAL, "--require", "speed>=3"), "no figure"),
        ((*EVAL, "--threshold", "7"), "0<=x<=1"),
        ((*EVAL, "--predictions", "no/such/p.jsonl"), "there is no folder"),
        (("eval", "labels.jsonl", "--writer", "oracle"), "There is no writer oracle"),
        (
            ("eval", "labels.jsonl", "--writer", "remote:http://models.example/v1#m"),
            "asides: models.example is not this machine, and the labelled turns would be sent there.",
        ),
    ],
)
def test_wrong_words_leave_with_1_before_anything_is_judged(stage: Console, words, told):
    done = stage.run(*words)
    assert done.returncode == 1
    assert told in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_writer_that_cannot_be_loaded_leaves_with_4(stage: Console):
    assert stage.run("eval", "labels.jsonl", "--writer", "encoder:.").returncode == 4


def test_a_model_behind_an_address_of_this_machine_is_measured_like_any_other(stage: Console):
    line = "MEMORY | kind=law | source=human | anchor=general | we never log card numbers"
    with serving(sending(200, said(line))) as served:
        found = stage.json("eval", "labels.jsonl", "--writer", f"remote:{served.url}#m")
    assert isinstance(found, dict)
    assert found["writer"] == f"m@{served.url.removeprefix('http://').removesuffix('/v1')}"
    assert found["figures"]["live and proposed"]["captured"]["hits"] == 1
    assert found["figures"]["live and proposed"]["clean turns"]["hits"] == 1, "it is not in the other message"
    assert [path for path, _ in served.asked] == ["/v1/chat/completions"] * 2


def test_a_server_that_is_away_leaves_with_4_and_says_what_to_start(stage: Console):
    with serving(sending(200, said("NONE"))) as served:
        gone = served.url
    done = stage.run("eval", "labels.jsonl", "--writer", f"remote:{gone}#m")
    assert done.returncode == 4
    assert "does not answer" in done.stderr
    assert "Start the server" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_malformed_line_is_named(stage: Console):
    with (stage.folder / "labels.jsonl").open("a") as file:
        file.write('{"id": "3", "user_text": "x", "verdict": "perhaps"}\n')
    done = stage.run(*EVAL)
    assert done.returncode == 1
    assert done.stderr.startswith("asides: labels.jsonl, line 3: ")
    assert "perhaps" in done.stderr


def test_without_labels_the_packaged_turns_are_judged(stage: Console):
    found = stage.json("eval", "--writer", "scripted")
    assert found["labels"] == "heldout.jsonl.gz"
    assert found["turns"] >= 300
    assert found["figures"]["live"]["clean hard"]["share"] == 1


def test_the_bundled_writer_knows_what_it_was_taught(stage: Console):
    done = stage.run("eval", "--require", "captured>=58%", "--require", "both.clean-hard>=80%")
    assert done.returncode == 0, done.stderr


def test_a_terminal_is_shown_how_far_a_long_file_is(stage: Console):
    long = "".join(
        json.dumps({"id": str(n), "user_text": "go", "verdict": "none"}) + "\n" for n in range(250)
    )
    (stage.folder / "labels.jsonl").write_text(long)
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [*RUN, *EVAL],
            cwd=stage.folder,
            env=stage.environment,
            stdout=subprocess.PIPE,
            stderr=theirs,
            timeout=60,
            check=True,
        )
        shown = os.read(ours, 65536)
    finally:
        os.close(ours)
        os.close(theirs)
    assert b"judging" in shown
    assert b"judging" not in done.stdout


def test_the_manual_page_names_every_option(stage: Console):
    shown = stage.run("eval", "--help").stdout
    for option in ("--writer", "--threshold", "--floor", "--predictions", "--plot", "--require", "--json"):
        assert option in shown
