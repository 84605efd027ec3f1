"""Labelled files: read whole, or refused with the line that is wrong."""

from __future__ import annotations

import contextlib
import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.evaluation.labels import BadLabels, Labelled, NoLabels, Verdict, parse, read
from asides.model.entry import Framing, Kind, Source

GOOD = {"id": "1", "user_text": "add it. we never log card numbers", "verdict": "keep"}
ENTRY = {"kind": "law", "span": "we never log card numbers"}


def written(*rows: dict) -> bytes:
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def test_what_is_left_out_has_a_default():
    (turn,) = parse(written({**GOOD, "entries": [ENTRY]}), "labels")
    assert turn.pool == "random"
    assert turn.authored == "human"
    assert turn.prev == ""
    (entry,) = turn.entries
    assert (entry.kind, entry.framing, entry.source, entry.anchor) == (Kind.LAW, None, Source.HUMAN, None)


def test_a_turn_with_more_fields_than_are_known_is_read():
    (turn,) = parse(
        written({**GOOD, "entries": [{**ENTRY, "sure": 3, "who": "me"}], "register": "noisy"}), "x"
    )
    assert turn.verdict is Verdict.KEEP


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b'{"id": "2"', "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[]", "expected `object`"),
        (json.dumps({"id": "2", "verdict": "none"}).encode(), "user_text"),
        (json.dumps({**GOOD, "verdict": "yes"}).encode(), "yes"),
        (json.dumps({**GOOD, "id": "2"}).encode(), "there are no entries"),
        (json.dumps({**GOOD, "id": "2", "entries": [{**ENTRY, "kind": "rule"}]}).encode(), "rule"),
        (
            json.dumps({**GOOD, "id": "2", "entries": [{**ENTRY, "span": "We never log"}]}).encode(),
            "'We never log'",
        ),
        (json.dumps({**GOOD, "id": "2", "entries": [{**ENTRY, "span": " "}]}).encode(), "user_text"),
        (json.dumps({**GOOD, "verdict": "none"}).encode(), "stands in line 1 already"),
    ],
)
def test_a_malformed_line_is_named_with_its_number_and_a_hint(line, told):
    content = written({**GOOD, "verdict": "none"}) + b"\n" + line + b"\n"
    with pytest.raises(BadLabels) as caught:
        list(parse(content, "labels.jsonl"))
    assert "labels.jsonl, line 3:" in caught.value.sentence
    assert told in caught.value.sentence
    assert caught.value.advice
    assert caught.value.exit_code == 1


def test_a_separator_of_lines_inside_a_message_ends_no_line():
    said = {**GOOD, "user_text": "one\u2028two\x85three", "verdict": "none"}
    (turn,) = parse(written(said), "x")
    assert turn.user_text == "one\u2028two\x85three"


@pytest.mark.parametrize("name", ["labels.jsonl", "labels.jsonl.gz"])
def test_a_file_is_read_plain_or_gzipped(tmp_path: Path, name):
    path = tmp_path / name
    content = b"\xef\xbb\xbf" + written({**GOOD, "verdict": "none"})
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    assert [turn.id for turn in read(path)] == ["1"]


def test_a_file_that_only_claims_to_be_gzipped_is_refused(tmp_path: Path):
    path = tmp_path / "labels.jsonl.gz"
    path.write_bytes(written(GOOD))
    with pytest.raises(BadLabels, match="not gzipped"):
        read(path)
    whole = gzip.compress(written({**GOOD, "verdict": "none"}) * 50)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadLabels, match="not gzipped"):
        read(path)


def test_an_empty_file_is_refused(tmp_path: Path):
    path = tmp_path / "labels.jsonl"
    path.write_text("\n\n")
    with pytest.raises(NoLabels) as caught:
        read(path)
    assert "evaluation.md" in caught.value.advice


@given(
    st.lists(st.text(min_size=1), max_size=5),
    st.sampled_from(list(Framing)),
    st.text(max_size=20),
)
def test_whatever_was_said_comes_back_as_it_was_written(messages, framing, before):
    rows = [
        {
            "id": str(n),
            "user_text": said,
            "verdict": "keep" if said.strip() else "none",
            "prev": before,
            "entries": [{"kind": "loop", "span": said, "framing": framing}] if said.strip() else [],
        }
        for n, said in enumerate(messages)
    ]
    found = list(parse(written(*rows), "x"))
    assert [turn.user_text for turn in found] == messages
    assert all(isinstance(turn, Labelled) and turn.prev == before for turn in found)
    assert all(entry.span == turn.user_text for turn in found for entry in turn.entries)


@given(st.binary(max_size=200))
def test_no_bytes_at_all_make_the_reader_fail_in_another_way(content):
    with contextlib.suppress(BadLabels):
        list(parse(content, "x"))
