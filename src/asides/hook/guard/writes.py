"""Finds the protected file that a command line would write, if any."""

from .paths import base, is_folder, join, normal
from .places import STAR, TEMPORARY, UNKNOWN, Places
from .shell import Reader, Simple, known

_LENGTH = 200_000  # characters of a command line that are read; the rest passes likewise
_DEPTH = 6  # command lines inside command lines; deeper ones pass, the audit sees their effect
_KEYWORDS = ("then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "time", "coproc")
_WRAPPERS = (
    "sudo",
    "doas",
    "env",
    "command",
    "builtin",
    "exec",
    "nohup",
    "nice",
    "ionice",
    "timeout",
    "stdbuf",
    "setsid",
)
_WITH_VALUE = ("-u", "-g", "-n", "-k", "-s", "-c", "-C", "--signal", "--user")
_OPERANDS = ("tee", "truncate", "touch", "sponge", "ed", "ex", "vi", "vim", "nvim", "nano", "emacs", "patch")
_REMOVERS = ("rm", "unlink", "shred", "rmdir", "mv")
_COPIERS = ("cp", "mv", "install", "ln", "rsync", "scp")
_OUTPUT = {"sort": ("-o", "--output"), "curl": ("-o", "--output"), "wget": ("-O", "--output-document")}
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "ash")
_PROGRAMS = ("python", "pypy", "node", "deno", "bun", "ruby", "perl", "php", "lua", "Rscript", "osascript")


