"""Whether a rule names the task at hand as its scope: "in this function", "for this PR", "just this once"."""

from __future__ import annotations

import re

_TASK = re.compile(
    r"\b(?:in|for|inside|within|on) this (?:function|method|pr|pull request|mr|merge request|commit|branch"
    r"|task|ticket|session|conversation|chat|change|fix|feature|example|iteration|round|refactor|refactoring|spike"
    r"|experiment)\b"
    r"|\bfor this one\b(?=\s{0,4}(?:[,.;:!?)–—-]|\Z))"
    r"|\b(?:in this file only|only in this file|just in this file|in this one file|just here|only here)\b"
    r"|\b(?:just|only) (?:for )?(?:this once|this time|today)\b|\b(?:this once|for today|today only)\b"
    r"|\bjust for now\b|\bjust now\b(?=\s{0,4}(?:[,.;:!)]|\Z))",
    re.IGNORECASE,
)
# "not just in this PR", "starting with this one": it goes beyond.
_BEYOND = re.compile(
    r"\b(?:not|n't|even|also|starting|beginning|as|like|than)(?: (?:only|just|even|with))?\s{1,2}\Z"
    r"|\b(?:only|just) seen \Z",
    re.IGNORECASE,
)
_GENERAL = re.compile(
    r"\b(?:from now on|going forward|in (?:the )?future|in general|generally|everywhere|anywhere|every ?time"
    r"|each time|whenever|as a rule|in every|for every|for all|in all)\b",
    re.IGNORECASE,
)


def task_scoped(body: str) -> str:
    """Returns the words that bind a rule to the task at hand, or an empty string where it goes beyond."""
    if _GENERAL.search(body):
        return ""
    for found in _TASK.finditer(body):
        if not _BEYOND.search(body, 0, found.start()):
            return found.group()
    return ""
