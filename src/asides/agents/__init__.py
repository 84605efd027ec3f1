"""The coding agents that asides attaches to, one row each."""

from __future__ import annotations

from asides.agents import claude_code
from asides.agents.spec import Adapter, AgentSpec

__all__ = ["AGENTS", "Adapter", "AgentSpec"]

AGENTS: dict[str, AgentSpec] = {
    "claude-code": AgentSpec(
        name="claude-code",
        title="Claude Code",
        oldest="2.1.197",
        newest_seen="2.1.332",
        # Only names that 2.1.197 knows: one it does not know makes it show a dialog at every start.
        events=claude_code.EVENTS,
        changing_tools=claude_code.CHANGING_TOOLS,
        adapter=claude_code,
    ),
}
