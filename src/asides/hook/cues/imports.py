"""Which modules and packages a line of code brings in."""

from .source import DART, ELIXIR, GO, JVM, LUA, NATIVE, PHP, PYTHON, RUBY, RUST, SCRIPT, SHARP, SWIFT

TYPE_CHECKING = False  # the name alone tells type checkers; `typing` costs more than a look
if TYPE_CHECKING:
    from .source import Parts

_GO_OWN = (
    "errors",
    "fmt",
    "io",
    "log",
    "os",
    "path",
    "sort",
    "strings",
    "time",
    "context",
    "flag",
    "testing",
)


def imports(line: "Parts", kind: str, wanted: str, path: str) -> bool:
    """Returns whether a line brings in `wanted`, or something that lies in it."""
    if not wanted or (kind != GO and not _may(line.code, kind)):
        return False
    return any(_is(found, wanted, kind, path) for found in modules(line, kind))


def modules(line: "Parts", kind: str) -> list[str]:
    """Returns the modules that a line brings in, as they are written."""
    code = line.code.strip().rstrip(";").rstrip()
    if kind == PYTHON:
        return _python(code) + _called(line, ("importlib.import_module", "import_module", "__import__"))
    if kind == SCRIPT:
        return _after(line, ("from", "import")) + _called(line, ("require", "import", "require.resolve"))
    if kind == GO:
        return _go(line)
    if kind == RUST:
        return _rust(code)
    if kind in (JVM, SHARP, SWIFT):
        return _dotted(code, kind)
    if kind == RUBY:
        return _after(line, ("require", "gem")) + _called(line, ("require", "gem"))
    if kind == PHP:
        word, _, rest = code.partition(" ")
        name = rest.partition(" as ")[0].strip().lstrip("\\")
        return [name] if word == "use" and name and " " not in name else []
    if kind == NATIVE:
        return _include(line)
    if kind in (DART, LUA):
        return _after(line, ("import", "export", "require")) + _called(line, ("require",))
    if kind == ELIXIR:
        word, _, rest = code.partition(" ")
        return [rest.split(",")[0].strip()] if word in ("alias", "import", "use", "require") else []
    return []


def _may(code: str, kind: str) -> bool:
    if kind == NATIVE:
        return "include" in code
    return any(
        word in code for word in ("import", "from", "require", "use", "using", "extern", "gem", "alias")
    )


def _python(code: str) -> list[str]:
    if code.startswith(">>>"):
        return []
    for statement in code.split(";"):
        words = statement.split()
        if len(words) > 1 and words[0] == "import":
            return [part.split()[0] for part in statement.strip()[6:].split(",") if part.split()]
        if len(words) > 2 and words[0] == "from" and words[2] == "import":
            names = statement.partition(" import")[2].strip(" (\\)").split(",")
            inner = [f"{words[1]}.{name.split()[0]}" for name in names if name.split()]
            return [words[1], *inner]
    return []


def _after(line: "Parts", words: "tuple[str, ...]") -> list[str]:
    """Returns the strings that stand right after one of the words."""
    found = []
    for at, opening in enumerate(line.code):
        if opening not in "\"'":
            continue
        before = line.code[:at].rstrip()
        for word in words:
            if before.endswith(word) and not _named(before[-len(word) - 1 : -len(word)]):
                if word != "from" and before != word and not before.endswith(("; " + word, "{ " + word)):
                    continue
                found.append(_string(line.text, at))
                break
    return [one for one in found if one]


def _called(line: "Parts", names: "tuple[str, ...]") -> list[str]:
    """Returns the strings that are the first argument of one of the functions."""
    found = []
    for name in names:
        at = line.code.find(name)
        while at >= 0:
            end = at + len(name)
            rest = line.code[end:].lstrip()
            if rest.startswith("(") and not _named(line.code[at - 1 : at] if at else ""):
                start = line.code.index("(", end) + 1
                while line.code[start : start + 1] == " ":
                    start += 1
                if line.code[start : start + 1] in ("'", '"', "`"):
                    found.append(_string(line.text, start))
            at = line.code.find(name, end)
    return [one for one in found if one]


def _string(text: str, at: int) -> str:
    end = text.find(text[at], at + 1)
    return text[at + 1 : end] if end > 0 else ""


