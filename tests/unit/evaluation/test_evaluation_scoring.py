"""The figures, counted by hand on a small file, and against the scorer that lies beside the real turns."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from asides.evaluation.labels import Labelled, parse, read
from asides.evaluation.matching import covers, same_place
from asides.evaluation.predictions import Predicted, Prediction, live_only, write
from asides.evaluation.scoring import FIGURES, kinds, score
from asides.model.entry import Framing, Source, Standing

JUDGMENT = Path(__file__).parents[4] / "shared" / "judgment"

LABELS = """
{"id": "a", "user_text": "add the export. we never log card numbers. use tabs", "verdict": "keep", "entries": [{"kind": "law", "span": "we never log card numbers", "framing": "passing", "anchor": null}, {"kind": "law", "span": "use tabs", "framing": "explicit", "anchor": null}]}
{"id": "b", "user_text": "remember: after each change in api/ run make check", "verdict": "keep", "pool": "extra", "entries": [{"kind": "ritual", "span": "after each change in api/ run make check", "framing": "explicit", "anchor": "api/"}]}
{"id": "c", "user_text": "the proxy eats cookies on staging, careful", "verdict": "keep", "pool": "directive", "entries": [{"kind": "hazard", "span": "the proxy eats cookies on staging"}]}
{"id": "d", "user_text": "use postgres here I guess", "verdict": "maybe", "entries": [{"kind": "law", "span": "use postgres here"}]}
{"id": "e", "user_text": "thanks, go on", "verdict": "none"}
{"id": "f", "user_text": "make the button blue", "verdict": "none"}
{"id": "g", "user_text": "don't touch anything else", "verdict": "none", "pool": "directive"}
{"id": "h", "user_text": "> never eval input", "verdict": "none", "pool": "extra", "authored": "pasted"}
"""  # noqa: E501


def turns() -> tuple[Labelled, ...]:
    return tuple(parse(LABELS.encode(), "labels"))


def kept(body: str, kind: str = "law", **more) -> Predicted:
    facts = {
        "standing": Standing.LIVE,
        "score": 0.9,
        "framing": Framing.PASSING,
        "source": Source.HUMAN,
        **more,
    }
    return Predicted(kind=kind, body=body, **facts)


PREDICTIONS = (
    # Half of the words of the first entry; the second is not found; one that no label names.
    Prediction(
        id="a",
        entries=(
            kept("never log card numbers", kind="hazard"),
            kept("add the export", standing=Standing.PROPOSED),
        ),
    ),
    Prediction(
        id="b",
        entries=(kept("remember: after each change in api/ run make check", kind="ritual", anchor="api"),),
    ),
    Prediction(
        id="c", entries=(kept("the proxy eats COOKIES on staging", kind="hazard", source=Source.AGENT),)
    ),
    Prediction(id="d", entries=(kept("use postgres here"), kept("not in it"))),
    Prediction(id="f", entries=(kept("make the button blue", standing=Standing.PROPOSED),)),
    Prediction(id="h", entries=(kept("never eval input"),)),
)

BY_HAND = {  # live, live and proposed
    "captured": ((3, 4), (3, 4)),
    "passing": ((1, 1), (1, 1)),
    "precision random": ((1, 1), (1, 3)),
    "precision all": ((3, 4), (3, 6)),
    "clean turns": ((2, 2), (1, 2)),
    "clean hard": ((1, 1), (1, 1)),
    "clean foreign": ((0, 1), (0, 1)),
    "salience": ((6, 7), (5, 7)),
    "kind": ((2, 3), (2, 3)),
    "framing": ((1, 2), (1, 2)),
    "source": ((2, 3), (2, 3)),
    "anchor": ((3, 3), (3, 3)),
    "anchor named": ((1, 1), (1, 1)),
    "verbatim": ((4, 6), (6, 8)),
}


@pytest.mark.parametrize("name", FIGURES)
def test_each_figure_is_what_a_hand_counts(name):
    live, both = BY_HAND[name]
    found = score(turns(), live_only(PREDICTIONS))[name], score(turns(), PREDICTIONS)[name]
    assert tuple((one.hits, one.of) for one in found) == (live, both)


def test_the_kinds_that_entries_were_taken_for_are_counted():
    found = kinds(turns(), PREDICTIONS)
    assert found["law"] == {"law": 0, "hazard": 1, "ritual": 0, "correction": 0, "loop": 0}
    assert found["ritual"]["ritual"] == found["hazard"]["hazard"] == 1
    assert sum(sum(taken.values()) for taken in found.values()) == 3


def test_nothing_kept_is_clean_and_finds_nothing():
    figures = score(turns(), ())
    assert (figures["captured"].hits, figures["captured"].of) == (0, 4)
    assert figures["clean turns"].share == 1
    assert figures["precision all"].share is None


def test_one_body_may_cover_several_spans_and_each_span_counts_once():
    said = '{"id": "1", "user_text": "use tabs, use semicolons", "verdict": "keep", "entries": [{"kind": "law", "span": "use tabs"}, {"kind": "law", "span": "use semicolons"}]}'  # noqa: E501
    figures = score(
        tuple(parse(said.encode(), "x")),
        (Prediction(id="1", entries=(kept("use tabs, use semicolons"), kept("use tabs"))),),
    )
    assert (figures["captured"].hits, figures["captured"].of) == (2, 2)
    assert (figures["precision all"].hits, figures["precision all"].of) == (2, 2)


@pytest.mark.parametrize(
    ("body", "span", "came"),
    [
        ("use tabs", "use tabs", True),
        ("Use TABS!", "use tabs", True),
        ("one two use tabs three four", "use tabs", True),  # three times as many words
        ("one two use tabs three four five", "use tabs", False),
        ("use spaces please now", "use tabs", False),
        ("tabs", "never ever put tabs there", False),
        ("!!", "!!", False),
    ],
)
def test_a_body_covers_a_span_by_the_words_that_both_hold(body, span, came):
    assert covers(body, span) is came


@pytest.mark.parametrize(
    ("found", "wanted", "came"),
    [
        ("general", None, True),
        ("src/a.py", None, False),
        ("src/a.py", "a.py", True),
        ("src/a.py", "@src/a.py", True),
        ("src", "./src/", True),
        ("src/a.py::total", "total()", True),
        ("src/a.py::total", "`total`", True),
        ("src/data.py", "a.py", False),
        ("general", "a.py", False),
    ],
)
def test_an_anchor_is_right_as_people_write_it(found, wanted, came):
    assert same_place(found, wanted) is came


def test_predictions_are_written_one_turn_a_line(tmp_path: Path):
    write(tmp_path / "p.jsonl", PREDICTIONS)
    rows = [json.loads(line) for line in (tmp_path / "p.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == ["a", "b", "c", "d", "f", "h"]
    assert rows[0]["entries"][1]["standing"] == "proposed"
    assert {"kind", "body", "standing"} <= set(rows[0]["entries"][0])


@pytest.mark.skipif(
    not (JUDGMENT / "score.py").exists(),
    reason="the scorer beside the real turns is not here: nothing to agree with",
)
@pytest.mark.parametrize("labels", ["ours", "dev.jsonl"])
def test_every_figure_agrees_with_the_scorer_beside_the_real_turns(tmp_path: Path, labels):
    path = JUDGMENT / labels
    if labels == "ours":
        path = tmp_path / "labels.jsonl"
        rows = [{"pool": "random", **json.loads(line)} for line in LABELS.strip().splitlines()]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif not path.exists():
        pytest.skip("no real turns are here")
    labelled = read(path)
    made = PREDICTIONS if labels == "ours" else guessed(labelled)
    write(tmp_path / "p.jsonl", made)
    done = subprocess.run(
        [sys.executable, JUDGMENT / "score.py", path, tmp_path / "p.jsonl", "--json"],
        capture_output=True,
        check=True,
        timeout=120,
    )
    theirs = json.loads(done.stdout)
    ours = {"live": score(labelled, live_only(made)), "live and proposed": score(labelled, made)}
    assert set(theirs) == set(ours)
    for section, figures in theirs.items():
        assert len(figures) == 8
        for name, counted in figures.items():
            found = ours[section][name]
            assert (found.hits, found.of) == (counted["hits"], counted["of"]), (section, name)
            if counted["of"]:
                expected = [counted["share"], counted["low"], counted["high"]]
                assert [found.share, found.low, found.high] == pytest.approx(expected, abs=1e-12)


def guessed(labelled: tuple[Labelled, ...]) -> tuple[Prediction, ...]:
    """Right, half right and wrong in turn, so that every figure has something of each."""
    dice = random.Random(4)
    found = []
    for turn in labelled:
        entries = []
        for entry in turn.entries:
            if dice.random() < 0.7:
                cut = entry.span[: max(1, int(len(entry.span) * dice.choice((0.3, 0.6, 1.0))))]
                kind = dice.choice((entry.kind.value, "law"))
                entries.append(kept(cut, kind=kind, standing=dice.choice((Standing.LIVE, Standing.PROPOSED))))
        if dice.random() < 0.2:
            body = dice.choice((turn.user_text[:80], turn.user_text, "never said"))
            entries.append(kept(body, standing=dice.choice((Standing.LIVE, Standing.PROPOSED))))
        dice.shuffle(entries)
        if entries or dice.random() < 0.9:
            found.append(Prediction(id=turn.id, entries=tuple(entries)))
    return tuple(found)
