"""Every payload and transcript captured from the real client, oldest and newest supported version."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asides.agents import AGENTS
from asides.intake.branches import Branches, statements
from asides.intake.tail import read_on
from asides.model.errors import BrokenPayload
from asides.model.event import Line, Said

HERE = Path(__file__).parent
VERSIONS = ("2.1.197", "2.1.332")
CLAUDE_CODE = AGENTS["claude-code"]

PAYLOADS = sorted(HERE.glob("*/payloads/*.json"))
SEQUENCES = sorted(HERE.glob("*/sequences/*.jsonl"))
TRANSCRIPTS = sorted(HERE.glob("*/transcripts/*.jsonl"))


def _id(path: Path) -> str:
    return f"{path.parent.parent.name}/{path.stem}"


def _lines(path: Path) -> list[Line | None]:
    return [CLAUDE_CODE.adapter.read_line(raw) for raw in path.read_bytes().split(b"\n")]


def test_the_samples_of_the_oldest_and_the_newest_version_are_here():
    assert (CLAUDE_CODE.oldest, CLAUDE_CODE.newest_seen) == VERSIONS
    assert [len(list(HERE.glob(f"{version}/payloads/*"))) for version in VERSIONS] == [48, 56]
    assert [len(list(HERE.glob(f"{version}/transcripts/*"))) for version in VERSIONS] == [9, 9]


@pytest.mark.parametrize("path", PAYLOADS, ids=_id)
def test_every_captured_payload_means_what_is_written_down(path: Path):
    expected = json.loads((path.parent.parent / "expected-events.json").read_text())[path.name]
    event = CLAUDE_CODE.adapter.read_payload(path.read_bytes())
    if event is None:
        assert expected is None
        return
    told = {
        field: list(value) if isinstance(value, tuple) else value
        for field, value in dataclasses.asdict(event).items()
        if value not in ("", None, False, ())
    }
    assert told == {"agent": "claude-code", **expected}


@pytest.mark.parametrize("path", SEQUENCES, ids=_id)
def test_in_every_scenario_each_event_that_we_register_is_understood_and_no_other(path: Path):
    for row in map(json.loads, path.read_text().splitlines()):
        event = CLAUDE_CODE.adapter.read_payload(json.dumps(row["payload"]).encode())
        compaction = row["event"] == "SubagentStop" and row["payload"]["agent_type"] == ""
        if row["event"] not in CLAUDE_CODE.events or compaction:
            assert event is None
        else:
            assert event is not None
            assert event.kind is CLAUDE_CODE.events[row["event"]]
            assert (event.session, event.prompt_id) == (row["session_id"], row["prompt_id"])


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=_id)
def test_every_transcript_gives_exactly_what_people_wrote(path: Path):
    expected = json.loads((path.parent.parent / "human-statements.json").read_text())[path.name]
    lines = _lines(path)
    numbers = {line.uuid: number for number, line in enumerate(lines) if isinstance(line, Said)}
    told = [
        {
            "line": numbers[each.said.uuid],
            "text": each.said.text,
            "via": each.said.via,
            "prompt_id": each.said.prompt_id,
            "abandoned": each.abandoned,
        }
        for each in statements(filter(None, lines), Branches())
    ]
    assert told == [{"abandoned": False, **each} for each in expected]


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=_id)
def test_a_line_cut_anywhere_is_broken_or_nothing_never_words(path: Path):
    for raw in path.read_bytes().splitlines():
        for end in range(1, len(raw), max(1, len(raw) // 8)):
            with pytest.raises(BrokenPayload):
                CLAUDE_CODE.adapter.read_line(raw[:end])


@pytest.mark.parametrize("version", VERSIONS)
def test_a_fork_repeats_the_uuids_of_what_it_copies_under_another_session(version: str):
    folder = HERE / version / "transcripts"
    original = [line for line in _lines(folder / "resume.jsonl") if line]
    fork = [line for line in _lines(folder / "resume-2.jsonl") if line]
    copied = [line for line in fork if line.uuid in {line.uuid for line in original}]
    said = [line.text for line in copied if isinstance(line, Said)]
    assert said == [line.text for line in original if isinstance(line, Said)]
    assert {line.session for line in copied}.isdisjoint({line.session for line in original})
    assert [line.text for line in fork if isinstance(line, Said) and line not in copied] == [
        "Undo that rename please."
    ]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_prompt_id_of_a_typed_prompt_joins_its_payload_to_its_line(version: str):
    for scenario in (HERE / version / "sequences").glob("*.jsonl"):
        transcripts = (HERE / version / "transcripts").glob(f"{scenario.stem}*.jsonl")
        said = [line for path in transcripts for line in _lines(path) if isinstance(line, Said)]
        for row in map(json.loads, scenario.read_text().splitlines()):
            prompt = row["payload"].get("prompt", "")
            if row["event"] != "UserPromptSubmit" or prompt.startswith(("<", "/")):
                continue
            matching = [line for line in said if line.text == prompt]
            assert matching
            assert any(line.prompt_id in (row["prompt_id"], None) for line in matching)


UNKNOWN = st.dictionaries(
    st.sampled_from(["content", "prompt", "message", "attachment", "text", "origin"]), st.text()
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(TRANSCRIPTS), st.data())
def test_line_types_and_fields_of_a_later_version_change_no_statement(path: Path, data: st.DataObject):
    rows = path.read_bytes().splitlines()
    expected = statements(filter(None, map(CLAUDE_CODE.adapter.read_line, rows)), Branches())
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(rows)))
        added = data.draw(UNKNOWN) | {
            "type": "later-type",
            "origin": {"kind": "human"},
            "promptSource": "typed",
        }
        rows.insert(place, json.dumps(added).encode())
        place = data.draw(st.integers(0, len(rows) - 1))
        row = json.loads(rows[place]) | {f"later{key}": value for key, value in data.draw(UNKNOWN).items()}
        rows[place] = json.dumps(row).encode()
    assert statements(filter(None, map(CLAUDE_CODE.adapter.read_line, rows)), Branches()) == expected


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(st.sampled_from(TRANSCRIPTS), st.lists(st.integers(0, 90_000), max_size=6), st.integers(1, 30_000))
def test_a_transcript_read_while_it_is_written_gives_the_same_lines(tmp_path, path, cuts, limit):
    whole, growing = path.read_bytes(), tmp_path / "growing.jsonl"
    growing.unlink(missing_ok=True)
    position, told = None, []
    for end in [*sorted(cut for cut in cuts if cut < len(whole)), len(whole)]:
        growing.write_bytes(whole[:end])
        result = read_on(growing, position, limit_bytes=limit)
        while True:
            told += map(CLAUDE_CODE.adapter.read_line, result.lines)
            position = result.position
            if not result.more:
                break
            result = read_on(growing, position, limit_bytes=limit)
    assert told == _lines(path)[:-1]
