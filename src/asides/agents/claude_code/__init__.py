"""Claude Code: its hook payloads and its transcript, read into the words of `asides.model`."""

from __future__ import annotations

from asides.agents.claude_code.transcript import read_line
from asides.agents.claude_code.wire import CHANGING_TOOLS, EVENTS, read_payload

__all__ = ["CHANGING_TOOLS", "EVENTS", "read_line", "read_payload"]
