"""Texts that lie ready for the hook, and payloads that make it print them."""

from __future__ import annotations

import json
from pathlib import Path

from asides.hook.place import arm
from tests.support.hookrun import (
    prepare,
)

AGENT = "claude-code"
SESSION = "00000000-0000-4000-8000-000000000001"
START, COMPACT, REPLACE, SUBAGENT, ANNOUNCE = (json.dumps({"text": name}) for name in "abcde")


def all_texts(state: Path, repo: Path) -> Path:
    return prepare(state, repo / ".git", start=START, compact=COMPACT, replace=REPLACE, subagent=SUBAGENT)


def starting(source: str, session: str = SESSION, **more: object) -> bytes:
    payload = {"session_id": session, "hook_event_name": "SessionStart", "source": source, **more}
    return json.dumps(payload, separators=(",", ":")).encode() + b"\n"


def printed(text: str) -> bytes:
    return text.encode() + b"\n"


def armed(state: Path, mode: str) -> None:
    arm(state, mode=mode, protected=[("~/.notes/**", "memory")], names=["CLAUDE.md", "RULES.txt"])
