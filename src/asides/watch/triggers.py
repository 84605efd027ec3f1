"""The moments at which an entry is due, where its words tell them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from asides.model.entry import Entry, Kind
from asides.model.watch import Deed, Trigger
from asides.watch.clauses import LENGTH, plain
from asides.watch.commands import (
    Command,
    command,
    of_deploying,
    of_publishing,
    of_script,
    of_tests,
)
from asides.watch.ground import Ground
from asides.watch.nouns import files

_TRIGGERS = 3  # of one entry
_WHEN = (
    r"\b(?:right |just )?(?P<when>after|before|when(?:ever)?|every ?time|each time|any ?time"
    r"|if|as soon as|once|on(?= (?:each|every|any) ))(?: you| we| u)?(?: are|'re)?(?:"
    r" ever)?(?: (?:each|every|any"
    r"|a|the))?"
)
_ADDING = r"add(?:ing)?|creat(?:e|ing)|introduc(?:e|ing)|new"
_CHANGING = (
    r"chang(?:e|ing)|edit(?:ing)?|touch(?:ing)?|modify(?:ing)?|updat(?:e|ing)"
    r"|alter(?:ing)?|tweak(?:ing)?|mess(?:ing)? with|work(?:ing)? on"
)
_REMOVING = r"delet(?:e|ing)|remov(?:e|ing)"
_ON_FILES = (
    rf"(?P<does>(?:{_ADDING}|{_CHANGING}|{_REMOVING})(?:(?:,| or| and|/) ?(?:{_ADDING}"
    rf"|{_CHANGING}|{_REMOVING}))*)"
)
# What a moment ends at: a sign, what is to be done, or the end.
_THEN = (
    r"(?=\s*(?:[,;:!.]+(?:\s|$)|$|\s(?:-{1,2}|–|—|→|=>)\s|\n)|\s+(?:pls|please|then|always"
    r"|also|first|run|rerun|re-run|update|regenerate|bump|check|make|remember"
    r"|don'?t|do|never|use|write|tell|ask|ping|add|document|start|take|say|show|put|commit"
    r"|push|you|we|squash|maybe|must|should|bring|rebuild|sync|clear|restart)\b)"
)
_FILES = re.compile(
    rf"{_WHEN} {_ON_FILES} (?P<what>`[^`]+`|(?:[^\s,;:!]+ ){{0,5}}?[^\s,;:!]*[^\s,;:!.]){_THEN}",
    re.IGNORECASE,
)
_COMMANDS = re.compile(
    rf"{_WHEN} (?P<what>(?:open(?:ing)?|creat(?:e|ing)|mak(?:e|ing)|rais(?:e|ing)) (?:a |an "
    rf"|the )?(?:new )?(?:pr|pull request)"
    r"|(?:run(?:ning)? )?(?:the )?(?:tests|test suite|unit tests)|run(?:ning)? (?:`[^`]+`"
    r"|\"[^\"]+\"|(?:[^\s`]+ ){0,3}?[^\s`]+?)"
    r"|(?:pushing|commiting|committing|merging|rebasing|deploying|publishing|releasing"
    r"|shipping|push(?:es)?|commits?|merge|rebase|deploy(?:ment)?|publish|release)"
    r"(?: (?:anything|to (?:main|master|origin|prod|production|staging|npm|pypi)|your changes"
    r"|the changes|code|a branch|your work|it|a release))?"
    rf"|`[^`]+`|(?:terraform|kubectl|docker compose|docker|make|npm|pnpm|yarn|alembic|helm)"
    rf" (?!(?:and|or|to|is|the|a|in|on|for|with|does|as|of|it)\b)[a-z][\w:-]*){_THEN}",
    re.IGNORECASE,
)
_NEVER = (
    r"(?:^|[.;:!,\n]\s*|\b(?:please|pls|and|so|also|you|remember:?|rule:?) )(?:do not|don'?t"
    r"|never ever|never|must not|mustn'?t|cannot|can'?t|stop|no more|no)(?: ever| just)? "
)
_PLAINLY = (
    r"(?=$|[,;:.!]|\s+(?:to|anything|any|without|unless|until|till|directly|straight|yourself"
    r"|ever|again|code|changes|your|my|the"
    r"|from|on|before|automatically|by|this|and|or|but|with|broken|secrets|\.\S|`)\b)(?!"
    r" (?:it|this) (?:in|to|through|on)\b)"
)
_AVOIDED = re.compile(
    rf"{_NEVER}(?P<what>(?:(?:force[- ]?)?push(?:ing)?|commit(?:ting)?|rebas(?:e|ing)|merg(?:e|ing)"
    rf"|deploy(?:ing)?|publish(?:ing)?){_PLAINLY}"
    r"|(?:run(?:ning)?|execut(?:e|ing)|call(?:ing)?) (?P<line>`[^`]+`|\"[^\"]+\"|(?:[^\s,;:]+"
    r" ){0,3}?[^\s,;:]*[^\s,;:.!])"
    r"(?=[,;:!.]|$|\s+(?:yourself|on|in|against|from|without|unless|until|ever|again|directly"
    r"|locally|here|for|by|anymore)\b)"
    r"|us(?:e|ing) (?P<tool>`?(?:npm|yarn|pnpm|pip|poetry|docker-compose|bun"
    r"|npx)`?)(?=[,;:!.]|$| (?:here|anymore|ever|again|for))"
    r")(?=$|[\s,;:!.])",
    re.IGNORECASE,
)
_RATHER = re.compile(
    (
        r"\buse `?(?:npm|yarn|pnpm|pip|poetry|uv|bun)`?(?:,| and)? (?:not|never|instead of|rather"
        r" than) `?(?P<tool>npm|yarn|pnpm|pip|poetry|bun)`?(?=$|[,;:!.]|\s+(?:here|anymore|please"
        r"|pls|because|it'?s)\b)"
    ),
    re.IGNORECASE,
)
_SCRIPT = re.compile(r"^(?:the |our )?(.+?) script$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A trigger, where it stands in the entry's words, and whether it is a thing to do or one to leave be."""

    trigger: Trigger
    start: int
    end: int
    avoided: bool = False


