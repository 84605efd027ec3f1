"""Reads a shell command line into simple commands, as far as one can without running it."""

from .paths import above
from .places import ONE, STAR, TEMPORARY, UNKNOWN

TYPE_CHECKING = False  # the name alone tells type checkers; `typing` costs more than the guard
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_OPEN, _COMMA, _CLOSE, _BLANK = "\ue004", "\ue005", "\ue006", "\ue007"
_PLAIN = {_OPEN: "{", _COMMA: ",", _CLOSE: "}"}
_ENDS = ";&|\n()"


class Simple:
    """One command: its words, the files it redirects into, and what it reads from a here-document."""

    __slots__ = ("inner", "piped", "scope", "stdin", "words", "writes")

    def __init__(self) -> None:
        self.words: list[str] = []
        self.writes: list[str] = []
        self.stdin = ""
        self.inner: list[str] = []  # command lines in $(...), `...`, <(...), >(...)
        self.piped = False  # reads what the command before it prints
        self.scope = ""  # "(" or ")" where a subshell begins or ends


class Reader:
    """Reads lazily: a word is expanded when it is reached, so earlier assignments are known by then.

    `lookup` gives a variable's value or None; `substitute` the output of a command, if it is known.
    """

    def __init__(
        self, text: str, *, lookup: "Callable[[str], str | None]", substitute: "Callable[[str], str]"
    ) -> None:
        self._text = text.replace("\\\n", "")
        self._at = 0
        self._lookup = lookup
        self._substitute = substitute
        self._now = Simple()

    def commands(self) -> "Iterator[Simple]":
        """Yields the simple commands in order; a subshell's edges are commands without words."""
        while True:
            self._blanks()
            char = self._peek()
            if char == "":
                break
            if char == "#":
                self._at = self._find("\n", self._at)
            elif char in "<>" or self._text.startswith(("&>", "&>>"), self._at):
                self._redirect()
            elif self._text.startswith("((", self._at) and not self._now.words:
                self._at = self._find("))", self._at) + 2
            elif char in _ENDS:
                self._at += 1
                piped = char == "|" and self._peek() != "|"
                if self._peek() and self._peek() in "|&;":
                    self._at += 1
                yield self._now
                self._now = Simple()
                self._now.piped = piped
                if char in "()":
                    self._now.scope = char
                    yield self._now
                    self._now = Simple()
            else:
                start = self._at
                words = self._word()
                digits = self._text[start : self._at]
                if not (digits.isdigit() and self._peek() and self._peek() in "<>"):
                    self._now.words += words
                if self._now.words[:1] == ["[["]:
                    self._at = max(self._at, self._find("]]", self._at))
        yield self._now

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _find(self, what: str, start: int) -> int:
        found = self._text.find(what, start)
        return len(self._text) if found < 0 else found

    def _blanks(self) -> None:
        while self._peek() and self._peek() in " \t\r":
            self._at += 1

    def _redirect(self) -> None:
        for mark in ("<<<", "<<-", "&>>", "<<", ">>", ">|", "<>", ">&", "<&", "&>", "<", ">"):
            if self._text.startswith(mark, self._at):
                break
        if mark in "<>" and self._text[self._at + 1 : self._at + 2] == "(":
            self._now.words += self._word()
            return
        self._at += len(mark)
        self._blanks()
        if mark in ("<<", "<<-"):
            self._here()
            return
        words = self._word() if self._peek() and self._peek() not in _ENDS else []
        if mark == "<<<":
            self._now.stdin += "\n".join(words)
        elif mark == ">&" and words and (words[0].isdigit() or words[0] == "-"):
            return
        elif ">" in mark:
            self._now.writes += words

    def _here(self) -> None:
        """Takes a here-document's body out of the text; it is no command."""
        start = self._at
        while self._peek() and self._peek() not in " \t\r<>" + _ENDS:
            if self._peek() in "'\"":
                self._at = self._find(self._peek(), self._at + 1)
            self._at += 1
        end = self._text[start : self._at].replace("'", "").replace('"', "").replace("\\", "")
        body = self._find("\n", self._at) + 1
        at = body
        while at < len(self._text):
            stop = self._find("\n", at)
            if self._text[at:stop].lstrip("\t") == end:
                self._now.stdin += self._text[body:at]
                self._text = self._text[:body] + self._text[stop + 1 :]
                return
            at = stop + 1
        self._now.stdin += self._text[body:]
        self._text = self._text[:body]

    def _word(self) -> list[str]:
        """Returns the words that one stretch of text becomes."""
        out: list[str] = []
        start = self._at
        while self._at < len(self._text):
            char = self._peek()
            if char in " \t\r" or (char in _ENDS and self._at > start) or char in _ENDS:
                break
            if char in "<>":
                if self._at == start and self._text[self._at + 1 : self._at + 2] == "(":
                    self._at += 2
                    self._inner()
                    out.append(UNKNOWN)
                    continue
                break
            self._at += 1
            if char == "'":
                stop = self._find("'", self._at)
                out.append(self._text[self._at : stop])
                self._at = stop + 1
            elif char == '"':
                self._quoted(out)
            elif char == "\\":
                out.append(self._peek())
                self._at += 1
            elif char == "$" or char == "`":
                out.append(self._expand(char).replace(" ", _BLANK).replace("\n", _BLANK))
            elif char == "*":
                out.append(STAR)
            elif char == "?":
                out.append(ONE)
            elif char == "[" and self._bracket():
                self._at = self._find("]", self._at) + 1
                out.append(ONE)
            elif char == "~" and (not out or out[-1] == "=") and self._starts_home():
                out.append(self._lookup("HOME") or UNKNOWN)
            else:
                out.append({"{": _OPEN, ",": _COMMA, "}": _CLOSE}.get(char, char))
        word = "".join(out)
        return [_plain(one) for part in word.split(_BLANK) for one in _braces(part)]

    def _bracket(self) -> bool:
        near = self._text[self._at : self._at + 64].split(" ")[0]
        return "]" in near

    def _starts_home(self) -> bool:
        return self._peek() in ("", "/", " ", "\t", "\n", ";", "&", "|", ")")

    def _quoted(self, out: list[str]) -> None:
        while self._at < len(self._text):
            char = self._peek()
            self._at += 1
            if char == '"':
                return
            if char == "\\" and self._peek() and self._peek() in '$`"\\':
                out.append(self._peek())
                self._at += 1
            elif char in "$`":
                out.append(self._expand(char))
            else:
                out.append(char)

    def _expand(self, char: str) -> str:
        """Returns what stands for an expansion whose first character was just passed."""
        if char == "`":
            stop = self._find("`", self._at)
            text, self._at = self._text[self._at : stop], stop + 1
            self._now.inner.append(text)
            return self._substitute(text)
        following = self._peek()
        if following == "'":
            stop = self._find("'", self._at + 1)
            text, self._at = self._text[self._at + 1 : stop], stop + 1
            return text.replace("\\n", "\n").replace("\\t", "\t").replace("\\'", "'")
        if following == "(":
            self._at += 1
            if self._peek() == "(":
                self._at = self._find("))", self._at) + 2
                return UNKNOWN
            return self._substitute(self._inner())
        if following == "{":
            stop = self._find("}", self._at)
            inside, self._at = self._text[self._at + 1 : stop], stop + 1
            name = _name(inside)
            value = self._lookup(name)
            fallback = inside[len(name) :].lstrip(":")
            if fallback[:1] in ("-", "=") and not value:
                return fallback[1:].strip("\"'")
            return UNKNOWN if value is None or (fallback and fallback[0] in "#%/^,@") else value
        name = _name(self._text[self._at : self._at + 64])
        if not name:
            if following and following in "@*#?!$0123456789-":
                self._at += 1
                return UNKNOWN
            return "$"
        self._at += len(name)
        value = self._lookup(name)
        return UNKNOWN if value is None else value

    def _inner(self) -> str:
        """Returns the text up to the bracket that closes what was just opened."""
        start, depth = self._at, 1
        while self._at < len(self._text):
            char = self._peek()
            self._at += 1
            if char == "\\":
                self._at += 1
            elif char == "'":
                self._at = self._find("'", self._at) + 1
            elif char == "(":
                depth += 1
            elif char == ")":
                depth -= 1
                if depth == 0:
                    break
        text = self._text[start : self._at - 1]
        self._now.inner.append(text)
        return text


