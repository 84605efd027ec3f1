"""The guard's door: a payload and the settings in, one outcome and perhaps an answer out."""

import posix

from .paths import join
from .places import ONE, STAR, TEMPORARY, UNKNOWN, Places
from .scan import environment, quote, read

TYPE_CHECKING = False  # the name alone tells type checkers; `typing` costs more than the guard
if TYPE_CHECKING:
    from typing import Any

_SHOWN = {STAR: "*", ONE: "?", UNKNOWN: "$", TEMPORARY: "$"}
_FILES = {
    "Write": ("file_path",),
    "Edit": ("file_path",),
    "MultiEdit": ("file_path",),
    "NotebookEdit": ("notebook_path", "file_path"),
}
_OTHERS = ("write", "edit", "create", "move", "delete", "append", "patch", "remove", "insert", "replace")
_OTHER_FILES = ("path", "file_path", "filePath", "relative_path", "destination", "source", "uri")


def main(payload_file: str, guard_file: str) -> None:
    """Prints the outcome on one line and, where the tool is refused or asked about, the answer on the next.

    The outcome is `deny PATH`, `ask PATH`, `audit PATH`, `pass` or `failed WHY`. Never raises: a guard
    that fails lets the tool pass, and says so.
    """
    try:
        lines = judge(read(payload_file), read(guard_file), environment())
    except Exception as error:  # the hook writes it down
        lines = [f"failed {type(error).__name__}"]
    posix.write(1, ("\n".join(lines) + "\n").encode("utf-8", "replace"))


def judge(payload: "dict[str, Any]", guard: "dict[str, Any]", variables: dict[str, str]) -> list[str]:
    """Returns the lines to print for one tool call."""
    mode = guard.get("mode")
    if mode not in ("audit", "ask", "deny"):
        return ["pass"]
    cwd = payload.get("cwd") or posix.getcwd()
    home = variables.get("HOME") or "/"
    places = Places(guard, cwd=cwd, home=home, project=variables.get("CLAUDE_PROJECT_DIR") or cwd)
    path = _written(payload.get("tool_name") or "", payload.get("tool_input") or {}, places, cwd, variables)
    if path is None:
        return ["pass"]
    path = "".join(_SHOWN.get(char, char if char.isprintable() else "?") for char in path)
    return [f"{mode} {path}"] if mode == "audit" else [f"{mode} {path}", answer(mode, path)]


def answer(decision: str, path: str) -> str:
    """Returns the answer that refuses a tool, or has the person asked, as one line of ASCII."""
    reason = (
        f"asides keeps the memory of this project: leave {path} as it is and just say it in your reply,"
        " because asides keeps what the developer says. If the developer asked for this very change, tell"
        " them that `asides install claude-code --guard ask` lets them allow it."
    )
    said = f'"permissionDecision": "{decision}", "permissionDecisionReason": {quote(reason)}'
    return f'{{"hookSpecificOutput": {{"hookEventName": "PreToolUse", {said}}}}}'


def _written(
    tool: str, given: "dict[str, Any]", places: Places, cwd: str, variables: dict[str, str]
) -> str | None:
    """Returns the protected path that a tool call would write, or None."""
    if tool == "Bash":
        from .writes import Walk

        return Walk(places, cwd, variables).protected(str(given.get("command") or ""))
    keys: tuple[str, ...] = ()
    texts: list[str] = []
    if tool == "apply_patch":
        from .writes import patched

        texts = patched(str(given.get("command") or given.get("input") or ""))
    elif tool in _FILES:
        keys = _FILES[tool]
    elif tool.startswith("mcp__") and any(word in tool.lower() for word in _OTHERS):
        keys = _OTHER_FILES
    else:
        return None
    texts += [given[key] for key in keys if isinstance(given.get(key), str)]
    for text in texts:
        path = text.removeprefix("file://")
        path = path if path.startswith(("/", "~")) else join(cwd, path)
        if places.holds(path):
            return path
    return None