def triggers(entry: Entry, ground: Ground) -> tuple[Moment, ...]:
    """Returns the moments that an entry's words tell, none that could be another.

    Their places are those in the words as `plain` has them.
    """
    if entry.kind is Kind.LOOP or len(entry.body) > LENGTH:
        return ()
    text = plain(entry.body)
    found = [*_on_files(text, ground), *_on_commands(text, ground), *_on_avoided(text, ground)]
    kept: list[Moment] = []
    for one in sorted(found, key=lambda moment: moment.start):
        if not _asked(text, one.start) and not any(
            one.start < other.end and other.start < one.end for other in kept
        ):
            kept.append(one)
    return tuple(kept[:_TRIGGERS])


def _asked(text: str, at: int) -> bool:
    """Returns whether the sentence around a place is a question."""
    end = re.search(r"[.!?](?=\s|$)|\n", text[at:])
    return end is not None and text[at + end.start()] == "?"


def _on_files(text: str, ground: Ground) -> list[Moment]:
    found = []
    for match in _FILES.finditer(text):
        what = [files(one, ground) for one in re.split(r" (?:or|and) ", match["what"])]
        if not all(what):
            continue
        globs = tuple(dict.fromkeys(glob for one in what if one for glob in one.globs))
        made = all(one.made for one in what if one)
        deeds = _deeds(match["does"].lower(), globs, made=made)
        if deeds:
            trigger = Trigger(deeds=deeds, globs=globs, said=match.group().strip())
            found.append(Moment(trigger=trigger, start=match.start(), end=match.end()))
    return found


def _deeds(does: str, globs: tuple[str, ...], *, made: bool) -> tuple[Deed, ...]:
    deeds: list[Deed] = []
    folders = any("*" in glob for glob in globs)
    for verb in re.split(r"[ ,/]+(?:or |and )?", does):
        if re.fullmatch(_ADDING, verb):
            deeds += [Deed.CREATE] if folders else []
            deeds += [] if made else [Deed.EDIT]
        elif re.fullmatch(_REMOVING, verb):
            deeds += [Deed.DELETE] if made or not folders else [Deed.DELETE, Deed.EDIT]
        else:
            deeds.append(Deed.EDIT)
    return tuple(dict.fromkeys(deeds))


def _on_commands(text: str, ground: Ground) -> list[Moment]:
    found = []
    for match in _COMMANDS.finditer(text):
        said = match["what"]
        if match["when"].lower() == "if" and not re.match(r"(?i)if (?:you|we|u) ", match.group()):
            continue
        ran = _commands(said, ground)
        if ran:
            trigger = Trigger(deeds=(Deed.RUN,), commands=ran, said=match.group().strip())
            found.append(Moment(trigger=trigger, start=match.start(), end=match.end()))
    return found


def _on_avoided(text: str, ground: Ground) -> list[Moment]:
    found = []
    for pattern in (_AVOIDED, _RATHER):
        for match in pattern.finditer(text):
            groups = match.groupdict()
            ran: tuple[Command, ...]
            if groups["tool"]:
                ran = ((groups["tool"].strip("`").lower(),),)
            elif groups.get("line"):
                ran = _commands(f"run {groups['line']}", ground)
            else:
                ran = _commands(groups["what"], ground)
            if ran:
                trigger = Trigger(deeds=(Deed.RUN,), commands=ran, said=match.group().strip(" ,.;:!\n"))
                found.append(Moment(trigger=trigger, start=match.start(), end=match.end(), avoided=True))
    return found


def _commands(said: str, ground: Ground) -> tuple[Command, ...]:
    """Returns the commands that are meant by what is done: pushing, running the tests, `make gen`."""
    low = said.lower()
    ran: tuple[Command, ...] = ()
    if re.match(r"(?:force[- ]?)?push", low):
        ran = (("git", "push"),)
    elif low.startswith("commit"):
        ran = (("git", "commit"),)
    elif low.startswith("merg"):
        ran = (("git", "merge"), ("gh", "pr", "merge"))
    elif low.startswith("rebas"):
        ran = (("git", "rebase"),)
    elif low.endswith((" pr", " pull request")):
        ran = (("gh", "pr", "create"),)
    elif low.startswith(("deploy", "shipping")):
        ran = of_deploying(ground) if low.startswith("deploy") else ()
    elif low.startswith(("releas", "publish")):
        ran = of_publishing(ground, release=low.startswith("releas"))
    elif re.fullmatch(r"(?:run(?:ning)? )?(?:the |all the |all )?(?:tests|test suite|unit tests)", low):
        ran = of_tests(ground)
    else:
        line = re.sub(r"(?i)^run(?:ning)? ", "", said)
        script = _SCRIPT.match(line)
        one = None if script else command(line, ground)
        ran = of_script(script[1], ground) if script else ((one,) if one else ())
    return ran
