"""Finds the protected file that a line of Python, JavaScript, Ruby, Perl or PHP would write."""

import re

TYPE_CHECKING = False  # the name alone tells type checkers; `typing` costs more than the guard
if TYPE_CHECKING:
    from collections.abc import Callable

# How far one looks for the end of a call or the beginning of what it is called on, in characters,
# and at how many calls of a kind: so that no program can keep the guard, and the agent, busy.
_NEAR = 1_000
_CALLS = 1_000
_STRING = re.compile(r"""(['"`])((?:\\.|(?!\1).)*)\1""", re.S)
_ASSIGNED = re.compile(r"(?:^|[;\n{(,]|\b(?:const|let|var|my)\s+)\s*\$?(\w+)\s*:?=(?![=>~])\s*([^;\n]+)")
_BOUND = re.compile(r"\bopen\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*as\s+(\w+)")
# A value that was read out of a file is not that file's name.
_READ = re.compile(r"\.read|read_text|read_bytes|readFile|readlines|get_contents|\bopen\(|slurp")
_WRITING_MODE = re.compile(r"""['"][rbt]*[wax+][rbtwax+]*['"]|['"]\s*\+?>{1,2}|O_WRONLY|O_RDWR|O_CREAT""")
_HANDLE = re.compile(r"\s*(?:my\s+)?\$?\w+\s*$")
# The file is the first argument and a mode decides.
_OPENED = re.compile(r"\b(?:open|fopen|openSync|File\.new|sysopen)\s*\(?")
# The file is the first argument.
_WRITTEN = re.compile(
    r"\b(?:writeFile(?:Sync)?|appendFile(?:Sync)?|createWriteStream|truncate(?:Sync)?|file_put_contents"
    r"|unlink(?:Sync)?|rm(?:Sync)?|rmtree|remove|writeTextFile(?:Sync)?|File\.write|IO\.write|File\.delete"
    r"|Bun\.write)\s*\(?"
)
# Any argument is touched, or the last one is.
_MOVED = re.compile(
    r"\b(?:os\.rename|os\.replace|shutil\.move|renameSync|rename|copyFile(?:Sync)?|cpSync|shutil\.copy\w*"
    r"|symlink(?:Sync)?|link(?:Sync)?|FileUtils\.\w+)\s*\("
)
# The file is what stands before the dot.
_METHOD = re.compile(
    r"\.(?:write_text|write_bytes|unlink|touch|rename|replace|symlink_to|hardlink_to|open)\s*\("
)
_RUN = re.compile(r"\b(?:os\.system|subprocess\.\w+|exec(?:Sync)?|system|popen|os\.popen|spawnSync)\s*\(")


def written(
    code: str, *, hit: "Callable[[str], str | None]", run: "Callable[[str], str | None]"
) -> str | None:
    """Returns the protected path that `code` would write, or None.

    `hit` tells whether a path is protected, `run` what a shell command would write.
    """
    names: dict[str, str] = {}

    def named(expression: str) -> str | None:
        strings = [found.group(2).lstrip("+> ") for found in _STRING.finditer(expression)]
        for text in (*strings, "/".join(strings), "".join(strings)):
            found = hit(text)
            if found:
                return found
        bare = _STRING.sub(" ", expression)
        return next((names[word] for word in re.findall(r"\w+", bare) if word in names), None)

    for found in _ASSIGNED.finditer(code):
        if not _READ.search(found.group(2)):
            path = named(_home(found.group(2)))
            if path:
                names[found.group(1)] = path
    for found in _calls(_RUN, code):
        strings = [text.group(2) for text in _STRING.finditer(",".join(_arguments(code, found.end())))]
        path = next((seen for seen in map(run, (*strings, " ".join(strings))) if seen), None)
        if path:
            return path
    for pattern in (_OPENED, _WRITTEN, _MOVED):
        for found in _calls(pattern, code):
            args = _arguments(code, found.end())
            if pattern is _OPENED and not _WRITING_MODE.search(",".join(args)):
                continue
            # Perl names a handle first: open(F, '>', 'file').
            handle = pattern is _OPENED and _HANDLE.match(args[0])
            path = named(args[0]) or (named(args[-1]) if pattern is _MOVED or handle else None)
            if path:
                return path
    for found in _calls(_METHOD, code):
        before = code[max(0, found.start() - _NEAR) : found.start()]
        receiver = re.split(r"[=;\n:]|\bin\b|\bwith\b", before)[-1]
        given = ",".join(_arguments(code, found.end()))
        opening = found.group(0).startswith(".open")
        of_text = found.group(0).startswith(".replace") and "," in given
        if of_text or _READ.search(receiver) or (opening and not _WRITING_MODE.search(given)):
            continue
        path = named(_home(receiver))
        if path:
            return path
    return None


def _calls(pattern: re.Pattern[str], code: str) -> list[re.Match[str]]:
    return list(pattern.finditer(code))[:_CALLS]


def _home(expression: str) -> str:
    """Returns an expression in which a call for the home folder is the string that it means."""
    return re.sub(r"(?:pathlib\.)?Path\.home\(\)|os\.homedir\(\)|homedir\(\)", "'~'", expression)


def _arguments(code: str, start: int) -> list[str]:
    """Returns the arguments of a call that opened at `start`, as written; at least one, perhaps empty."""
    args: list[str] = []
    depth, at, last = 0, start, start
    while at < min(len(code), start + _NEAR):
        string = _STRING.match(code, at)
        if string:
            at = string.end()
            continue
        char = code[at]
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth < 0:
                break
        elif char in ",;\n" and depth == 0:
            args.append(code[last:at])
            last = at + 1
            if char != ",":
                return [_home(arg) for arg in args]
        at += 1
    return [_home(arg) for arg in (*args, code[last:at])]
