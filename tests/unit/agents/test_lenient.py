"""Damaged JSON is read where a meaning is left, and named as broken where none is."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asides.agents.lenient import clean, decode, part
from asides.model.errors import BrokenPayload

# No deadline: the machine that runs this may be busy.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

# Any text that Python can hold: lone surrogates, NUL and line separators included.
any_text = st.text(st.characters(codec=None, exclude_categories=()))


class Pair(msgspec.Struct):
    text: Any = None
    rest: msgspec.Raw = msgspec.Raw(b"null")


@unhurried
@given(any_text)
def test_text_with_lone_surrogates_is_read_with_those_replaced(text: str):
    raw = json.dumps({"text": text}).encode()  # writes lone surrogates as \udXXX
    assert decode(raw, Pair).text == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@unhurried
@given(st.text(), st.sampled_from([b"\xff", b"\xc3", b"\xed\xb2\x88"]))
def test_invalid_utf_8_is_replaced(text: str, invalid: bytes):
    raw = json.dumps({"text": text + "#"}, ensure_ascii=False).encode().replace(b"#", b"#" + invalid)
    assert decode(raw, Pair).text.startswith(text.split("#")[0] + "#\ufffd")


def test_an_escaped_backslash_before_udc88_is_text_and_stays():
    assert decode(rb'{"text": "C:\\udc88 \udc88 \ud83d\ude00"}', Pair).text == "C:\\udc88 \ufffd \U0001f600"


@pytest.mark.parametrize("slashes", range(1, 8))
def test_however_many_backslashes_stand_before_it_only_a_real_escape_is_replaced(slashes: int):
    raw = b'{"text": "' + b"\\" * slashes + b'udc88"}'
    kept = "\\" * (slashes // 2)
    assert decode(raw, Pair).text == kept + ("\ufffd" if slashes % 2 else "udc88")


def test_damage_inside_what_is_stepped_over_costs_nothing():
    found = decode(b'{"text": "kept", "other": ["\\udc88", "\xff"], "rest": {"a": "\xff\\ud800"}}', Pair)
    assert found.text == "kept"
    assert decode(found.rest, dict) == {"a": "\ufffd\ufffd"}


def test_a_byte_order_mark_is_stepped_over():
    assert decode(b'\xef\xbb\xbf{"text": "a"}', Pair).text == "a"


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"{", b"[]", b"null", b"7", b'"text"', b'{"text": "cut', b'{"text": 1}{"text": 2}',
        b"\x00" * 50, b'{"text": "\x00"}', b'{"a":' * 100_000,
        b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
    ids=lambda raw: repr(raw[:20]),
)  # fmt: skip
def test_what_is_not_one_whole_object_is_broken(raw: bytes):
    with pytest.raises(BrokenPayload):
        decode(raw, Pair)


def test_a_piece_of_another_shape_is_read_as_an_empty_one():
    assert part(msgspec.Raw(b"[1, 2]"), Pair).text is None


def test_nul_is_replaced_since_it_cuts_text_short_in_sql():
    assert clean("a\x00b") == "a\ufffdb"
    assert [clean(value) for value in (None, 7, ["a"], {})] == ["", "", "", ""]