def _go(line: "Parts") -> list[str]:
    words = line.code.split()
    at = line.code.find('"')
    if at < 0 or line.code.rstrip()[-1:] != '"' or line.code.count('"') != 2:
        return []
    before = line.code[:at].split()
    if before[:1] == ["import"]:
        before = before[1:]
    elif len(words) > 3:
        return []
    alias = before[0] if before else "_"
    if (
        len(before) > 1
        or not (alias in ("_", ".") or alias.isidentifier())
        or alias in ("return", "case", "package")
    ):
        return []
    return [_string(line.text, at)]


def _rust(code: str) -> list[str]:
    words = code.split()
    while words and (words[0] == "pub" or words[0].startswith("pub(")):
        words = words[1:]
    if words[:2] == ["extern", "crate"] and len(words) > 2:
        return [words[2]]
    if words[:1] != ["use"] or len(words) < 2:
        return []
    whole = "".join(words[1:2] if "{" not in code else words[1:]).lstrip(":")
    head, braces, rest = whole.partition("{")
    if not braces:
        return [head]
    return [head + part.split("::{")[0] for part in rest.rstrip("}").split(",")]


def _dotted(code: str, kind: str) -> list[str]:
    words = code.split()
    if words[:1] == ["global"]:
        words = words[1:]
    if len(words) < 2 or words[0] != ("using" if kind == SHARP else "import") or "(" in code:
        return []
    if words[1] in ("static", "class", "struct", "func", "enum", "protocol"):
        words = words[1:]
    if "=" in words:
        words = ["", *words[words.index("=") + 1 :]]
    return words[1:2] if len(words) > 1 else []


def _include(line: "Parts") -> list[str]:
    code = line.text.strip()
    if not code.startswith("#"):
        return []
    rest = code[1:].lstrip()
    for word in ("include_next", "include", "import"):
        if rest.startswith(word):
            rest = rest[len(word) :].strip()
            end = rest.find(">" if rest[:1] == "<" else '"', 1)
            return [rest[1:end]] if rest[:1] in ('"', "<") and end > 1 else []
    return []


def _is(found: str, wanted: str, kind: str, path: str) -> bool:
    if kind == SCRIPT:
        plain = found.partition("?")[0].removeprefix("node:")
        if plain.startswith("."):
            if "/" not in wanted or wanted.startswith("@"):
                return False
            plain = _joined(path, plain)
        return _below(plain.lower(), wanted.lower(), "/")
    if kind == PYTHON:
        if found.startswith(".") and not wanted.startswith("."):
            return False
        return _below(found.lower(), wanted.lower().replace("-", "_").replace("/", "."), ".")
    if kind == GO:
        return _is_go(found.lower(), wanted.lower())
    if kind == RUST:
        return _below(found.lower(), wanted.lower().replace("-", "_"), "::")
    if kind in (JVM, SHARP, ELIXIR, SWIFT):
        return _is_dotted(found, wanted)
    if kind == PHP:
        return _is_dotted(found.replace("\\", "."), wanted.replace("\\", ".").replace("/", "."))
    if kind == NATIVE:
        stem = found.rpartition(".")[0] if "." in found.rpartition("/")[2] else found
        return stem == wanted or _below(found, wanted, "/")
    if kind == DART:
        return _below(found.removeprefix("package:"), wanted, "/")
    return _below(found.lower(), wanted.lower(), "/") or _below(found.lower(), wanted.lower(), ".")


def _below(found: str, wanted: str, between: str) -> bool:
    return found == wanted or found.startswith(wanted + between)


def _is_go(found: str, wanted: str) -> bool:
    if _below(found, wanted, "/") or wanted in _GO_OWN:
        return found == wanted or wanted not in _GO_OWN
    names = found.split("/")
    if "." not in names[0]:
        return False
    sought = wanted.split("/")
    return any(names[n : n + len(sought)] == sought for n in range(1, len(names)))


def _is_dotted(found: str, wanted: str) -> bool:
    """Compares dotted names by whole parts; capitals count, except that a package may be said with one."""
    names, sought = found.split("."), wanted.split(".")
    if any(names[n : n + len(sought)] == sought for n in range(len(names))):
        return True
    return len(sought) == 1 and wanted.lower() in [name for name in names if name[:1].islower()]


def _joined(path: str, relative: str) -> str:
    at = path.split("/")[:-1]
    for part in relative.split("/"):
        if part == "..":
            at = at[:-1]
        elif part not in ("", "."):
            at.append(part)
    return "/".join(at)


def _named(sign: str) -> bool:
    return sign.isalnum() or sign in ("_", "$", ".")
