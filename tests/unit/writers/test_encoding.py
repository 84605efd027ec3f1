"""Windows: bounded whatever is pasted, exact offsets, and nothing dropped unseen."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from asides.writers.encoder import TOKENIZER_FILE, WEIGHTS
from asides.writers.encoding import (
    CLS,
    MARKER,
    PREVIOUS_TOKENS,
    SEP,
    WINDOW_TOKENS,
    WINDOWS,
    encode,
)

LONGEST = PREVIOUS_TOKENS + WINDOW_TOKENS + 3
ROUGH = st.text(st.characters(exclude_categories=()), max_size=600)  # lone surrogates too


@pytest.fixture(scope="module")
def tokenizer():
    found = Tokenizer.from_file(str(WEIGHTS / TOKENIZER_FILE))
    found.no_truncation()
    found.no_padding()
    return found


@given(message=ROUGH, previous=ROUGH)
@settings(deadline=None)
def test_every_token_lies_in_its_piece_and_every_marker_before_its_piece(tokenizer, message, previous):
    for window in encode(message, previous, tokenizer).windows:
        assert window.ids[0] == CLS
        assert window.ids[-1] == SEP
        for piece, at in zip(window.pieces, window.markers, strict=True):
            assert window.ids[at] == MARKER
            assert tuple(window.ids[at + 1 : at + 1 + len(piece.ids)]) == piece.ids
            assert all(piece.start <= a <= b <= piece.end for a, b in piece.offsets)


@given(message=ROUGH)
@settings(deadline=None)
def test_pieces_are_read_in_order_and_once(tokenizer, message):
    pieces = [p for w in encode(message * 5, "", tokenizer).windows for p in w.pieces]
    borders = [n for p in pieces for n in (p.start, p.end)]
    assert borders == sorted(borders)


@pytest.mark.parametrize(
    "paste",
    [
        "we always do it like this. " * 4_000,
        "x" * 100_000,
        "a b " * 25_000,
        "🙂" * 100_000,
        ".,;:!?" * 17_000,
        ".!?" * 33_000,
        "\n" * 100_000,
        "- never\n" * 13_000,
        "word " * 20_000 + ", and " * 2_000,
        "```\n" + "x = 1\n" * 17_000,
        "> quoted\n" * 11_000,
        "\ud800" * 100_000,
    ],
)
def test_a_paste_of_100_kilobytes_costs_a_bounded_number_of_bounded_windows(tokenizer, paste):
    found = encode(paste, paste, tokenizer)
    assert len(found.windows) <= WINDOWS
    assert all(len(w.ids) <= LONGEST for w in found.windows)


def test_both_ends_of_a_long_message_are_read_and_the_middle_is_counted(tokenizer):
    filler = "\n".join(f"The row number {n} of the report has some words in it." for n in range(3_000))
    message = f"Look at the first thing.\n{filler}\nAnd the last thing."
    found = encode(message, "", tokenizer)
    read = [message[p.start : p.end] for w in found.windows for p in w.pieces]
    assert read[0] == "Look at the first thing."
    assert read[-1] == "And the last thing."
    assert found.skipped.characters + sum(map(len, read)) > 0.95 * len(message)


def test_blocks_that_are_not_read_are_counted(tokenizer):
    found = encode("look\n```\nx = 1\n```\n> quoted\nwhat is it", "", tokenizer)
    assert found.skipped.blocks == 2
    assert found.skipped.characters == len("```\nx = 1\n```") + len("> quoted")


def test_a_message_without_prose_needs_no_window(tokenizer):
    assert encode("```\nx = 1\n```", "before", tokenizer).windows == ()
    assert encode("", "before", tokenizer).windows == ()


def test_only_the_end_of_the_agents_words_is_read(tokenizer):
    near = encode("ok", "The last question?", tokenizer).windows[0].ids
    far = encode("ok", "irrelevant " * 10_000 + "The last question?", tokenizer).windows[0].ids
    assert len(far) <= len(near) + PREVIOUS_TOKENS
    assert list(near[1:5]) == list(far[-8:-4])
