"""The packaged corpus: turns that training never sees."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from asides.evaluation.heldout import packaged
from asides.evaluation.labels import Verdict

AGAIN = "run train/holdout.py again"
TRAIN = Path(__file__).parents[3] / "train"


@pytest.fixture(scope="module")
def holdout():
    sys.path.insert(0, str(TRAIN))
    try:
        spec = importlib.util.spec_from_file_location("asides_train_holdout", TRAIN / "holdout.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield module
    finally:
        sys.path.remove(str(TRAIN))


def test_it_holds_turns_of_every_sort():
    turns = packaged()
    assert len(turns) >= 300
    assert {turn.verdict for turn in turns} >= {Verdict.KEEP, Verdict.NONE}
    assert {turn.pool for turn in turns} == {"random", "directive"}


def test_every_packaged_turn_is_held_out_and_no_sentence_of_it_is_trained_on(holdout):
    rows = {row["user_text"]: row for row in holdout.corpus(holdout.DATA)}
    trained = {
        s for row in rows.values() if not holdout.held_out(row["user_text"]) for s in holdout._sentences(row)
    }
    for turn in packaged():
        assert holdout.held_out(turn.user_text), turn.id
        assert turn.user_text in rows, f"{turn.id} is gone from train/data: {AGAIN}"
        assert trained.isdisjoint(holdout._sentences(rows[turn.user_text])), f"{turn.id} is learned: {AGAIN}"


def test_a_message_is_held_out_by_its_words_alone(holdout):
    messages = [f"message number {n} about things" for n in range(2_000)]
    held = [said for said in messages if holdout.held_out(said)]
    assert 150 < len(held) < 250
    assert all(holdout.held_out(f"  {said.upper()}!! ") for said in held)


def test_packing_leaves_out_what_was_learned_by_heart(holdout):
    said = "we never ever log card numbers in here"
    held = [
        text
        for n in range(500)
        if holdout.held_out(text := f"please build the page number {n} and then. {said}")
    ]
    fresh = next(
        text
        for n in range(500)
        if holdout.held_out(text := f"the invoices of {n} are rounded up by law here")
    )
    trained = next(text for n in range(500) if not holdout.held_out(text := f"step {n}. {said}"))
    row = {"prev": "", "verdict": "none", "entries": [], "project": "p"}
    rows = [{**row, "id": str(n), "user_text": text} for n, text in enumerate([*held, fresh, trained])]
    assert [one["user_text"] for one in holdout.packed(rows)] == [fresh]


def test_a_turn_that_holds_nothing_is_of_the_hard_pool_where_it_holds_a_directive_word(holdout):
    def pool(text: str, verdict: str, entries: list[dict]) -> str:
        text = next(t for n in range(500) if holdout.held_out(t := f"{text} {n}"))
        row = {
            "id": "1",
            "user_text": text,
            "prev": "",
            "verdict": verdict,
            "entries": entries,
            "project": "p",
        }
        return holdout.packed([row])[0]["pool"]

    assert pool("never mind that one", "none", []) == "directive"
    assert pool("the build is red", "none", []) == "random"
    entry = {"kind": "law", "span": "never mind", "anchor": None, "framing": "explicit"}
    assert pool("never mind that one", "keep", [entry]) == "random"
