"""A file that grows, moves, shrinks or is too big is read on from where reading stopped."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asides.intake.tail import LIMIT, Position, TailResult, TailState, read_on

MOST = 1 << 40


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def append(path: Path, raw: bytes) -> None:
    with path.open("ab") as file:
        file.write(raw)


def through_json(position: Position | None) -> Position | None:
    """What a caller does between two calls: write the position down and read it again."""
    return None if position is None else Position(**json.loads(json.dumps(dataclasses.asdict(position))))


def read_all(
    path: Path, position: Position | None, **bounds: int
) -> tuple[list[bytes], Position | None, int]:
    """Calls until nothing is left, and returns all lines, the last position and the lines skipped."""
    lines: list[bytes] = []
    skipped = 0
    while True:
        result = read_on(path, through_json(position), **bounds)
        lines += result.lines
        skipped += result.skipped
        position = result.position
        if not result.more:
            return lines, position, skipped


def test_a_file_that_was_never_written_is_a_state_of_its_own(path: Path):
    assert read_on(path, None) == TailResult(lines=(), position=None, state=TailState.NEVER_WRITTEN)
    assert read_on(path / "no" / "such", None).state in (TailState.NEVER_WRITTEN, TailState.UNREADABLE)


def test_lines_are_read_once(path: Path):
    append(path, b"one\ntwo\n")
    first = read_on(path, None)
    assert (first.lines, first.state, first.more) == ((b"one", b"two"), TailState.OK, False)
    again = read_on(path, first.position)
    assert (again.lines, again.state, again.position) == ((), TailState.UNCHANGED, first.position)
    append(path, b"three\n")
    assert read_on(path, first.position).lines == (b"three",)


def test_a_line_without_its_end_waits_for_the_next_time(path: Path):
    append(path, b"one\ntw")
    first = read_on(path, None)
    assert first.lines == (b"one",)
    append(path, b"o")
    second = read_on(path, first.position)
    assert (second.lines, second.state) == ((), TailState.UNCHANGED)
    append(path, b"\n")
    assert read_on(path, second.position).lines == (b"two",)


def test_an_empty_file_is_unread_not_missing(path: Path):
    append(path, b"")
    result = read_on(path, None)
    assert (result.lines, result.state) == ((), TailState.OK)
    append(path, b"one\n")
    assert read_on(path, result.position).lines == (b"one",)


def test_only_a_line_feed_ends_a_line(path: Path):
    odd = "a\u2028b\u0085c\x0bd\re\r".encode()
    append(path, odd + b"\n\nnext\n")
    assert read_on(path, None).lines == (odd, b"", b"next")


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(st.binary(max_size=60).map(lambda raw: raw.replace(b"\n", b"") + b"\n"), max_size=12),
    st.lists(st.integers(0, 700), max_size=8),
    st.integers(1, 40),
    st.integers(1, 100),
    st.integers(0, 50),
)
def test_however_appends_and_readings_fall_the_lines_are_the_same(
    tmp_path, lines, cuts, chunk, limit, line_limit
):
    path = tmp_path / "split.jsonl"
    path.unlink(missing_ok=True)
    raw = b"".join(lines)
    position, told, skipped = None, [], 0
    for start, end in zip(ends := [0, *sorted(cuts)], [*ends[1:], len(raw)], strict=True):
        append(path, raw[start : max(start, end)])
        found, position, out = read_all(path, position, chunk=chunk, limit_bytes=limit, line_limit=line_limit)
        told += found
        skipped += out
    short = [line[:-1] for line in lines if len(line) - 1 <= line_limit]
    assert told == short
    assert skipped == len(lines) - len(short)
    assert read_all(path, None)[0] == [line[:-1] for line in lines]


def test_a_limit_stops_at_a_line_end_and_the_next_call_goes_on(path: Path):
    append(path, b"".join(b"%04d\n" % number for number in range(100)))
    first = read_on(path, None, limit_bytes=12)
    assert (first.lines, first.more) == ((b"0000", b"0001", b"0002"), True)
    lines, _, _ = read_all(path, first.position, limit_bytes=12)
    assert lines == [b"%04d" % number for number in range(3, 100)]


def test_a_limit_smaller_than_a_line_still_makes_way(path: Path):
    append(path, b"a long line\nb\n")
    result = read_on(path, None, limit_bytes=0)
    assert (result.lines, result.more) == ((b"a long line",), True)


def test_a_line_that_is_too_long_is_counted_once_and_stepped_over(path: Path):
    append(path, b"one\n" + b"x" * 1_000 + b"\ntwo\n")
    result = read_on(path, None, line_limit=100, chunk=64)
    assert (result.lines, result.skipped) == ((b"one", b"two"), 1)
    assert read_on(path, result.position).state is TailState.UNCHANGED


def test_a_line_that_grows_too_long_over_several_readings_is_counted_once(path: Path):
    append(path, b"one\n")
    position, skipped = None, 0
    for _ in range(5):
        append(path, b"x" * 60)
        result = read_on(path, through_json(position), line_limit=100)
        position, skipped = result.position, skipped + result.skipped
    assert skipped == 1
    assert position is not None
    assert position.inside_skipped
    append(path, b"\ntwo\n")
    assert read_on(path, position).lines == (b"two",)


def test_one_gigabyte_is_read_in_constant_memory(path: Path):
    with path.open("wb") as file:
        file.write(b'{"n": 1}\n')
        file.truncate(1 << 30)  # sparse: one line of a gigabyte of NUL
        file.seek(0, os.SEEK_END)
        file.write(b'\n{"n": 2}\n')
    tracemalloc.start()
    try:
        lines, _, skipped = read_all(path, None, chunk=1 << 18, line_limit=1 << 20)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (lines, skipped) == ([b'{"n": 1}', b'{"n": 2}'], 1)
    assert peak < 4 << 20


def test_one_call_holds_no_more_than_its_limit_of_many_lines(path: Path):
    with path.open("wb") as file:
        for _ in range(64):
            file.write((b"x" * 1_023 + b"\n") * 1_024)
    first = read_on(path, None)
    assert first.more
    assert sum(map(len, first.lines)) <= LIMIT
    assert len(read_all(path, first.position)[0]) + len(first.lines) == 64 * 1_024


def test_a_file_that_is_gone_is_missing_and_its_position_is_kept(path: Path):
    append(path, b"one\n")
    position = read_on(path, None).position
    path.unlink()
    assert read_on(path, position) == TailResult(lines=(), position=position, state=TailState.MISSING)
    shutil.rmtree(path.parent)
    assert read_on(path, position).state is TailState.MISSING


def test_a_renamed_file_is_read_on_under_its_new_name(path: Path):
    append(path, b"one\n")
    position = read_on(path, None).position
    path.rename(path.with_suffix(".old"))
    assert read_on(path, position).state is TailState.UNCHANGED
    append(path.with_suffix(".old"), b"two\n")
    result = read_on(path, position)
    assert (result.lines, result.state) == ((b"two",), TailState.ROTATED)


def test_a_rotated_file_is_finished_before_the_new_one_is_begun(path: Path):
    append(path, b"one\n")
    position = read_on(path, None).position
    append(path, b"two\nunended")
    path.rename(path.with_suffix(".1"))
    append(path, b"three\n")
    result = read_on(path, position)
    assert (result.lines, result.state) == ((b"two", b"unended", b"three"), TailState.ROTATED)
    append(path, b"four\n")
    assert (found := read_on(path, result.position)).lines == (b"four",)
    assert found.state is TailState.OK


def test_a_rotated_file_is_finished_in_as_many_calls_as_the_limit_asks(path: Path):
    append(path, b"one\n")
    position = read_on(path, None).position
    append(path, b"".join(b"%d\n" % number for number in range(10)))
    path.rename(path.with_suffix(".1"))
    append(path, b"new\nnewer\n")
    lines, _, _ = read_all(path, position, limit_bytes=3)
    assert lines == [*(b"%d" % number for number in range(10)), b"new", b"newer"]


def test_a_new_file_that_begins_like_the_old_one_is_read_whole(path: Path):
    append(path, b"one\n")
    position = read_on(path, None).position
    append(path, b"two\n")
    path.rename(path.with_suffix(".1"))
    append(path, b"one\nthree\n")
    assert read_on(path, position).lines == (b"two", b"one", b"three")


def test_lines_too_long_are_counted_in_the_old_file_and_in_the_new_one(path: Path):
    append(path, b"one\n")
    position = read_on(path, None).position
    append(path, b"x" * 100 + b"\ntwo\n")
    path.rename(path.with_suffix(".1"))
    append(path, b"x" * 100 + b"\nthree\n")
    result = read_on(path, position, line_limit=10)
    assert (result.lines, result.skipped) == ((b"two", b"three"), 2)


def test_a_replaced_file_is_read_from_its_start(path: Path):
    append(path, b"one\ntwo\n")
    position = read_on(path, None).position
    other = path.with_suffix(".new")
    append(other, b"uno\ndue\ntre\n")
    other.replace(path)
    result = read_on(path, position)
    assert (result.lines, result.state) == ((b"uno", b"due", b"tre"), TailState.ROTATED)


@pytest.mark.parametrize("instead", [b"", b"uno\n", b"uno\ndue\ntre\n", b"one\nt\n"])
def test_a_file_rewritten_in_place_is_read_from_its_start(path: Path, instead: bytes):
    append(path, b"one\ntwo\n")
    position = read_on(path, None).position
    path.write_bytes(instead)
    result = read_on(path, position)
    assert (result.lines, result.state) == (tuple(instead.split(b"\n")[:-1]), TailState.ROTATED)


def test_a_file_cut_within_a_line_that_was_seen_is_read_from_its_start(path: Path):
    append(path, b"one\nunended")
    position = read_on(path, None).position
    os.truncate(path, 4)
    result = read_on(path, position)
    assert (result.lines, result.state) == ((b"one",), TailState.ROTATED)


def test_a_file_rewritten_behind_the_same_start_is_read_from_its_start(path: Path):
    start = b"x" * 300 + b"\n"
    append(path, start + b"one\n")
    position = read_on(path, None).position
    path.write_bytes(start + b"other words\n")
    assert read_on(path, position).lines == (start[:-1], b"other words")


def test_an_inode_number_that_is_used_again_is_another_file(path: Path):
    append(path, b"one\n")
    position = read_on(path, None).position
    assert position is not None
    path.unlink()
    append(path, b"uno\ndue\n")
    reused = dataclasses.replace(position, inode=path.stat().st_ino)
    assert read_on(path, reused).lines == (b"uno", b"due")


def test_an_old_file_that_cannot_be_read_does_not_hold_up_the_new_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    append(path, b"one\n")
    position = read_on(path, None).position
    path.rename(path.with_suffix(".1"))
    append(path, b"new\n")

    def refuse(folder: str) -> None:
        raise PermissionError(13, "Permission denied", folder)

    monkeypatch.setattr("asides.intake.tail.os.scandir", refuse)
    result = read_on(path, position)
    assert (result.lines, result.state) == ((b"new",), TailState.ROTATED)
    assert "Permission denied" in result.reason


def test_what_is_no_plain_file_is_unreadable_and_never_waited_for(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, Path("/dev/zero"), Path("a\x00b"), tmp_path / ("x" * 5_000)):
        result = read_on(path, None)
        assert (result.lines, result.state) == ((), TailState.UNREADABLE)
        assert result.reason


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read_is_unreadable(path: Path):
    append(path, b"one\n")
    path.chmod(0)
    result = read_on(path, None)
    assert (result.state, result.position) == (TailState.UNREADABLE, None)
    assert "Permission denied" in result.reason


def test_a_reading_that_fails_midway_keeps_the_position(path: Path, monkeypatch: pytest.MonkeyPatch):
    append(path, b"one\n")
    position = read_on(path, None).position
    append(path, b"two\n")

    def fail(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr("asides.intake.tail._stretch", fail)
        result = read_on(path, position)
        assert (result.lines, result.state, result.position) == ((), TailState.UNREADABLE, position)
        assert "Input/output error" in result.reason
    assert read_on(path, position).lines == (b"two",)


def test_no_file_is_left_open(path: Path):
    append(path, b"one\n")
    before = len(list(Path("/proc/self/fd").iterdir()))
    position = read_on(path, None).position
    path.rename(path.with_suffix(".1"))
    read_on(path, position)
    append(path, b"new\n")
    read_on(path, position)
    read_on(path.parent, None)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
