"""Turns run through the whole judge; other thresholds are worked out from one run."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from asides.evaluation.calibration import calibration
from asides.evaluation.curve import STEPS, curve
from asides.evaluation.labels import Labelled, parse
from asides.evaluation.predictions import Prediction
from asides.evaluation.running import at, run
from asides.model.clock import now
from asides.model.entry import Framing, Kind, Standing
from asides.writers.scripted import Scripted

PHRASES = (
    "we never log card numbers",
    "never log card numbers, we",
    "always run the linter first",
    "tests live beside the code",
    "in this PR use tabs please",
    "port 3000 is taken on my machine",
    "leave the pagination for later",
    "prices are kept in cents",
    "should tabs or spaces win here?",
    "answer in short messages",
    "yes",
)


def labelled(*messages: str, **more) -> tuple[Labelled, ...]:
    rows = [{"id": str(n), "user_text": said, "verdict": "none", **more} for n, said in enumerate(messages)]
    return tuple(parse(b"\n".join(json.dumps(row).encode() for row in rows), "x"))


def scripted(scores: dict[str, float], live: float = 0.7, floor: float = 0.3) -> Scripted:
    phrases = {phrase: (Kind.LAW, Framing.PASSING, score) for phrase, score in scores.items()}
    return Scripted(phrases, live_threshold=live, floor=floor)


def test_what_the_judge_keeps_is_predicted_with_its_standing():
    turns = labelled("go on. we never log card numbers. tests live beside the code. prices are kept in cents")
    done = run(turns, scripted({PHRASES[0]: 0.8, PHRASES[3]: 0.5, PHRASES[7]: 0.1}), now=now)
    (prediction,) = done.predictions
    assert [(one.body, one.standing) for one in prediction.entries] == [
        (PHRASES[0], Standing.LIVE),
        (PHRASES[3], Standing.PROPOSED),
    ]
    assert done.refusals == {"below_floor": 1}


def test_a_rule_for_the_task_at_hand_is_proposed_at_most_whatever_its_score():
    done = run(labelled("in this PR use tabs please"), scripted({PHRASES[4]: 1.0}), now=now)
    assert [one.standing for one in done.predictions[0].entries] == [Standing.PROPOSED]
    assert [one.standing for one in at(done.every, live_threshold=0, floor=0)[0].entries] == [
        Standing.PROPOSED
    ]


def test_refusals_and_quiet_turns_are_counted_by_reason():
    turns = labelled("should tabs or spaces win here?", "yes", "nothing here", "", "> quoted only")
    done = run(turns, scripted({"should tabs or spaces win here?": 0.9, "yes": 0.9}), now=now)
    assert done.refusals == {"question": 1, "too_short": 1}
    assert done.quiet == {"empty": 2, "question": 1, "too_short": 1, "nothing": 1}


def test_each_turn_costs_one_inference_and_is_told_of():
    writer = scripted({})
    heard = []
    run(labelled("one", "one", "two"), writer, now=now, told=lambda: heard.append(1))
    assert [said for said, _ in writer.asked] == ["one", "two"]
    assert len(heard) == 3


def test_cpu_is_that_of_one_judgment():
    ticks = iter(range(100))
    done = run(labelled("one", "two"), scripted({}), now=now, cpu=lambda: float(next(ticks)))
    assert done.cpu == (1.0, 1.0)


def test_the_agents_words_before_the_message_reach_the_writer():
    writer = scripted({})
    run(labelled("yes do that", prev="Shall I use tabs?"), writer, now=now)
    assert writer.asked == [("yes do that", "Shall I use tabs?")]


def test_what_a_projects_labels_name_as_files_can_be_anchored_to():
    said = "never edit generated/api.py by hand"
    entry = {"kind": "law", "span": said, "anchor": "generated/api.py"}
    ours = {"id": "1", "project": "p", "user_text": said, "verdict": "keep", "entries": [entry]}
    other = {"id": "2", "project": "q", "user_text": said, "verdict": "none"}
    turns = tuple(parse(json.dumps(ours).encode() + b"\n" + json.dumps(other).encode(), "x"))
    done = run(turns, scripted({said: 0.9}), now=now)
    assert [one.entries[0].anchor for one in done.predictions] == ["generated/api.py", "general"]


scores = st.floats(0, 1, allow_nan=False)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from(PHRASES), min_size=1, max_size=11).map(". ".join), min_size=1, max_size=3
    ),
    st.fixed_dictionaries(dict.fromkeys(PHRASES, scores)),
    scores,
    scores,
)
def test_other_thresholds_give_what_the_judge_itself_would_keep_under_them(messages, given_scores, a, b):
    floor, live = sorted((a, b))
    turns = labelled(*messages)
    under_others = run(turns, scripted(given_scores, live=0.9, floor=0.8), now=now)
    itself = run(turns, scripted(given_scores, live=live, floor=floor), now=now)
    assert at(under_others.every, live_threshold=live, floor=floor) == itself.predictions


def kept_of(turns: tuple[Labelled, ...], *found: tuple[str, float]) -> tuple[Prediction, ...]:
    writer = scripted(dict(found), floor=0)
    return run(turns, writer, now=now).every


def keep(*spans: str, **more) -> tuple[Labelled, ...]:
    rows = [
        {
            "id": str(n),
            "user_text": span,
            "verdict": "keep",
            "entries": [{"kind": "law", "span": span}],
            **more,
        }
        for n, span in enumerate(spans)
    ]
    return tuple(parse(b"\n".join(json.dumps(row).encode() for row in rows), "x"))


def test_calibration_is_counted_as_by_hand():
    right = keep(PHRASES[0], PHRASES[2])
    wrong = tuple(parse(json.dumps({"id": "w", "user_text": PHRASES[3], "verdict": "none"}).encode(), "x"))
    turns = (*right, *wrong)
    found = calibration(turns, kept_of(turns, (PHRASES[0], 0.9), (PHRASES[2], 0.6), (PHRASES[3], 0.65)))
    assert found.of == 3
    assert abs(found.brier - (0.01 + 0.16 + 0.4225) / 3) < 1e-9
    assert [(one.low, one.right.hits, one.right.of) for one in found.bins] == [(0.6, 1, 2), (0.9, 1, 1)]
    # 0.625 said, 0.5 true, twice; 0.9 said, 1 true, once.
    assert abs(found.error - (2 * 0.125 + 0.1) / 3) < 1e-9


def test_a_score_of_one_lies_in_the_last_bin_and_no_scores_give_no_calibration():
    turns = keep(PHRASES[0])
    assert calibration(turns, kept_of(turns, (PHRASES[0], 1.0))).bins[-1].high == 1.0
    assert calibration(turns, ()).brier is None


def test_turns_on_which_people_differ_do_not_calibrate():
    turns = keep(PHRASES[0])
    maybe = tuple(parse(json.dumps({"id": "0", "user_text": PHRASES[0], "verdict": "maybe"}).encode(), "x"))
    assert calibration(maybe, kept_of(turns, (PHRASES[0], 1.0))).of == 0


def test_the_curve_falls_from_all_that_is_found_to_nothing():
    turns = keep(PHRASES[0], PHRASES[2])
    points = curve(turns, kept_of(turns, (PHRASES[0], 0.42), (PHRASES[2], 0.8)), also=(0.42, 0.9))
    assert [point.threshold for point in points] == sorted({*STEPS, 0.42, 0.9})
    by = {point.threshold: point.captured.hits for point in points}
    assert (by[0.05], by[0.42], by[0.45], by[0.8], by[0.85]) == (2, 2, 1, 1, 0)
