"""Secrets said in a sentence: "the password for staging is ...", "set api_key to ...", "passphrase: ..."."""

from __future__ import annotations

import re
from collections.abc import Iterator

from asides.judge.assigned import is_no_secret
from asides.judge.words import vocabulary

_LOGIN = r"pass(?:word|wd|phrase|code)|pwd|pw"
_OTHER = (
    r"(?:api|access|auth|secret|signing|encryption|license|deploy|service|master|private)[_ -]?(?:key|token)"
    r"|token|secret"
)
# Up to four words may stand between: "the password for the staging server is".
_BETWEEN = r"(?: (?:for|of|on|to|in|at|from|there|here|now)(?: [A-Za-z][\w'’.-]{0,30}+){0,3}?)?"
_NAMED = rf"(?<![\w@/-])(?:(?P<password>{_LOGIN}|creds?|credentials)|(?:{_OTHER}))(?![\w-])"
_OPEN = r"(?P<open>[\"'`*]{0,2}+)"
_FORMS = (
    re.compile(
        rf"{_NAMED}{_BETWEEN}(?: (?:now |still |currently )?(?:is|are)(?: now)?:? | ?[:=] ?|['’]s ){_OPEN}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:set|sets|setting|change[ds]?|reset|update[ds]?|put)\b(?: [A-Za-z][\w'’-]{{0,30}}+){{0,3}}?"
        rf" {_NAMED}{_BETWEEN} to (?:be )?{_OPEN}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:set|use|using|with|is|and|/) (?:the )?(?P<password>{_LOGIN})(?![\w-]) {_OPEN}",
        re.IGNORECASE,
    ),
)
_VALUE = re.compile(r"[^\s\"'`<>\[\];]{4,256}+")
_AFTER = re.compile(r"[^\s\"'`<>\[\];]*+")
_TAIL = ".,;:!?)}*"
_CLOSED = re.compile(r"[\"'`*]{0,2}+(?:[.,;:!?)}]|\s{0,8}\Z|[ \t]{0,8}\n|\s[–—-]\s)")

_IN_CODE = re.compile(
    r"pass|secret|token|key|hash|user|auth|env|config|vault|script|hub|lab|sql|string|type|null|field|input|value"
    r"|manager|crypt|base|json|http|id\Z",
    re.IGNORECASE,
)
_SYMBOL = re.compile(r"[!@#$%^&*+=~?]")
_CAMEL = re.compile(r"[a-z][A-Z]")

_PHRASE = re.compile(rf"(?<![\w-])pass[ -]?phrase{_BETWEEN} ?[:=] ?(?=[A-Za-z])", re.IGNORECASE)
_PHRASE_WORD = re.compile(r"[ \t-]{0,2}+([A-Za-z0-9]{1,24}+)(?![\w'’/@.]\w)", re.ASCII)
_PHRASE_ENDS = vocabulary("and but always never use please it is so then")
_PHRASE_NOT = vocabulary(
    """
    use see ask get take stored kept required optional none your my must should will can may not same string
    text type minimum maximum min max at least one vault env from the read reads set generate generated prompt
    prompts prompted value empty missing invalid wrong this that these those a an in on to what how why when
    if no new old i we you they he she there here todo
    """
)
_PHRASE_LEAST, _PHRASE_MOST = 3, 12  # words


def spoken(text: str) -> Iterator[tuple[int, int, str]]:
    """Yields the span of each value that a sentence gives out as a secret."""
    for form in _FORMS:
        for found in form.finditer(text):
            value = _VALUE.match(text, found.end())
            if value is None:
                continue
            end = value.start() + len(value.group().rstrip(_TAIL))
            closed = _CLOSED.match(text, end) is not None
            if _is_secret(text[value.start() : end], found["password"] is not None, closed=closed):
                whole = _AFTER.match(text, value.start())
                run = whole.group() if whole else value.group()
                yield value.start(), value.start() + len(run.rstrip(_TAIL)), "secret"
    for found in _PHRASE.finditer(text):
        end = _phrase(text, found.end())
        if end:
            yield found.end(), end, "secret"


def _is_secret(value: str, password: bool, *, closed: bool) -> bool:
    if is_no_secret(value):
        return False
    digits = sum(character.isdigit() for character in value)
    letters = sum(character.isalpha() for character in value)
    lower, upper = value != value.upper(), value != value.lower()
    symbol = _SYMBOL.search(value) is not None
    if "://" in value or not letters or len(value) < (6 if password else 8):
        return False
    if digits:
        if (lower and upper) or symbol:
            return True
        if not password:
            return digits >= 3 and closed
        return closed or value.isalnum()
    if not password or not closed or len(value) < 8 or _IN_CODE.search(value):
        return False
    return symbol or (_CAMEL.search(value) is not None and value.isalpha())


def _phrase(text: str, start: int) -> int:
    """Returns where the words of a passphrase end; 0 where they are not one."""
    end, count = start, 0
    for _ in range(_PHRASE_MOST):
        word = _PHRASE_WORD.match(text, end)
        if word is None or word.group(1).casefold() in _PHRASE_ENDS:
            break
        if word.group(1).casefold() in _PHRASE_NOT:
            return 0
        end, count = word.end(), count + 1
    return end if count >= _PHRASE_LEAST else 0
