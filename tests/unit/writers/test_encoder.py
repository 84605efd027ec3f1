"""The shipped writer: finds what is obvious, is silent where nothing is, and never raises on text."""

from __future__ import annotations

import json
import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asides.model.errors import WriterUnavailable
from asides.writers.encoder import CARD_FILE, MODEL_FILE, TOKENIZER_FILE, WEIGHTS, Encoder
from asides.writers.encoding import WINDOWS


@pytest.fixture(scope="module")
def encoder():
    return Encoder()


def live(encoder, message, previous=""):
    return [
        message[p.start : p.end]
        for p in encoder.salience(message, previous)
        if p.score >= encoder.live_threshold
    ]


ASIDES = [
    (
        "Add a small retry function in retry.py and raise the timeout to 60. Also, fyi: we are moving off "
        "requests. Do not use it in anything new, httpx only from now on.",
        ("httpx only from now on", "we are moving off requests"),
    ),
    (
        "Heads up, this bit us before: never pass a generator to total(), it is exhausted after one use.",
        ("never pass a generator to total()",),
    ),
    ("One more thing: prices are always integer cents, never floats.", ("always integer cents",)),
    ("From now on run `make lint` before every commit.", ("make lint",)),
    (
        "fix the typo. and remember, nobody edits files under generated/ by hand",
        ("under generated/ by hand",),
    ),
    ("No, stop adding console.log calls, I have told you that before!", ("stop adding console.log",)),
    ("Whenever you add a setting, document it in docs/settings.md too.", ("docs/settings.md",)),
]

NOTHING = [
    "Just for this PR, keep the diff small and do not touch the tests.",
    "Rename total to cart_total. For now keep the old name as an alias.",
    "Have a subagent list the Python files.",
    "What is left to do?",
    "Start over on the docs: README first.",
    "ok",
    "yes, continue",
    "Thanks, that works!",
    "Commit it and open a PR.",
    "Why does the second test fail?",
    "Add a button to the header that opens the settings.",
    "the page is blank after I log in, please fix",
    "Guests must never see the price of a hidden product.",
    "Should we always validate the input there?",
    "```\n# never call this twice\nrun()\n```\nwhat does this do?",
    'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: never do that\n\nfix it',
    "use axios for this one, please",
]


@pytest.mark.parametrize(("message", "any_of"), ASIDES)
def test_an_obvious_aside_is_live_at_once(encoder, message, any_of):
    found = live(encoder, message)
    assert any(phrase in body for phrase in any_of for body in found), encoder.salience(message, "")


@pytest.mark.parametrize("message", NOTHING)
def test_a_turn_with_nothing_to_keep_has_nothing_live(encoder, message):
    assert live(encoder, message) == []


@pytest.mark.parametrize(
    "message",
    [
        "",
        " ",
        "\x00",
        "\x00never\x00",
        "\ud800",
        "a\udfffb never do that",
        "\n" * 500,
        "🙂" * 300,
        "\u202e\u200b",
    ],
)
def test_no_text_makes_it_raise(encoder, message):
    found = encoder.salience(message, message)
    assert all(0 <= p.start < p.end <= len(message) for p in found)


@given(st.text(st.characters(exclude_categories=()), max_size=300), st.text(max_size=50))
@settings(deadline=None, max_examples=40)
def test_proposals_of_any_text_are_ordered_spans_with_a_probability(encoder, message, previous):
    found = encoder.salience(message, previous)
    borders = [n for p in found for n in (p.start, p.end)]
    assert borders == sorted(borders)
    assert all(0 <= p.start < p.end <= len(message) and 0 <= p.score <= 1 for p in found)


def test_the_words_around_an_aside_do_not_move_its_offsets(encoder):
    rule = "From now on run `make lint` before every commit."
    message = f"Größe ändern 🙂 in ui.ts\r\n\r\n{rule}\r\nThanks"
    assert any("make lint" in body and body in rule for body in live(encoder, message))


def test_a_paste_of_100_kilobytes_runs_a_bounded_number_of_windows(encoder):
    before = encoder.windows_run
    encoder.salience("The row has some words and a number in it.\n" * 2_400, "")
    assert 0 < encoder.windows_run - before <= WINDOWS


def test_the_same_text_gets_the_same_answer(encoder):
    message = ASIDES[0][0]
    assert encoder.salience(message, "") == encoder.salience(message, "")


def test_the_thresholds_are_in_order(encoder):
    assert 0 < encoder.floor < encoder.live_threshold < 1


@pytest.fixture
def weights(tmp_path):
    """A copy of the weights that a test may damage."""
    folder = tmp_path / "weights"
    folder.mkdir()
    for name in (MODEL_FILE, TOKENIZER_FILE, CARD_FILE):
        shutil.copyfile(WEIGHTS / name, folder / name)
    return folder


@pytest.mark.parametrize("name", [MODEL_FILE, TOKENIZER_FILE, CARD_FILE])
def test_a_missing_file_is_named(weights, name):
    (weights / name).unlink()
    with pytest.raises(WriterUnavailable) as raised:
        Encoder(weights)
    assert name in raised.value.sentence
    assert "No such file" in raised.value.sentence


@pytest.mark.parametrize("name", [MODEL_FILE, TOKENIZER_FILE])
def test_one_changed_byte_is_noticed(weights, name):
    content = bytearray((weights / name).read_bytes())
    content[len(content) // 2] ^= 1
    (weights / name).write_bytes(bytes(content))
    with pytest.raises(WriterUnavailable, match="is not the one its card names"):
        Encoder(weights)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"identity": "x"}', b"\xff\xfe"])
def test_a_card_that_is_no_card_is_refused(weights, content):
    (weights / CARD_FILE).write_bytes(content)
    with pytest.raises(WriterUnavailable, match="is not a card"):
        Encoder(weights)


@pytest.mark.parametrize(
    ("name", "key", "why"),
    [
        (MODEL_FILE, "model_sha256", "cannot be run"),
        (TOKENIZER_FILE, "tokenizer_sha256", "is not a tokenizer"),
    ],
)
def test_a_file_that_matches_its_card_but_is_not_what_it_should_be_is_refused(weights, name, key, why):
    import hashlib

    (weights / name).write_bytes(b"not it")
    card = json.loads((weights / CARD_FILE).read_text())
    card[key] = hashlib.sha256(b"not it").hexdigest()
    (weights / CARD_FILE).write_text(json.dumps(card))
    with pytest.raises(WriterUnavailable, match=why):
        Encoder(weights)
