"""Claude Code's transcript beyond the captured ones: who is a person, what is stepped over."""

from __future__ import annotations

import json
import tracemalloc
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asides.agents.claude_code import read_line
from asides.model.errors import BrokenPayload
from asides.model.event import Answered, Linked, Said
from asides.model.turn import Via

# No deadline: the machine that runs this may be busy.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)
FIELDS = (
    "type", "uuid", "parentUuid", "logicalParentUuid", "sessionId", "timestamp", "cwd", "promptId",
    "promptSource", "origin", "isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly",
    "isApiErrorMessage", "message", "attachment",
)  # fmt: skip
TYPES = ("user", "assistant", "attachment", "system", "later-type")

HUMAN = {"origin": {"kind": "human"}, "promptSource": "typed"}
RULE = "Never pass a generator to total()."


def line(kind: str, **fields: Any) -> bytes:
    row = {
        "type": kind,
        "uuid": "u1",
        "parentUuid": "u0",
        "sessionId": "s",
        "timestamp": "2026-11-30T15:00:00.000Z",
    }
    return json.dumps(row | fields).encode()


def user(content: Any = RULE, **fields: Any) -> bytes:
    return line(
        "user", message={"role": "user", "content": content}, promptId="p1", cwd="/home/dev/shop", **fields
    )


def assistant(content: Any, model: str = "claude-opus-5-5", **fields: Any) -> bytes:
    return line("assistant", message={"role": "assistant", "model": model, "content": content}, **fields)


def queued(prompt: Any = RULE, **fields: Any) -> bytes:
    attachment = {
        "type": "queued_command",
        "prompt": prompt,
        "commandMode": "prompt",
        "origin": {"kind": "human"},
    }
    return line("attachment", attachment=attachment | fields)


LINK = Linked(uuid="u1", parent="u0", session="s")


def said(via: Via, text: str = RULE, prompt_id: str | None = "p1", cwd: str = "/home/dev/shop") -> Said:
    return Said(
        uuid="u1", parent="u0", session="s", via=via, text=text, at="2026-11-30T15:00:00.000Z",
        prompt_id=prompt_id, cwd=cwd,
    )  # fmt: skip


@unhurried
@given(st.binary())
def test_any_bytes_are_a_line_nothing_or_broken(raw: bytes):
    with suppress(BrokenPayload):
        assert read_line(raw) is None


@unhurried
@given(st.dictionaries(st.sampled_from(FIELDS), JSON), st.sampled_from(TYPES), st.booleans())
def test_an_object_with_fields_of_any_type_is_a_line_or_nothing(row: dict[str, Any], kind: str, named: bool):
    known = row | {"type": kind} | ({"uuid": "u1"} if named else {})
    found = read_line(json.dumps(known).encode())
    assert found is None or found.uuid == known["uuid"]


@unhurried
@given(
    st.sampled_from(["user", "assistant"]),
    st.lists(st.dictionaries(st.sampled_from(["type", "text", "content"]), JSON) | JSON) | JSON,
)
def test_content_of_any_shape_is_a_line(kind: str, content: Any):
    raw = line(kind, message={"content": content}, **HUMAN)
    assert isinstance(read_line(raw), Said | Answered | Linked)


@unhurried
@given(st.dictionaries(st.text().filter(lambda key: key not in FIELDS), JSON))
def test_fields_that_a_later_version_adds_change_nothing(added: dict[str, Any]):
    row = json.loads(user(**HUMAN)) | added
    assert read_line(json.dumps(row).encode()) == said(Via.TYPED)


@unhurried
@given(st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), min_size=1))
def test_what_a_person_typed_comes_back_to_the_letter(text: str):
    found = read_line(user("Note: " + text, **HUMAN))
    assert found == said(Via.TYPED, "Note: " + text)


@pytest.mark.parametrize(
    ("marks", "via"),
    [
        (HUMAN, Via.TYPED),
        ({"origin": {"kind": "human"}}, Via.TYPED),
        ({"promptSource": "typed"}, Via.TYPED),
        ({"promptSource": "sdk"}, Via.SDK),
        ({"promptSource": "sdk", "origin": {"kind": "human"}}, Via.SDK),
    ],
)
def test_a_line_whose_marks_vouch_for_a_person_is_a_statement(marks: dict[str, Any], via: Via):
    assert read_line(user(**marks)) == said(via)


@pytest.mark.parametrize(
    "marks",
    [
        {},
        {"promptSource": "system"},
        {"promptSource": "later-source"},
        {"turnOrigin": "human"},
        {"origin": "human"},
        *(
            {"origin": {"kind": kind}, "promptSource": "typed"}
            for kind in ("task-notification", "peer", "plugin")
        ),
        {**HUMAN, "isMeta": True},
        {**HUMAN, "isCompactSummary": True},
        {**HUMAN, "isVisibleInTranscriptOnly": True},
    ],
)
def test_a_line_without_such_marks_is_never_a_persons(marks: dict[str, Any]):
    assert read_line(user(**marks)) == LINK


