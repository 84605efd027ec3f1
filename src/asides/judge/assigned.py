"""Secrets by their name: `PASSWORD=...`, `"api_key": "..."`, `--token ...`, `the password is ...`."""

from __future__ import annotations

import re
from collections.abc import Iterator

# The name has to end with one of these: `max_tokens`, `token_type` and `PRIVATE_KEY_PATH` hold no secret.
_NAME = re.compile(
    r"(?:password|passwd|passphrase|passcode|passwort|kennwort|contraseña|senha|пароль|密码|パスワード|pwd"
    r"|secret(?:[_-]?(?:access)?[_-]?key)?|token|credential"
    r"|(?:api|access|private|signing|encryption|auth|master|service|license|deploy)[_ -]?key)"
    r"(?![A-Za-z0-9]*[A-Za-z])",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?P<quote>[\"'`*]{0,3}+)(?P<between>[ \t]{0,8}+(?::=|=>|[:=：]|is\b|ist\b|es\b)[ \t]{0,8}+|[ \t]{1,4}+)(?P<open>[\"'`]?)"
)
_QUOTED = {quote: re.compile(rf"[^{quote}\n]{{1,4096}}(?={quote})") for quote in "\"'`"}
_BARE = re.compile(r"[^\s\"'`,;(){}<>\[\]]{1,4096}+")
_NAME_BEFORE = re.compile(r"[A-Za-z0-9_.\[\]-]{0,64}\Z")
_REST = re.compile(r"[.,;!?)\"'`]{0,4}+[ \t]*+(?:\n|\Z|#|//|[,;}\])])")

_NO_VALUE = frozenset(
    ["string", "str", "text", "number", "int", "integer", "bool", "boolean", "bytes", "any", "none", "null", "nil", "undefined", "true", "false", "required", "optional", "unknown", "object", "array", "varchar", "char", "uuid", "password", "passwd", "secret", "token", "key", "value", "default", "empty", "missing", "invalid", "expired", "wrong", "correct", "hidden", "masked", "redacted", "changeme", "example", "placeholder", "here", "stored", "encrypted", "hashed", "env", "vault", "bearer", "basic", "jwt", "oauth", "oauth2", "base64", "sha256", "md5", "bcrypt", "argon2", "utf-8", "utf8", "x-api-key", "autocomplete", "hidden"]
)
_STAND_IN = re.compile(
    r"\[|•|…|\$|%|\{|<|@|\.|/|~|!|&|\*+\Z|x{3,}+\Z|your|my[_-]|the[_-]|some[_-]|insert|replace|enter|example|dummy|todo|fake"
    r"|(?:process|os|env|import|config|settings|self|this|request|req|ctx|props|args|options|secrets|vault|var|local"
    r"|data|module|params|user|state|session|response|res|body|github|inputs|op)[.\[:]",
    re.IGNORECASE,
)
_CODE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+(?:\??\.[A-Za-z_][A-Za-z0-9_]*+)++\Z")
_LETTERS = re.compile(r"[^\W\d_]+\Z")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_]*\Z")


def assigned(text: str) -> Iterator[tuple[int, int, str]]:
    """Yields the span of each value that its name declares to be a secret. Looks at 64 characters before a name."""
    for name in _NAME.finditer(text):
        after = _AFTER.match(text, name.end())
        if after is None:
            continue
        opened = after["open"]
        value = (_QUOTED[opened] if opened else _BARE).match(text, after.end())
        if value is None:
            continue
        whole = _whole_name(text, name.start(), name.end())
        if _is_secret(text, whole, name.group(), after["between"], opened, value):
            end = value.end() if opened else value.end() - _trailing(value.group())
            yield value.start(), end, "secret"


def _whole_name(text: str, start: int, end: int) -> str:
    before = _NAME_BEFORE.search(text[max(0, start - 64) : start])
    return (before.group() if before else "") + text[start:end]


def _trailing(value: str) -> int:
    """Returns how many characters at the end of a bare value belong to the sentence, not to the value."""
    return len(value) - len(value.rstrip(".:!?")) if len(value.rstrip(".:!?")) > 0 else 0


def _is_secret(text: str, whole: str, word: str, between: str, opened: str, value: re.Match[str]) -> bool:
    said = value.group() if opened else value.group()[: len(value.group()) - _trailing(value.group())]
    lowered = said.casefold()
    if lowered in _NO_VALUE or lowered == whole.casefold() or _STAND_IN.match(said) or "://" in said:
        return False
    separator = between.strip()
    digits = sum(character.isdigit() for character in said)
    mixed = 0 < digits < len(said) or any(not c.isalnum() and c not in "_-." for c in said)
    if not separator:  # `--token abc`
        return whole.startswith("--") and len(said) >= 6 and (mixed or bool(opened))
    if separator.isalpha():  # `the password is abc`
        return len(said) >= 6 and mixed and not _CODE.match(said) and bool(_REST.match(text, value.end()))
    password = word.casefold().startswith("pass") or word.casefold() in (
        "pwd",
        "пароль",
        "密码",
        "senha",
        "contraseña",
    )
    if digits == len(said):
        return password and len(said) >= 4
    if opened:
        if password:
            return len(said) >= 4 and (" " not in said or digits > 0)
        return " " not in said and ((len(said) >= 8 and digits > 0) or (len(said) >= 16 and said.isalpha()))
    if _CODE.match(said):
        return False
    if whole.isupper() and "_" in whole and separator == "=":  # a line of an .env file
        return len(said) >= 4
    if mixed:
        return len(said) >= (5 if password else 8)
    if not _LETTERS.match(said) and _IDENTIFIER.match(said):
        return False
    # `password: swordfish` at the end of a line; not `password: use the vault`, not `token = token`.
    ends = bool(_REST.match(text, value.end()))
    return password and separator == ":" and ends and len(said) >= 8 and said.islower()