class Walk:
    """One reading of one command line: where it stands, what its variables hold."""

    def __init__(self, places: Places, cwd: str, environment: dict[str, str]) -> None:
        self._places = places
        self._cwd = cwd
        self._known = dict(environment)
        self._links: dict[str, str] = {}

    def protected(self, text: str, depth: int = 0) -> str | None:
        """Returns the first protected path that the command line writes, removes or links, or None."""
        if depth > _DEPTH:
            return None
        reader = Reader(text[:_LENGTH], lookup=self._lookup, substitute=self._substitute)
        before: list[str] = []
        outer: list[str] = []
        for simple in reader.commands():
            if simple.scope == "(":
                outer.append(self._cwd)
            elif simple.scope == ")" and outer:
                self._cwd = outer.pop()
            found = self._simple(simple, before if simple.piped else [], depth)
            if found:
                return found
            if simple.words or not simple.piped:
                before = (before if simple.piped else []) + simple.words
        return None

    def _lookup(self, name: str) -> str | None:
        return self._cwd if name == "PWD" else self._known.get(name)

    def _substitute(self, text: str) -> str:
        return known(text, cwd=self._cwd, project=self._places.project)

    def _hit(self, word: str, *, removed: bool = False) -> str | None:
        """Returns the absolute path of a word if it is protected."""
        if not word or word.strip(UNKNOWN) == "":
            return None
        path = word if word.startswith(("/", "~", UNKNOWN, TEMPORARY)) else join(self._cwd, word)
        path = self._links.get(normal(path), path)
        return path if self._places.holds(path, removed=removed) else None

    def _first(self, words: list[str], *, removed: bool = False) -> str | None:
        return next((hit for hit in (self._hit(word, removed=removed) for word in words) if hit), None)

    def _simple(self, simple: Simple, before: list[str], depth: int) -> str | None:
        for inner in simple.inner:
            found = Walk(self._places, self._cwd, self._known).protected(inner, depth + 1)
            if found:
                return found
        return self._first(simple.writes) or self._command(simple.words, simple.stdin, before, depth)

    def _command(self, words: list[str], stdin: str, before: list[str], depth: int) -> str | None:
        words = self._assign(_unwrapped(words))
        if not words:
            return None
        name, rest = base(words[0]), words[1:]
        operands = _operands(rest)
        if name in ("cd", "pushd"):
            target = operands[0] if operands else self._known.get("HOME", UNKNOWN)
            known_target = UNKNOWN not in target and target != "-"
            self._cwd = join(self._cwd, target) if known_target else UNKNOWN
        elif name == "for" and "in" in rest[1:2]:
            self._known[rest[0]] = next(
                (word for word in rest[2:] if self._hit(word)), (rest[2:] or [UNKNOWN])[-1]
            )
        elif name == "read":
            self._known.update(dict.fromkeys(operands, UNKNOWN))
        elif name == "eval":
            return self.protected(" ".join(rest), depth + 1)
        elif name in _SHELLS:
            return self._shell(rest, stdin, depth)
        elif name == "xargs":
            return self._each(_xargs(rest), before, depth)
        elif name == "find":
            return self._find(rest, depth)
        elif name == "git":
            return self._git(operands, rest, stdin)
        elif name.startswith(_PROGRAMS) and not _in_place(name, rest):
            from .programs import written  # only here, since it needs regular expressions

            return written(
                "\n".join((*rest, stdin))[:_LENGTH],
                hit=self._hit,
                run=lambda text: Walk(self._places, self._cwd, self._known).protected(text, depth + 1),
            )
        else:
            return self._tool(name, rest, operands, stdin)
        return None

    def _tool(self, name: str, rest: list[str], operands: list[str], stdin: str) -> str | None:
        if name in _COPIERS:
            found = self._copied(name, rest, operands)
            if found:
                return found
        if name in _REMOVERS:
            return self._first(operands[:-1] if name == "mv" else operands, removed=True)
        if name in _OPERANDS or (name == "apply_patch" and not stdin):
            return self._first(operands) or self._first(patched(stdin))
        if name == "apply_patch":
            return self._first(patched(stdin))
        if name == "dd":
            return self._first([word[3:] for word in rest if word.startswith("of=")])
        if name in _OUTPUT:
            return self._first(_values(rest, _OUTPUT[name]))
        if name == "sed" or name in ("awk", "gawk") or name.startswith(_PROGRAMS):
            scripts, files = _scripts(name, rest)
            found = self._first(files) if _in_place(name, rest) else None
            return found or (self._first(_sed_writes(scripts)) if name == "sed" else None)
        return None

    def _assign(self, words: list[str]) -> list[str]:
        """Takes leading assignments, and those of `export` and its like, into what is known."""
        while words and "=" in words[0] and words[0].split("=")[0].isidentifier():
            key, _, value = words.pop(0).partition("=")
            self._known[key] = value
        if words and words[0] in ("export", "local", "declare", "readonly", "typeset"):
            return self._assign([word for word in words[1:] if not word.startswith("-")])
        return words

    def _copied(self, name: str, rest: list[str], operands: list[str]) -> str | None:
        into = _values(rest, ("-t", "--target-directory"))
        sources = [word for word in operands if word not in into]
        if not into:
            into, sources = sources[-1:], sources[:-1]
            if name == "ln" and not sources:
                into, sources = ["."], into
        for target in into:
            at = join(self._cwd, target)
            inside = target.endswith("/") or is_folder(at)
            names = [join(target, base(source.rstrip("/"))) for source in sources]
            found = self._first(names if inside else [target]) or self._hit(target)
            if found:
                return found
            if name == "ln" and not inside and sources:
                self._links[normal(at)] = join(self._cwd, sources[0])
        return None

    def _shell(self, rest: list[str], stdin: str, depth: int) -> str | None:
        for n, word in enumerate(rest[:-1]):
            if word.startswith("-") and word.endswith("c") and not word.startswith("--"):
                return self.protected(rest[n + 1], depth + 1)
        return self.protected(stdin, depth + 1) if stdin else None

    def _each(self, command: list[str], candidates: list[str], depth: int) -> str | None:
        """Tries a command that gets its operands from elsewhere with each of them that is protected."""
        for word in [word for word in candidates if self._hit(word)]:
            filled = [part.replace("{}", word) for part in command]
            found = self._command(filled if filled != command else [*command, word], "", [], depth + 1)
            if found:
                return found
        return self._command(command, "", [], depth + 1) if command and depth < _DEPTH else None

    def _find(self, rest: list[str], depth: int) -> str | None:
        roots = []
        for word in rest:
            if word.startswith(("-", "(", "!")):
                break
            roots.append(word)
        names = _values(rest, ("-name", "-iname"))
        candidates = roots + [join(root, name) for root in roots or ["."] for name in names]
        candidates += [word for name in names for word in self._expanded(roots or ["."], name)]
        if "-delete" in rest:
            return self._first(candidates, removed=True)
        for n, word in enumerate(rest):
            if word in ("-exec", "-execdir", "-ok"):
                command = [part for part in rest[n + 1 :] if part not in (";", "+")]
                return self._each(command, candidates, depth)
        return None

    def _expanded(self, roots: list[str], pattern: str) -> list[str]:
        return [join(root, pattern.replace("*", STAR)) for root in roots] if "*" in pattern else []

    def _git(self, operands: list[str], rest: list[str], stdin: str) -> str | None:
        match operands[:1]:
            case ["rm"] if "--cached" not in rest:
                return self._first(operands[1:])
            case ["mv"]:
                return self._first(operands[1:])
            case ["apply"]:
                return self._first(patched(stdin))
            case _:
                return None


