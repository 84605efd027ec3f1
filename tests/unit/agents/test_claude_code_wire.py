"""Claude Code's payloads beyond the captured ones: damaged, unknown, hostile."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asides.agents.claude_code import CHANGING_TOOLS, EVENTS, read_payload
from asides.model.errors import BrokenPayload
from asides.model.event import EventKind, HookEvent

# No deadline: the machine that runs this may be busy.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)
FIELDS = (
    "session_id", "transcript_path", "cwd", "hook_event_name", "prompt_id", "prompt", "source", "reason",
    "error", "last_assistant_message", "agent_id", "agent_type", "tool_name", "tool_input", "tool_response",
)  # fmt: skip


def event(name: str, **fields: Any) -> HookEvent:
    payload = {"session_id": "s", "cwd": "/home/dev/shop", "hook_event_name": name, **fields}
    found = read_payload(json.dumps(payload).encode())
    assert found is not None
    return found


@unhurried
@given(st.binary())
def test_any_bytes_are_an_event_nothing_or_broken(raw: bytes):
    with suppress(BrokenPayload):
        assert read_payload(raw) is None


@unhurried
@given(
    st.dictionaries(st.sampled_from(FIELDS), JSON),
    st.sampled_from(sorted(EVENTS)) | st.none(),
    st.sampled_from(CHANGING_TOOLS) | st.none(),
)
def test_fields_of_any_type_never_break_more_than_themselves(payload: dict[str, Any], name: str, tool: str):
    known = payload | ({"hook_event_name": name} if name else {}) | ({"tool_name": tool} if tool else {})
    try:
        found = read_payload(json.dumps(known).encode())
    except BrokenPayload:
        assert not (isinstance(known.get("session_id"), str) and known["session_id"])
        return
    assert found is None or found.kind is EVENTS[known["hook_event_name"]]


@unhurried
@given(st.dictionaries(st.text().filter(lambda key: key not in FIELDS), JSON))
def test_fields_that_a_later_version_adds_change_nothing(added: dict[str, Any]):
    payload = {
        "session_id": "s",
        "hook_event_name": "Stop",
        "cwd": "/home/dev/shop",
        "last_assistant_message": "Done.",
    }
    assert read_payload(json.dumps(payload | added).encode()) == event("Stop", last_assistant_message="Done.")


@pytest.mark.parametrize(
    "payload", ["{}", '{"hook_event_name": "Stop"}', '{"session_id": "", "hook_event_name": "Stop"}']
)
def test_a_payload_without_a_session_is_broken(payload: str):
    with pytest.raises(BrokenPayload, match="names no session"):
        read_payload(payload.encode())


def test_an_event_that_we_do_not_register_is_nothing():
    assert read_payload(b'{"session_id": "s", "hook_event_name": "MessageDisplay"}') is None
    assert read_payload(b'{"session_id": "s", "hook_event_name": ["Stop"]}') is None
    assert read_payload(b'{"session_id": "s"}') is None


def test_the_end_of_the_nameless_subagent_that_summarizes_is_nothing():
    assert read_payload(b'{"session_id": "s", "hook_event_name": "SubagentStop", "agent_type": ""}') is None
    assert event("SubagentStop", agent_id="a1", agent_type="reviewer").subagent == "a1"


@pytest.mark.parametrize(
    "prompt",
    [
        "<task-notification>\n<task-id>1</task-id>", "<command-name>/x</command-name>",
        "<local-command-stdout>", "<bash-input>ls</bash-input>", "<system-reminder>x",
        "[Request interrupted by user]", "\n <bash-stdout>x",
    ],
)  # fmt: skip
def test_a_prompt_that_tooling_wrote_is_marked_as_such(prompt: str):
    assert event("UserPromptSubmit", prompt=prompt).machine


@pytest.mark.parametrize(
    "prompt", ["/greet Robin", "use <command-line> flags", "[asides] is a word", "!ls", ""]
)
def test_a_prompt_that_a_person_may_have_typed_is_left_to_the_transcript(prompt: str):
    assert not event("UserPromptSubmit", prompt=prompt).machine


def test_a_prompt_with_a_lone_surrogate_and_nul_arrives():
    assert (
        event("UserPromptSubmit", prompt="a\udc88b\x00c \u2028 \U0001f600").prompt
        == "a\ufffdb\ufffdc \u2028 \U0001f600"
    )


@pytest.mark.parametrize(
    ("tool", "tool_input", "tool_response", "files"),
    [
        ("Write", {"file_path": "/a/b.py", "content": "x"}, {"filePath": "/a/b.py"}, ("/a/b.py",)),
        ("Write", {"file_path": "/a/b.py"}, "an error in words", ("/a/b.py",)),
        ("Edit", {"file_path": "src/../b.py"}, {}, ("/home/dev/shop/b.py",)),
        ("MultiEdit", {"file_path": "/a/b.py"}, {"filePath": "/a/real.py"}, ("/a/real.py",)),
        ("NotebookEdit", {"notebook_path": "/a/n.ipynb"}, {}, ("/a/n.ipynb",)),
        (
            "Bash",
            {"command": "sed -i s/a/b/ x y"},
            {"bashEditDiff": {"files": [{"filePath": "/a/x"}, {"filePath": "y"}, {"filePath": "/a/x"}, 7]}},
            ("/a/x", "/home/dev/shop/y"),
        ),
        ("Bash", {"command": "ls"}, {"stdout": "x"}, ()),
        ("Bash", {"command": "ls", "file_path": "/a/x"}, {"bashEditDiff": {"files": "none"}}, ()),
        ("Read", {"file_path": "/a/b.py"}, {"filePath": "/a/b.py"}, ()),
        ("Write", {"file_path": ["/a"]}, {"filePath": 7}, ()),
    ],
)
def test_the_files_that_a_tool_changed_are_absolute_paths_each_once(tool, tool_input, tool_response, files):
    found = event("PostToolUse", tool_name=tool, tool_input=tool_input, tool_response=tool_response)
    assert (found.kind, found.tool, found.files) == (EventKind.USED_TOOL, tool, files)


def test_a_relative_path_without_a_folder_to_stand_in_is_left_out():
    assert event("PostToolUse", cwd=None, tool_name="Write", tool_input={"file_path": "b.py"}).files == ()


def test_a_tool_that_is_about_to_run_has_changed_nothing():
    assert event("PreToolUse", tool_name="Write", tool_input={"file_path": "/a/b.py"}).files == ()


@pytest.mark.parametrize("name", sorted(EVENTS))
def test_only_the_reply_event_carries_a_reply_and_only_a_prompt_a_prompt(name: str):
    found = event(
        name, prompt="P", last_assistant_message="R", source="startup", reason="other", agent_id="a1"
    )
    assert found.prompt == ("P" if name == "UserPromptSubmit" else "")
    assert found.reply == ("R" if name == "Stop" else "")
    assert found.source == ("startup" if name == "SessionStart" else "")
    assert found.reason == ("other" if name == "SessionEnd" else "")
    assert found.subagent == "a1"
