"""A report, its pictures, and what may be required of it."""

from __future__ import annotations

import json
import xml.etree.ElementTree as Xml

import pytest

from asides.evaluation import plot
from asides.evaluation.labels import parse as labels
from asides.evaluation.report import BOTH, LIVE, Report, evaluate
from asides.evaluation.requirements import missed, parse
from asides.model.clock import now
from asides.model.entry import Framing, Kind
from asides.writers.scripted import Scripted

ROWS = (
    {
        "id": "1",
        "user_text": "add it. we never log card numbers",
        "verdict": "keep",
        "entries": [{"kind": "law", "span": "we never log card numbers"}],
    },
    {
        "id": "2",
        "user_text": "tests live beside the code",
        "verdict": "keep",
        "entries": [{"kind": "law", "span": "tests live beside the code"}],
    },
    {"id": "3", "user_text": "make the button blue again", "verdict": "none"},
)
WRITER = Scripted(
    {
        "we never log card numbers": (Kind.LAW, Framing.PASSING, 0.9),
        "tests live beside the code": (Kind.LAW, Framing.PASSING, 0.5),
        "make the button blue again": (Kind.LAW, Framing.PASSING, 0.4),
    }
)


@pytest.fixture
def report() -> Report:
    turns = tuple(labels(b"\n".join(json.dumps(row).encode() for row in ROWS), "x"))
    return evaluate(turns, WRITER, labels="x", now=now)[0]


def test_a_report_holds_both_sections_and_what_it_cost(report):
    assert (report.turns, report.verdicts) == (3, {"keep": 2, "none": 1})
    assert report.figures[LIVE]["captured"].hits == 1
    assert report.figures[BOTH]["captured"].hits == 2
    assert 0 <= report.cost.p50 <= report.cost.p95 <= report.cost.most
    assert 10 < report.cost.peak_memory < 100_000  # megabytes


@pytest.mark.parametrize(
    "met",
    [
        "captured>=50%",
        "captured >= 0.5",
        "both.captured>=1",
        "both.clean-turns<=0",
        "precision-random>=100%",
        "cpu-p95<=60000",
        "brier<=0.2",
    ],
)
def test_a_requirement_that_is_met_says_nothing(report, met):
    assert missed(report, [parse(met)]) == ()


def test_a_requirement_that_is_missed_says_by_how_much(report):
    assert missed(
        report, [parse("captured>=70%"), parse("live.kind>=1"), parse("both.clean-turns>=92%")]
    ) == (
        "captured>=70% is missed by 20.0 points: captured (live) is 50.0% (1 of 2)",
        "both.clean-turns>=92% is missed by 92.0 points: clean turns (live and proposed) is 0.0% (0 of 1)",
    )


def test_what_cannot_be_counted_is_missed_too(report):
    (told,) = missed(report, [parse("clean-hard>=10%")])
    assert "nothing to count for clean hard (live)" in told


@pytest.mark.parametrize(
    "written", ["captured", "captured>=", "captured>40%", "captured>=400%", "all.captured>=1", "speed>=3", ""]
)
def test_what_is_no_requirement_is_refused_with_a_sentence(written):
    with pytest.raises(ValueError, match=r"no requirement|no figure|at most"):
        parse(written)


def test_the_picture_for_a_terminal_marks_both_thresholds(report):
    drawn = plot.drawn(report.curve, live_threshold=report.live_threshold, floor=report.floor)
    assert drawn.count("L") == 1
    assert drawn.count("F") == 1
    assert len(drawn.splitlines()) == plot.HIGH + 3
    assert all(len(line) <= 80 for line in drawn.splitlines())


def test_the_picture_is_well_formed_whatever_the_title(report):
    drawn = plot.svg(report.curve, title='a<b & "c"', live_threshold=0.7, floor=0.3)
    root = Xml.fromstring(drawn)
    assert root.tag.endswith("svg")
    assert 'a<b & "c"' in {text.text for text in root.iter() if text.tag.endswith("text")}


def test_nothing_found_still_makes_a_picture():
    turns = tuple(labels(json.dumps(ROWS[2]).encode(), "x"))
    report, _ = evaluate(turns, Scripted({}), labels="x", now=now)
    assert "L" not in plot.drawn(report.curve, live_threshold=0.7, floor=0.3)
    Xml.fromstring(plot.svg(report.curve, title="x", live_threshold=0.7, floor=0.3))