def patched(text: str) -> list[str]:
    """Returns the files that a patch names: `*** Update File: X`, or `+++ b/X`."""
    files = []
    for line in text.splitlines():
        for mark in ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "):
            if line.startswith(mark):
                files.append(line[len(mark) :].strip())
        if line.startswith("+++ "):
            path = line[4:].split("\t")[0].strip()
            files.append(path[2:] if path.startswith(("a/", "b/")) else path)
    return files


def _unwrapped(words: list[str]) -> list[str]:
    """Returns a command without the keywords and programs that only run another one."""
    words = list(words)
    while words and (words[0] in _KEYWORDS or base(words[0]) in _WRAPPERS):
        wrapper = base(words.pop(0))
        if wrapper not in _WRAPPERS:
            continue
        while words and (words[0].startswith("-") or (wrapper in ("env", "sudo") and "=" in words[0])):
            if words.pop(0) in _WITH_VALUE and words:
                words.pop(0)
        if wrapper == "timeout" and words:
            words.pop(0)
    return words


def _operands(words: list[str]) -> list[str]:
    if "--" in words:
        split = words.index("--")
        return [word for word in words[:split] if not word.startswith("-")] + words[split + 1 :]
    return [word for word in words if not word.startswith("-") or word == "-"]


def _values(words: list[str], options: tuple[str, ...]) -> list[str]:
    """Returns the values of options, written `-o X`, `-oX`, `--output X` or `--output=X`."""
    values = []
    for n, word in enumerate(words):
        for option in options:
            if word == option:
                values += words[n + 1 : n + 2]
            elif option.startswith("--") and word.startswith(option + "="):
                values.append(word[len(option) + 1 :])
            elif len(option) == 2 and word.startswith(option):
                values.append(word[2:])
            elif len(option) == 2 and word[:1] == "-" != word[1:2] and word.endswith(option[1]):
                values += words[n + 1 : n + 2]  # the last of several letters: -sSLo X
    return values


def _in_place(name: str, rest: list[str]) -> bool:
    if name in ("awk", "gawk"):
        return "inplace" in rest
    if not name.startswith(("sed", "perl", "ruby")):
        return False
    for word in rest:
        if word.startswith("--in-place"):
            return True
        if word.startswith("-") and not word.startswith("--"):
            flags = word[1:]
            for stop in "efE":
                flags = flags.split(stop)[0]
            if "i" in flags:
                return True
    return False


def _scripts(name: str, rest: list[str]) -> tuple[list[str], list[str]]:
    """Returns the scripts and the files of a command such as sed."""
    scripts: list[str] = []
    files: list[str] = []
    given = False
    words = iter(rest)
    for word in words:
        if word.startswith("--expression="):
            scripts, given = [*scripts, word[13:]], True
        elif word.startswith("-") and not word.startswith("--") and word[-1:] in "efE":
            scripts, given = [*scripts, next(words, "")], True
        elif not word.startswith("-"):
            files.append(word)
    if not given and name in ("sed", "awk", "gawk") and files:
        scripts.append(files.pop(0))
    return scripts, files


def _sed_writes(scripts: list[str]) -> list[str]:
    """Returns the files that sed's own `w` would write."""
    found = []
    for script in scripts:
        for piece in script.split("w ")[1:]:
            found.append(piece.split("\n")[0].split(";")[0].strip(" }"))
    return found


def _xargs(rest: list[str]) -> list[str]:
    """Returns the command that xargs runs; `{}` stands where its operand goes."""
    words, mark = list(rest), ""
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option in ("-I", "-n", "-P", "-L", "-d", "-s", "-a", "-E") and words:
            value = words.pop(0)
            mark = value if option == "-I" else mark
        elif option.startswith("-I"):
            mark = option[2:]
    return [word.replace(mark, "{}") for word in words] if mark else words