def known(text: str, *, cwd: str, project: str) -> str:
    """Returns what a substituted command is known to print, or a mark for what is not known."""
    words = text.split()
    match words:
        case ["pwd", *_]:
            return cwd
        case ["git", "rev-parse", "--show-toplevel"]:
            return project
        case ["mktemp", *_]:
            return TEMPORARY
        case ["echo" | "realpath", path] | ["readlink", _, path] if "$" not in path:
            return path.strip("\"'")
        case ["dirname", path] if "$" not in path:
            return above(path.strip("\"'"))
        case _:
            return UNKNOWN


def _name(text: str) -> str:
    stop = 0
    while stop < len(text) and (text[stop] == "_" or (text[stop].isascii() and text[stop].isalnum())):
        stop += 1
    return "" if text[:1].isdigit() else text[:stop]


def _plain(word: str) -> str:
    for mark, char in _PLAIN.items():
        word = word.replace(mark, char)
    return word


def _braces(word: str, budget: int = 64) -> list[str]:
    """Returns the words that `{a,b}` becomes; at most a few dozen, since a guard must not be kept busy."""
    start = word.find(_OPEN)
    stop = word.find(_CLOSE, start)
    inside = word[start + 1 : stop]
    if start < 0 or stop < 0 or _COMMA not in inside or _OPEN in inside or budget <= 1:
        return [word]
    pieces = inside.split(_COMMA)[:budget]
    return [
        one
        for piece in pieces
        for one in _braces(word[:start] + piece + word[stop + 1 :], budget // len(pieces))
    ]
