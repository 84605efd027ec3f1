"""What shows that a ritual was done, where that is certain."""

from __future__ import annotations

import re

from asides.model.entry import Entry, Kind
from asides.model.watch import Proof
from asides.watch.clauses import plain
from asides.watch.commands import Command, command, of_formatter, of_linter, of_tests
from asides.watch.ground import Ground
from asides.watch.triggers import Moment

_LEAD = (
    r"^(?:(?:please|pls|then|always|also|first|just|and|you|we|must|should|need to|have to"
    r"|remember to|make sure (?:to|you)|don'?t forget to)[, ]+)*"
)
_TAIL = (
    r"(?: (?:please|pls|too|as well|again|first|afterwards|after|once|accordingly|with it|ok|thanks))*[.! ]*$"
)
_CHANGE = re.compile(
    (
        rf"{_LEAD}(?:update|bump|edit|add (?:a line|an entry|a note|it|them|one) to|document it in"
        rf"|note it in|regenerate|bump the version in) (?P<what>.+?){_TAIL}"
    ),
    re.IGNORECASE,
)
_RUN = re.compile(rf"{_LEAD}(?:run|re-?run|execute) (?P<what>.+?){_TAIL}", re.IGNORECASE)
_PUSH = re.compile(rf"{_LEAD}(?P<what>push|commit){_TAIL}", re.IGNORECASE)
_DOUBT = re.compile(
    (
        r"\b(?:maybe|perhaps|if|unless|when|where|might|could|don'?t|do not|never|not|no|try"
        r"|consider|or|and|then|but|probably|usually|except|only|once)\b|[,;?]|[.:!]\s+\S"
    ),
    re.IGNORECASE,
)
_PATH = re.compile(r"^`?[\w@./\[\]-]+`?$")


def proof(entry: Entry, moments: tuple[Moment, ...], ground: Ground) -> Proof | None:
    """Returns what proves that an entry was followed after its one moment; None where anything is open."""
    if entry.kind not in (Kind.RITUAL, Kind.LAW, Kind.HAZARD) or len(moments) != 1 or moments[0].avoided:
        return None
    text = plain(entry.body)
    before, after = text[: moments[0].start], text[moments[0].end :]
    before, after = before.strip(" ,;:-\n"), re.sub(r"^(?:[\s,;:!.-]|–|—|→|=>)+(?=\S|$)", "", after)
    if bool(before) == bool(after.strip(" .!")):
        return None
    said = (before or after).strip()
    changed, ran, pushed = _CHANGE.match(said), _RUN.match(said), _PUSH.match(said)
    match = changed or ran or pushed
    if not match or _DOUBT.search(match["what"].strip("`\"'")) or _DOUBT.search(_bare(said, match)):
        return None
    if changed:
        glob = _file(match["what"], ground)
        triggering = {one for moment in moments for one in moment.trigger.globs}
        return Proof(globs=(glob,), said=said) if glob and glob not in triggering else None
    commands = (("git", match["what"].lower()),) if pushed else _commands(match["what"], ground)
    return (
        Proof(commands=commands, said=said) if commands and commands != moments[0].trigger.commands else None
    )


def _bare(said: str, match: re.Match[str]) -> str:
    """Returns what is said around the object, without the words that only lead to it."""
    return re.sub(
        r"(?i)don'?t forget to|\bthen\b|\bfirst,|\band\b|\bonce\b|,", "", said[: match.start("what")]
    ) + said[match.end("what") :].strip(" .!")


def _file(what: str, ground: Ground) -> str:
    """Returns the glob of the one file or folder that is to be changed."""
    what = re.sub(r"^(?:the|our) ", "", what.strip(), flags=re.IGNORECASE)
    if _PATH.match(what) and ("/" in what or "." in what):
        path = ground.path(what)
        return ground.glob(path) if path else ""
    name = re.sub(r" (?:file|folder)$", "", what.lower())
    if name in ("docs", "documentation"):
        return "docs/**" if "docs" in ground.folders else ""
    if name in ("changelog", "readme"):
        found = [path for path in ground.files if path.rpartition("/")[2].lower().partition(".")[0] == name]
        return ground.glob(found[0]) if len(found) == 1 else ""
    return ""


def _commands(what: str, ground: Ground) -> tuple[Command, ...]:
    low = re.sub(r"^(?:the|all|all the|our) ", "", what.strip().lower())
    if low in ("tests", "test suite", "unit tests"):
        return of_tests(ground)
    if low in ("linter", "lint", "linters"):
        return of_linter(ground)
    if low in ("formatter", "formatters"):
        return of_formatter(ground)
    one = command(what, ground)
    return (one,) if one else ()
