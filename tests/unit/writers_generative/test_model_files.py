"""A model file is looked at before a library in C gets it; a card beside it says what was measured."""

from __future__ import annotations

import json
import struct
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.model.errors import WriterUnavailable
from asides.writers.generative.card import Card, beside
from asides.writers.generative.header import header, identity
from asides.writers.generative.llama import Llama
from asides.writers.generative.template import Form, form_of


def text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def gguf(*pairs: tuple[str, int, bytes], version: int = 3, keys: int | None = None) -> bytes:
    body = b"".join(text(key) + struct.pack("<I", kind) + value for key, kind, value in pairs)
    return b"GGUF" + struct.pack("<IQQ", version, 0, len(pairs) if keys is None else keys) + body


def words(*values: str) -> bytes:
    return struct.pack("<IQ", 8, len(values)) + b"".join(text(value) for value in values)


CHATML = "<|im_start|>user\n{{ x }}<|im_end|>"
WHOLE = gguf(
    ("general.architecture", 8, text("llama")),
    ("llama.context_length", 4, struct.pack("<I", 8192)),
    ("tokenizer.ggml.tokens", 9, words("a", "b", "<|im_end|>")),
    ("tokenizer.ggml.scores", 9, struct.pack("<IQ", 6, 2) + b"\0" * 8),
    ("tokenizer.chat_template", 8, text(CHATML)),
)


@pytest.fixture
def file(tmp_path):
    def put(content: bytes):
        path = tmp_path / "model.gguf"
        path.write_bytes(content)
        return path

    return put


def test_the_architecture_and_the_chat_template_are_found_behind_other_keys(file):
    found = header(file(WHOLE))
    assert (found.architecture, found.chat_template) == ("llama", CHATML)


@pytest.mark.parametrize("cut", range(0, len(WHOLE) - 1, 7))
def test_a_file_that_ends_within_its_header_is_refused(file, cut):
    with pytest.raises(WriterUnavailable, match="not a GGUF file"):
        header(file(WHOLE[:cut]))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"PK\x03\x04 a zip", "does not begin with GGUF"),
        (gguf(version=9), "version 9"),
        (gguf(keys=1 << 40), "keys"),
        (gguf(("k", 99, b"")), "type 99"),
        (gguf(("k", 8, struct.pack("<Q", 1 << 50))), "bytes"),
        (gguf(("k", 9, struct.pack("<IQ", 9, 1))), "list"),
        (gguf(("k", 9, struct.pack("<IQ", 0, 1 << 60))), "list"),
        (gguf(("k", 8, struct.pack("<Q", 2) + b"\xff\xfe")), "not a GGUF file"),
    ],
)
def test_what_is_no_gguf_is_named_and_takes_no_memory(file, content, why):
    with pytest.raises(WriterUnavailable, match=why):
        header(file(content))


@given(st.binary(max_size=300))
def test_no_bytes_make_the_reader_fail_otherwise(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("gguf") / "x.gguf"
    path.write_bytes(b"GGUF" + struct.pack("<I", 3) + content)
    with suppress(WriterUnavailable):  # any other error fails the test
        header(path)


def test_a_missing_file_is_named(tmp_path):
    for read in (header, identity, lambda path: Llama(path, seconds=5)):
        with pytest.raises(WriterUnavailable, match=r"gone\.gguf cannot be read \(No such file"):
            read(tmp_path / "gone.gguf")


def test_the_identity_changes_with_any_byte(file):
    before = identity(file(WHOLE))
    assert before.startswith("model.gguf@")
    assert identity(file(WHOLE + b"\0")) != before


def test_a_model_whose_template_is_not_known_is_refused_before_it_is_loaded(file):
    other = gguf(("tokenizer.chat_template", 8, text("[INST] {{ x }} [/INST]")))
    with pytest.raises(WriterUnavailable, match="not ChatML; serve it elsewhere"):
        Llama(file(other), seconds=5)
    with pytest.raises(WriterUnavailable, match="no chat template"):
        Llama(file(gguf()), seconds=5)


def test_a_template_that_can_think_gets_an_empty_thought():
    assert form_of(CHATML) is Form.PLAIN
    assert form_of(CHATML + "{% if enable_thinking is false %}<think>") is Form.NO_THOUGHT
    assert form_of("") is None


def test_without_a_card_nothing_was_measured(tmp_path):
    assert beside(tmp_path / "m.gguf") == Card()
    assert Card().measured_on == 0


def test_a_card_beside_the_model_gives_its_thresholds(tmp_path):
    told = {"live_threshold": 0.8, "floor": 0.4, "measured_on": 300, "base": "for people"}
    (tmp_path / "m.card.json").write_text(json.dumps(told))
    assert beside(tmp_path / "m.gguf") == Card(live_threshold=0.8, floor=0.4, measured_on=300)


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"floor": "low"}', '{"floor": 0.9, "live_threshold": 0.2}', '{"live_threshold": 7}'],
)
def test_a_damaged_card_is_refused(tmp_path, content):
    (tmp_path / "m.card.json").write_text(content)
    with pytest.raises(WriterUnavailable, match=r"m\.card\.json"):
        beside(tmp_path / "m.gguf")
