"""Claude Code's transcript: one JSON object a line, read into who said what.

Tool results, thinking, images, attachments and copies of whole requests are most of a transcript's
bytes; they are stepped over and never built (hazard B-093).
"""

from __future__ import annotations

from typing import Any

import msgspec

from asides.agents.claude_code.origin import own_words, via_of_prompt, via_of_queued
from asides.agents.lenient import NOTHING, clean, decode, name, part
from asides.model.event import Answered, Line, Linked, Said
from asides.model.turn import Via

SYNTHETIC_MODEL = "<synthetic>"  # the client's own words in the agent's role, e.g. an API error


class Row(msgspec.Struct, frozen=True, rename="camel"):
    """A line as it stands. Fields are loose: a type that changed must not cost the line."""

    type: Any = None
    uuid: Any = None
    parent_uuid: Any = None
    logical_parent_uuid: Any = None
    session_id: Any = None
    timestamp: Any = None
    cwd: Any = None
    prompt_id: Any = None
    prompt_source: Any = None
    origin: Any = None
    is_sidechain: Any = None
    is_meta: Any = None
    is_compact_summary: Any = None
    is_visible_in_transcript_only: Any = None
    is_api_error_message: Any = None
    message: msgspec.Raw = NOTHING
    attachment: msgspec.Raw = NOTHING


class Message(msgspec.Struct, frozen=True):
    """What a `user` or `assistant` line carries."""

    model: Any = None
    content: msgspec.Raw = NOTHING


class Block(msgspec.Struct, frozen=True):
    """One piece of a message. What is no text has no field here."""

    type: Any = None
    text: Any = None


class Queued(msgspec.Struct, frozen=True, rename="camel"):
    """An attachment, as far as it may hold a prompt that was typed while the agent worked."""

    type: Any = None
    prompt: msgspec.Raw = NOTHING
    command_mode: Any = None
    origin: Any = None


def read_line(raw: bytes) -> Line | None:
    """Returns what one line means to us, or None.

    None stands for a line outside the conversation (it has no uuid), for an empty one, and for a
    sub-agent's: a sub-agent never speaks for the person, and its lines never become ours.
    Raises BrokenPayload when it is not one whole JSON object.
    """
    if not raw.strip():
        return None
    row = decode(raw, Row)
    uuid = name(row.uuid)
    if uuid is None or row.is_sidechain:
        return None
    match row.type:
        case "user":
            return _said(row, uuid, *_of_user(row))
        case "attachment":
            return _said(row, uuid, *_of_attachment(row))
        case "assistant":
            return _answered(row, uuid)
        case _:
            return _linked(row, uuid)


def _of_user(row: Row) -> tuple[Via | None, str]:
    """Returns how a `user` line came from a person, and its text; None for everyone else's."""
    if row.is_meta or row.is_compact_summary or row.is_visible_in_transcript_only:
        return None, ""
    via = via_of_prompt(row.origin, row.prompt_source)
    return (via, own_words(_texts(part(row.message, Message).content))) if via else (None, "")


def _of_attachment(row: Row) -> tuple[Via | None, str]:
    """Returns the same for an attachment: only a queued prompt is a person's."""
    queued = part(row.attachment, Queued)
    if queued.type != "queued_command" or row.is_meta:
        return None, ""
    via = via_of_queued(queued.origin, queued.command_mode)
    return (via, own_words(_texts(queued.prompt))) if via else (None, "")


def _said(row: Row, uuid: str, via: Via | None, text: str) -> Line:
    if via is None or not text:
        return _linked(row, uuid)
    return Said(
        uuid=uuid,
        parent=name(row.parent_uuid),
        session=clean(row.session_id),
        via=via,
        text=text,
        at=clean(row.timestamp),
        prompt_id=name(row.prompt_id),
        cwd=clean(row.cwd),
    )


def _answered(row: Row, uuid: str) -> Line:
    """Returns the agent's visible words; what the client says in its place is only a link."""
    message = part(row.message, Message)
    if row.is_api_error_message or row.is_meta or message.model == SYNTHETIC_MODEL:
        return _linked(row, uuid)
    text = "\n".join(text for text in _texts(message.content) if text.strip())
    if not text:
        return _linked(row, uuid)
    return Answered(
        uuid=uuid,
        parent=name(row.parent_uuid),
        session=clean(row.session_id),
        text=text,
        at=clean(row.timestamp),
    )


def _linked(row: Row, uuid: str) -> Linked:
    parent = name(row.parent_uuid) or name(row.logical_parent_uuid)
    return Linked(uuid=uuid, parent=parent, session=clean(row.session_id))


def _texts(content: msgspec.Raw) -> list[str]:
    """Returns the text blocks of a content; none when a tool's result is among them."""
    start = bytes(memoryview(content)[:1])
    if start == b'"':
        return [clean(decode(content, str))]
    if start != b"[":
        return []
    blocks = [part(block, Block) for block in decode(content, list[msgspec.Raw])]
    if any(block.type == "tool_result" for block in blocks):
        return []
    return [clean(block.text) for block in blocks if block.type == "text"]