@pytest.mark.parametrize(
    "content",
    [
        "<task-notification>done</task-notification>",
        "<command-message>greet</command-message>\n<command-name>/greet</command-name>",
        "<local-command-stdout>x</local-command-stdout>",
        "<bash-input>ls</bash-input>",
        "<system-reminder>x</system-reminder>",
        [{"type": "text", "text": "[Request interrupted by user for tool use]"}],
        [{"type": "tool_result", "content": RULE}],
        [{"type": "tool_result", "content": "x"}, {"type": "text", "text": RULE}],
        [{"type": "image", "source": {"data": "AAAA"}}],
        "",
        "  \n",
        [],
        None,
        {"text": RULE},
    ],
)
def test_text_of_tooling_is_no_statement_whatever_its_marks(content: Any):
    assert read_line(user(content, **HUMAN)) == LINK


def test_of_several_blocks_only_the_persons_own_text_is_kept():
    content = [
        {"type": "text", "text": "<ide_opened_file>The user opened app.py</ide_opened_file>"},
        {"type": "image", "source": {"type": "base64", "data": "AAAA"}},
        {"type": "text", "text": "See the screenshot."},
        {"type": "text", "text": "<system-reminder>be brief</system-reminder>"},
        {"type": "text", "text": RULE},
    ]
    assert read_line(user(content, **HUMAN)) == said(Via.TYPED, f"See the screenshot.\n{RULE}")


def test_a_prompt_typed_while_the_agent_works_is_a_statement():
    assert read_line(queued()) == said(Via.QUEUED, prompt_id=None, cwd="")
    blocks = [{"type": "text", "text": RULE}, {"type": "image", "source": {}}]
    assert read_line(queued(blocks)) == said(Via.QUEUED, prompt_id=None, cwd="")


@pytest.mark.parametrize(
    "fields",
    [
        {"origin": {"kind": "task-notification"}},
        {"origin": None},
        {"commandMode": "task-notification"},
        {"commandMode": "bash"},
        {"type": "file"},
        {"prompt": "<task-notification>done</task-notification>"},
        {"prompt": 7},
    ],
)
def test_any_other_attachment_is_only_a_link(fields: dict[str, Any]):
    assert read_line(queued(**fields)) == LINK


def test_a_subagents_lines_are_nothing_to_us():
    for raw in (
        user(isSidechain=True, **HUMAN),
        assistant("Looking.", isSidechain=True),
        line("system", isSidechain=True),
    ):
        assert read_line(raw) is None


def test_a_line_without_a_uuid_is_outside_the_conversation():
    assert read_line(b'{"type": "last-prompt", "lastPrompt": "Use httpx."}') is None
    assert (
        read_line(b'{"type": "api-request-blob", "message": {"role": "user", "content": "Use httpx."}}')
        is None
    )
    assert read_line(b'{"type": "queue-operation", "operation": "enqueue", "content": "Use httpx."}') is None


@pytest.mark.parametrize("raw", [b"", b"\n", b"  \r\n", b"\t"])
def test_an_empty_line_is_nothing(raw: bytes):
    assert read_line(raw) is None


def test_only_visible_text_is_what_the_agent_answered():
    content = [
        {"type": "thinking", "thinking": "secret"},
        {"type": "text", "text": "Renamed."},
        {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}},
        {"type": "text", "text": "Tests pass."},
    ]
    found = read_line(assistant(content))
    assert isinstance(found, Answered)
    assert found.text == "Renamed.\nTests pass."
    assert read_line(assistant([{"type": "tool_use", "name": "Bash"}])) == LINK


def test_what_the_client_says_in_the_agents_place_is_only_a_link():
    words = [{"type": "text", "text": "API Error: 400"}]
    assert read_line(assistant(words, isApiErrorMessage=True)) == LINK
    assert read_line(assistant(words, model="<synthetic>")) == LINK


def test_a_compaction_boundary_hangs_on_its_logical_parent():
    raw = line("system", subtype="compact_boundary", parentUuid=None, logicalParentUuid="before")
    assert read_line(raw) == Linked(uuid="u1", parent="before", session="s")


def test_a_line_of_an_unknown_type_keeps_the_branch_together():
    assert read_line(line("later-type", message={"content": RULE}, **HUMAN)) == LINK


def test_a_lone_surrogate_in_a_tool_result_beside_us_costs_nothing():
    raw = user([{"type": "tool_result", "content": "@"}]).replace(b"@", rb"\udc88")
    assert read_line(raw) == LINK


def test_a_lone_surrogate_in_a_statement_is_replaced():
    raw = user("a@b", **HUMAN).replace(b"@", rb"\udc88")
    assert read_line(raw) == said(Via.TYPED, "a\ufffdb")


@pytest.mark.parametrize(
    "raw",
    [
        user(
            [{"type": "tool_result", "content": "x" * 20_000_000}], toolUseResult={"stdout": "y" * 20_000_000}
        ),
        assistant([{"type": "thinking", "thinking": "x" * 20_000_000}]),
        user(
            [{"type": "image", "source": {"data": "A" * 20_000_000}}, {"type": "text", "text": RULE}], **HUMAN
        ),
        line("attachment", attachment={"type": "file", "content": "x" * 20_000_000}),
        line("api-request", message={"content": "x" * 20_000_000}),
    ],
    ids=["tool result", "thinking", "image", "attachment", "unknown"],
)
def test_a_payload_of_20_mb_is_stepped_over_without_being_built(raw: bytes):
    tracemalloc.start()
    try:
        read_line(raw)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100_000
