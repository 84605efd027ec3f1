"""Turns written by hand: what is marked is what is labelled, and slips are told with their place."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

TRAIN = Path(__file__).parents[3] / "train"


@pytest.fixture(scope="module")
def reader():
    sys.path.insert(0, str(TRAIN))
    try:
        import turns
    finally:
        sys.path.remove(str(TRAIN))
    return turns


PLAIN = st.text(
    st.characters(codec="utf-8", exclude_characters="{}|\\", exclude_categories=("C", "Z")), min_size=1
)
MARKS = st.sampled_from(
    ["law.passing", "hazard.explicit", "ritual.passing", "correction.passing", "loop.explicit"]
)


@given(parts=st.lists(st.tuples(PLAIN, MARKS, PLAIN), min_size=1, max_size=4))
def test_every_marked_span_stands_in_the_message_where_it_was_marked(reader, parts):
    marked = " ".join(f"{before} {{{{{mark}|{span}}}}}" for before, mark, span in parts)
    row = reader.turn(f"U: {marked}", "file-1")
    assert row["verdict"] == "keep"
    assert row["user_text"] == " ".join(f"{before} {span}" for before, _, span in parts)
    assert [f"{e['kind']}.{e['framing']}" for e in row["entries"]] == [mark for _, mark, _ in parts]
    for entry, (_, _, span) in zip(row["entries"], parts, strict=True):
        assert row["user_text"][entry["start"] :].startswith(span)


def test_a_turn_with_doubtful_words_alone_is_a_maybe_and_one_without_marks_is_nothing(reader):
    assert reader.turn("U: {{maybe|csv, semicolons}} please", "f-1")["verdict"] == "maybe"
    row = reader.turn("P: Done.\nU: thanks\\nand now the page\nL: order", "f-2")
    assert (row["verdict"], row["prev"], row["user_text"]) == ("none", "Done.", "thanks\nand now the page")


@pytest.mark.parametrize(
    "paragraph",
    [
        "P: only the agent speaks",
        "U: {{rule.passing|no such kind}}",
        "U: {{law.shouted|no such framing}}",
        "U: {{law.passing| blank at its start}}",
        "U: {{law.passing|never closed}",
        "U: {{law.passing|kept}}\nL: question",
        "U: one\nU: two",
        "X: no such field",
    ],
)
def test_a_slip_is_told_with_its_paragraph(reader, tmp_path, paragraph):
    (tmp_path / "slips.txt").write_text(f"U: fine\n\n{paragraph}\n")
    with pytest.raises(reader.Malformed, match=r"slips\.txt, paragraph 2"):
        reader.turns(tmp_path / "slips.txt")


@pytest.mark.parametrize("path", sorted((TRAIN / "data" / "turns").glob("*.txt")), ids=lambda p: p.stem)
def test_the_files_that_are_trained_on_hold_no_slip(reader, path):
    assert len(reader.turns(path)) > 500
