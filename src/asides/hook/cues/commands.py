"""What a command line does: which commands it runs and where, which files it writes and removes."""

from ..guard.paths import base, join
from ..guard.places import TEMPORARY, UNKNOWN
from ..guard.shell import Reader, known

TYPE_CHECKING = False  # the name alone tells type checkers; `typing` costs more than a look
if TYPE_CHECKING:
    from collections.abc import Iterator

_LENGTH = 50_000  # characters of a command line that are read; longer ones carry text, not commands
_DOCUMENTS = 50  # here-documents of one command line that are told from commands
_DEPTH = 4  # command lines inside command lines
_KEYWORDS = ("then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "coproc")
_WRAPPERS = (
    "sudo",
    "doas",
    "env",
    "time",
    "command",
    "builtin",
    "exec",
    "nohup",
    "nice",
    "ionice",
    "timeout",
    "stdbuf",
    "setsid",
    "npx",
    "bunx",
    "pnpx",
    "uvx",
    "pipx",
)
_WITH_VALUE = ("-u", "-g", "-n", "-k", "-s", "-p", "-C", "--package", "--signal", "--user")
_RUNNERS = ("run", "exec", "dlx", "x")
_RUN_BY = (
    "poetry",
    "uv",
    "pipenv",
    "pdm",
    "hatch",
    "rye",
    "bundle",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "mise",
    "pipx",
)
_SCRIPTS_OF = ("npm", "pnpm", "yarn", "bun")
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "ash")
_INTERPRETERS = ("node", "deno", "bun", "ruby", "perl", "php", "tsx", "ts-node")
_PYTHONS = ("python", "python3", "py")


class Run:
    """One command: the folder it runs in (empty: not known), its words, and what it does to files.

    `forms` are its words as written, then each time with one more of `sudo`, `npx`, `poetry run` and the
    like taken off.
    """

    __slots__ = ("cwd", "forms", "removes", "writes")

    def __init__(self, cwd: str, forms: list[list[str]], writes: list[str], removes: list[str]) -> None:
        self.cwd = cwd
        self.forms = forms
        self.writes = writes
        self.removes = removes

    def begins(self, command: "list[str]") -> bool:
        """Returns whether it begins with these words, options and their values left out."""
        return any(_begins(words, command) for words in self.forms)

    def path(self, word: str) -> str:
        """Returns a word as an absolute path; empty where that cannot be known."""
        if not word or UNKNOWN in word or TEMPORARY in word or not (self.cwd or word.startswith("/")):
            return ""
        return word if word.startswith("/") else join(self.cwd, word)


def runs(text: str, *, cwd: str, home: str, depth: int = 0) -> "Iterator[Run]":
    """Yields the commands of a command line in order, those inside of others too."""
    if depth > _DEPTH:
        return
    values = {"HOME": home}
    outer: list[str] = []
    reader = Reader(
        _without_documents(text[:_LENGTH]),
        lookup=lambda name: cwd if name == "PWD" else values.get(name),
        substitute=lambda inner: known(inner, cwd=cwd, project=cwd),
    )
    for simple in reader.commands():
        if simple.scope == "(":
            outer.append(cwd)
        elif simple.scope == ")" and outer:
            cwd = outer.pop()
        for inner in simple.inner:
            yield from runs(inner, cwd=cwd, home=home, depth=depth + 1)
        forms = _forms(simple.words)
        words = forms[-1] if forms else []
        if not words:
            if simple.writes:
                yield Run(cwd, [], simple.writes, [])
            continue
        name, rest = base(words[0]), words[1:]
        there = _folder(rest, cwd) if name == "git" else cwd
        yield Run(there, forms, simple.writes, _removed(name, rest))
        if name in ("cd", "pushd"):
            target = next((word for word in rest if not word.startswith("-")), home if name == "cd" else "")
            cwd = _into(cwd, target)
        elif name in _SHELLS:
            for n, word in enumerate(rest[:-1]):
                if word.startswith("-") and word.endswith("c") and not word.startswith("--"):
                    yield from runs(rest[n + 1], cwd=cwd, home=home, depth=depth + 1)
                    break
        elif name == "eval":
            yield from runs(" ".join(rest), cwd=cwd, home=home, depth=depth + 1)


