"""What is said to the agent: the developer's words in a frame of ours, as answers in its dialect."""

from ..guard.scan import quote

OPEN, CLOSE = "[asides]", "[/asides]"  # FENCE_OPEN and FENCE_CLOSE of src/asides/model/delivery.py
_PATH = 120  # characters of a path; its end tells most
_WHAT = 80  # characters of what an added line holds

_ABOUT = {
    "read": "the file that you are reading",
    "edit": "the file that you are changing",
    "create": "the file that you are adding",
    "delete": "what you are removing",
    "run": "this command",
}


def cue(occasion: str, lines: list[str]) -> str:
    """Returns the text that puts entries before the agent."""
    head = f"About {_ABOUT[occasion]}, from the developer of this project, word for word. Follow it:"
    return "\n".join([OPEN, head, *lines, CLOSE])


def held(lines: list[str]) -> str:
    """Returns the text that holds a command once, with the entries that it is about."""
    tail = (
        "The command was not run. Run it again if that is done, or if the developer asked for this very"
        " command."
    )
    return "\n".join([*cue("run", lines).split("\n")[:-1], tail, CLOSE])


def firings(told: "list[tuple[str, str, str, int]]", path: str) -> str:
    """Returns one sentence for each entry that added lines break.

    `told`: its words, what was added, in which line, and how many more such lines there are.
    """
    lines = []
    for words, what, where, more in told:
        also = f" and {more} more such line{'s' if more > 1 else ''}" if more else ""
        lines.append(
            f"You have just added `{_short(what, _WHAT)}`{also} to {_front(path)}{where}, and the developer"
            f" of this project said: {words}"
        )
    return "\n".join([OPEN, *lines, CLOSE])


def refusal(words: str, what: str, path: str) -> str:
    """Returns the sentence that refuses a change."""
    return (
        f"{OPEN} This would add `{_short(what, _WHAT)}` to {_front(path)}, and the developer of this project"
        f" said: {words} - write it another way, or make the very same change again if it is what the"
        f" developer asked for now. {CLOSE}"
    )


def reminder(words: list[str]) -> str:
    """Returns the text that reminds of rituals owed."""
    return "\n".join(
        [
            OPEN,
            "The developer of this project asked for this, word for word, and in this session it was due and"
            " does not seem to be done:",
            *(f"- {one}" for one in words),
            "Do it now; if it is done or does not apply, say so in one line.",
            CLOSE,
        ]
    )


def context(event: str, text: str) -> str:
    """Returns the answer that puts a text before the agent."""
    said = f'"hookEventName": {quote(event)}, "additionalContext": {quote(text)}'
    return f'{{"hookSpecificOutput": {{{said}}}}}'


def deny(text: str) -> str:
    """Returns the answer that refuses a tool call."""
    said = f'"permissionDecision": "deny", "permissionDecisionReason": {quote(text)}'
    return f'{{"hookSpecificOutput": {{"hookEventName": "PreToolUse", {said}}}}}'


def go_on(text: str) -> str:
    """Returns the answer that has the agent go on instead of stopping."""
    return f'{{"decision": "block", "reason": {quote(text)}}}'


def plain(text: str, limit: int) -> str:
    """Returns a text on one line, cut to a length."""
    text = "".join(char if char.isprintable() else " " for char in text[: limit * 2]).strip()
    return text[:limit]


def _short(text: str, limit: int) -> str:
    text = plain(text, limit + 1)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _front(path: str) -> str:
    path = "".join(char if char.isprintable() else "?" for char in path)
    return path if len(path) <= _PATH else "…" + path[1 - _PATH :]
