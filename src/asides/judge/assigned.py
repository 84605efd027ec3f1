"""Secrets by their name: `PASSWORD=...`, `"api_key": "..."`, `--token ...`, `the password is ...`."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

from asides.judge.words import vocabulary

# The name has to end with one of these: `max_tokens`, `token_type` and `PRIVATE_KEY_PATH` hold no secret.
_NAME = re.compile(
    r"(?<!://)(?<!@)(?:password|passwd|passphrase|passcode|passwort|kennwort|contraseña|senha|пароль|密码|パスワード|pwd"
    r"|(?<=[A-Z0-9]_)(?-i:PASS)|(?<![a-z])(?:db|user|admin|root|smtp|mail|ftp|ssh|sudo|pg|redis|mysql|proxy)[_-]?pass"
    r"|secret(?:[_-]?(?:access)?[_-]?key)?|token|credential"
    r"|(?:api|access|private|signing|encryption|auth|master|service|license|deploy)[_ -]?key)"
    r"(?![0-9]{0,4}[A-Za-z])",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[\"'`*]{0,3}+(?P<between>[ \t]{0,8}+(?::=|=>|[:=：]|is\b|ist\b|es\b)[ \t]{0,8}+|[ \t]{1,4}+)"
    r"(?P<open>[\"'`]?)"
)
_QUOTED = {quote: re.compile(rf"[^{quote}\n]{{1,4096}}(?={quote})") for quote in "\"'`"}
_BARE = re.compile(r"[^\s\"'`,;(){}<>\[\]]{1,256}+")
_BARE_ON = re.compile(r"[^\s\"'`,;(){}<>\[\]]*+")  # what follows the first 256 characters of a secret
_NAME_LONGEST = 64
_NAME_CHARACTERS = string.ascii_letters + string.digits + "_.[]-"
_REST = re.compile(r"[.,;!?)\"'`]{0,4}+[ \t]*+(?:\n|\Z|#|//|[,;}\])])")

_NO_VALUE = vocabulary(
    """
    string str text number int integer bool boolean bytes any none null nil undefined true false
    required optional unknown object array varchar char uuid password passwd secret token key value
    default empty missing invalid expired wrong correct hidden masked redacted changeme example
    placeholder here stored encrypted hashed env vault bearer basic jwt oauth oauth2 base64 sha256 md5
    bcrypt argon2 utf-8 utf8 x-api-key autocomplete hidden
    """
)
_STAND_IN = re.compile(
    r"\[|•|…|\$|%|\{|<|@|\.|/|~|!|&|\*+\Z|x{3,}+\Z|your|my[_-]|the[_-]|some[_-]|insert|replace|enter|example|dummy|todo|fake"
    r"|(?:process|os|env|import|config|settings|self|this|request|req|ctx|props|args|options|secrets|vault|var|local"
    r"|data|module|params|user|state|session|response|res|body|github|inputs|op)[.\[:]",
    re.IGNORECASE,
)
_CODE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+(?:\??\.[A-Za-z_][A-Za-z0-9_]*+)++\Z")
# Quantities, versions, dates and what cryptography is called hold digits and are no secrets.
_HARMLESS = re.compile(
    r"v?\d{1,12}+(?:[.:/-]\d{1,12}+){0,6}(?:[-.]?[a-z]{1,14}+(?:-[a-z]{1,14}+){0,4})?\Z"
    r"|(?:hs|rs|es|ps|sha|md|aes|des|base|bcrypt|scrypt|argon|utf|oauth|pbkdf|ed|http|tls|ssl|ipv|iso|rfc|win|ec"
    r"|hmac|blake|rsa|x|k8s|s3|ec2|f2a|2fa|mfa|totp|p|step|phase|level|line|issue|pr|chapter|test|case|auth)-?\d"
    r"|\d{4}-\d\d-\d\d",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]+\Z")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_]*\Z")


def assigned(text: str) -> Iterator[tuple[int, int, str]]:
    """Yields the span of each value that its name declares to be a secret."""
    done = 0
    for name in _NAME.finditer(text):
        after = _AFTER.match(text, name.end()) if name.start() >= done else None
        if after is None:
            continue
        opened = after["open"]
        value = (_QUOTED[opened] if opened else _BARE).match(text, after.end())
        if value is None:
            continue
        whole = _whole_name(text, name.start(), name.end())
        if _is_secret(text, whole, name.group(), after["between"], opened, value):
            done = value.end()
            if not opened:
                going_on = _BARE_ON.match(text, done)
                done = going_on.end() if going_on else done
                done -= _trailing(text[value.start() : done])
            yield value.start(), done, "secret"


def is_no_secret(value: str) -> bool:
    """Tells whether a value only stands for a secret, describes one, or is a version, a quantity or code."""
    return value.casefold() in _NO_VALUE or any(form.match(value) for form in (_STAND_IN, _CODE, _HARMLESS))


def _whole_name(text: str, start: int, end: int) -> str:
    before = text[max(0, start - _NAME_LONGEST) : start]
    return before[len(before.rstrip(_NAME_CHARACTERS)) :] + text[start:end]


def _trailing(value: str) -> int:
    """Returns how many characters at the end of a bare value belong to the sentence, not to the value."""
    kept = value.rstrip(".:!?")
    return len(value) - len(kept) if kept else 0


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
        return len(said) >= 6 and mixed and not is_no_secret(said) and bool(_REST.match(text, value.end()))
    password = (
        word.casefold().startswith("pass")
        or word.casefold().endswith("pass")
        or word.casefold()
        in (
            "pwd",
            "пароль",
            "密码",
            "senha",
            "contraseña",
        )
    )
    if digits == len(said):
        return password and len(said) >= 4
    if opened:
        if password:
            return len(said) >= 4 and (" " not in said or digits > 0)
        return " " not in said and ((len(said) >= 8 and digits > 0) or (len(said) >= 16 and said.isalpha()))
    if _CODE.match(said) or text.startswith("(", value.end()):
        return False
    if whole.isupper() and "_" in whole and between == "=":  # a line of an .env file
        return len(said) >= 4
    if mixed:
        return len(said) >= (5 if password else 8)
    if not _LETTERS.match(said) and _IDENTIFIER.match(said):
        return False
    # `password: swordfish` at the end of a line; not `password: use the vault`, not `token = token`.
    ends = bool(_REST.match(text, value.end()))
    return password and separator == ":" and ends and len(said) >= 8 and said.islower()