def _without_documents(text: str) -> str:
    """Returns a command line without its here-documents.

    They are no commands, and inside of `"$(...)"`, where messages of commits are written so, an apostrophe
    in them would be taken for a quotation mark.
    """
    if "<<" not in text:
        return text
    lines = text.split("\n")
    kept: list[str] = []
    n = looked = 0
    while n < len(lines):
        line, n = lines[n], n + 1
        at = line.find("<<")
        while at >= 0 and looked < _DOCUMENTS:
            mark = line[at + 2 :].removeprefix("-").lstrip(" ")
            quoted = mark[:1] in ("'", '"') and mark.find(mark[0], 1) > 0
            name = mark[1 : mark.find(mark[0], 1)] if quoted else _leading_name(mark)
            looked += 1
            ends = [m for m in range(n, len(lines)) if lines[m].strip() == name] if name else []
            if ends:
                line, n = line[:at] + " " + mark[len(name) + 2 * quoted :], ends[0] + 1
                at = line.find("<<", at)
            else:
                at = line.find("<<", at + 2)
        kept.append(line)
    return "\n".join(kept)


def _leading_name(text: str) -> str:
    n = 0
    while n < len(text) and (text[n].isalnum() or text[n] == "_"):
        n += 1
    return text[:n]


def _forms(words: list[str]) -> list[list[str]]:
    """Returns the words of a command, without what only sets it up; then with each wrapper taken off."""
    forms: list[list[str]] = []
    words = _bare(words)
    while words and len(forms) < 8:
        forms.append(words)
        name = base(words[0])
        if name in _RUN_BY and words[1:2] and words[1] in _RUNNERS:
            if name in _SCRIPTS_OF and words[1] == "run":
                forms.append([words[0], *words[2:]])  # `npm run test` is `npm test`
            words = _after_options(words[2:])
        elif name in _WRAPPERS:
            words = _after_options(words[1:])
            if name == "timeout":
                words = words[1:]
        elif name.startswith(_PYTHONS) and "-m" in words[1:4]:
            words = words[words.index("-m") + 1 :]
        elif name in (*_SHELLS, *_INTERPRETERS) or name.startswith(_PYTHONS):
            words = _after_options(words[1:])
            if not words or not {"/", "."} & set(words[0]) or " " in words[0]:
                break  # no script
        else:
            break
        words = _bare(words)
    return forms


def _bare(words: list[str]) -> list[str]:
    """Returns words without leading keywords and assignments."""
    n = 0
    while n < len(words) and (
        words[n] in _KEYWORDS or ("=" in words[n] and words[n].partition("=")[0].isidentifier())
    ):
        n += 1
    return words[n:]


def _after_options(words: list[str]) -> list[str]:
    n = 0
    while n < len(words) and words[n].startswith("-"):
        n += 2 if words[n] in _WITH_VALUE else 1
    return words[n:]


def _begins(words: list[str], command: list[str]) -> bool:
    n, after_option = 0, False
    for word in words:
        if n == len(command):
            break
        if _same(word, command[n], first=n == 0):
            n, after_option = n + 1, False
        elif n == 0:
            return False
        elif word.startswith(("-", "+")):
            after_option = "=" not in word
        elif after_option:
            after_option = False  # the option's value
        else:
            return False
    return 0 < n == len(command)


def _same(word: str, wanted: str, *, first: bool) -> bool:
    if word == wanted:
        return True
    wanted = wanted.removeprefix("./")
    return base(word) == wanted if first and "/" not in wanted else word.removeprefix("./") == wanted


def _folder(rest: list[str], cwd: str) -> str:
    """Returns where git works: `git -C x` goes there first."""
    for n, word in enumerate(rest[:-1]):
        if word == "-C":
            cwd = _into(cwd, rest[n + 1])
        elif not word.startswith("-"):
            break
    return cwd


def _into(cwd: str, target: str) -> str:
    if not target or target == "-" or UNKNOWN in target or TEMPORARY in target:
        return ""
    return join(cwd, target) if cwd or target.startswith("/") else ""


def _removed(name: str, rest: list[str]) -> list[str]:
    """Returns the words that name what a command removes."""
    if name == "git":
        if not _begins(["git", *rest], ["git", "rm"]):
            return []
        rest = rest[rest.index("rm") + 1 :]
    elif name not in ("rm", "unlink"):
        return []
    if "--" in rest:
        split = rest.index("--")
        return [word for word in rest[:split] if not word.startswith("-")] + rest[split + 1 :]
    return [word for word in rest if not word.startswith("-")]
