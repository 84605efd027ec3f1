"""The marks: whole or not at all, readable by their owner only, taken away by their owner only."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.daemon import marks
from asides.daemon.marks import START_BUDGET, START_WINDOW
from asides.paths import write_whole


def mark(tmp_path: Path, **changed: object) -> marks.Mark:
    return msgspec.structs.replace(marks.fresh(version="1.2.3", socket=tmp_path / "socket"), **changed)


def test_what_is_written_is_read_and_the_hooks_line_names_the_same_process(tmp_path: Path):
    written = mark(tmp_path)
    marks.write(tmp_path, written)
    assert marks.read(tmp_path) == written
    assert (tmp_path / "alive").read_text() == f"{os.getpid()} {written.start}\n"
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


def test_each_mark_has_a_nonce_of_its_own(tmp_path: Path):
    assert len({mark(tmp_path).nonce for _ in range(50)}) == 50


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pid": "x"}', b"\xff\xfe", b'{"pid": 1}'])
def test_damaged_marks_are_no_marks(tmp_path: Path, content: bytes):
    (tmp_path / "daemon.json").write_bytes(content)
    assert marks.read(tmp_path) is None


def test_no_marks_are_no_marks(tmp_path: Path):
    assert marks.read(tmp_path) is None


def test_the_mark_of_a_successor_stays(tmp_path: Path):
    mine, theirs = mark(tmp_path), mark(tmp_path)
    marks.write(tmp_path, theirs)
    marks.remove(tmp_path, mine)
    assert marks.read(tmp_path) == theirs
    marks.remove(tmp_path, theirs)
    assert not [path for path in tmp_path.iterdir() if path.name in ("alive", "daemon.json")]


def test_starts_count_until_the_window_has_passed(tmp_path: Path):
    assert [marks.within_budget(tmp_path, 1000.0 + n) for n in range(START_BUDGET + 2)] == [
        True
    ] * START_BUDGET + [False] * 2
    assert not marks.within_budget(tmp_path, 1000.0 + START_WINDOW - 1)
    assert marks.within_budget(tmp_path, 1000.0 + START_WINDOW)
    assert not marks.within_budget(tmp_path, 1000.0 + START_WINDOW)


def test_a_start_that_ended_in_order_is_taken_off_and_no_other(tmp_path: Path):
    moments = [1000.1234567, 1000.2345678]
    for moment in moments:
        assert marks.within_budget(tmp_path, moment, budget=2)
    assert not marks.within_budget(tmp_path, 1001.0, budget=2)
    marks.forgive(tmp_path, moments[0])
    assert (tmp_path / "starts").read_text() == "1000.235"
    assert marks.within_budget(tmp_path, 1001.0, budget=2)


def test_a_person_who_asks_for_a_daemon_gets_a_new_budget(tmp_path: Path):
    assert marks.within_budget(tmp_path, 1000.0, budget=1)
    assert not marks.within_budget(tmp_path, 1001.0, budget=1)
    marks.forget_starts(tmp_path)
    assert marks.within_budget(tmp_path, 1002.0, budget=1)


def test_a_clock_that_was_set_back_keeps_nobody_away(tmp_path: Path):
    for n in range(START_BUDGET):
        assert marks.within_budget(tmp_path, 5000.0 + n)
    assert marks.within_budget(tmp_path, 10.0)


@given(content=st.binary(max_size=60))
def test_a_damaged_count_starts_anew(tmp_path_factory: pytest.TempPathFactory, content: bytes):
    run = tmp_path_factory.mktemp("run")
    (run / "starts").write_bytes(content)
    assert marks.within_budget(run, 1e9, budget=1) in (True, False)
    (run / "starts").write_bytes(b"not numbers")
    assert marks.within_budget(run, 1e9, budget=1)


def test_a_file_that_cannot_be_replaced_stays_as_it_was(tmp_path: Path):
    place = tmp_path / "alive"
    place.mkdir()  # nothing can be moved over a folder
    with pytest.raises(OSError):
        write_whole(place, b"new")
    assert place.is_dir()
