"""Which language a file is in, and what of its lines is code, text and comment."""

PYTHON, SCRIPT, GO, RUST, JVM, SHARP, RUBY, PHP, NATIVE = (
    *("python", "script", "go", "rust", "jvm", "sharp", "ruby", "php", "native"),
)
SWIFT, DART, LUA, ELIXIR, SHELL, SQL, STYLE, MARKUP = (
    *("swift", "dart", "lua", "elixir", "shell", "sql", "style", "markup"),
)
PLAIN = "plain"  # no source file; looked at only where a check names it

_ENDINGS = {
    PYTHON: "py pyi pyx",
    SCRIPT: "js jsx mjs cjs ts tsx mts cts vue svelte astro",
    GO: "go",
    RUST: "rs",
    JVM: "java kt kts scala sc groovy gradle",
    SHARP: "cs",
    RUBY: "rb rake gemspec",
    PHP: "php",
    NATIVE: "c h cc cpp cxx hpp hh hxx m mm cu",
    SWIFT: "swift",
    DART: "dart",
    LUA: "lua",
    ELIXIR: "ex exs",
    SHELL: "sh bash zsh",
    SQL: "sql",
    STYLE: "css scss sass less",
    MARKUP: "html htm erb ejs hbs",
}
_LANGUAGE = {ending: language for language, endings in _ENDINGS.items() for ending in endings.split()}
_NAMES = {"Gemfile": RUBY, "Rakefile": RUBY}
_OTHERS = ("node_modules", "vendor", "third_party", ".git")  # folders of what others wrote

_HASH = (PYTHON, RUBY, SHELL, ELIXIR, PLAIN)
_SLASHES = (SCRIPT, GO, RUST, JVM, SHARP, PHP, NATIVE, SWIFT, DART)
_DASHES = (SQL, LUA)
_BLOCKS = (*_SLASHES, STYLE, SQL)


def language(path: str) -> str:
    """Returns the language of a file by its name; empty for what is no source file."""
    *folders, name = path.split("/")
    if any(folder in _OTHERS for folder in folders) or name.endswith(".min.js"):
        return ""
    return _NAMES.get(name) or _LANGUAGE.get(name.rpartition(".")[2].lower() if "." in name else "", "")


def mixes_text(path: str) -> bool:
    """Returns whether prose stands between the code in such a file."""
    return path.endswith(
        (".jsx", ".tsx", ".vue", ".svelte", ".astro", ".html", ".htm", ".erb", ".ejs", ".hbs")
    )


class Parts:
    """One line in three versions of the same length, with blanks for what is left out.

    `code`: without comments and without what stands in strings. `text`: without comments. `comment`: only
    that.
    """

    __slots__ = ("code", "comment", "text")

    def __init__(self, code: str, text: str, comment: str) -> None:
        self.code = code
        self.text = text
        self.comment = comment


def parts(lines: list[str], kind: str) -> list[Parts]:
    """Returns the parts of lines that were added, which need not be one piece.

    Where the middle of a comment or a long string stands alone, it is taken for what it most looks like.
    """
    quoted = _in_long_strings(lines) if kind == PYTHON else [False] * len(lines)
    found: list[Parts] = []
    block, last = False, 0  # inside /* */, and the first line since the last one ended
    for n, line in enumerate(lines):
        blank = " " * len(line)
        if quoted[n]:
            found.append(Parts(blank, line, blank))
            continue
        one, block_after = _split(line, kind, block)
        if not block and kind in _BLOCKS and "*/" in one.code:
            for m in range(last, n):  # it began before what was added
                found[m] = Parts(" " * len(lines[m]), " " * len(lines[m]), lines[m])
            at = one.code.index("*/") + 2
            one = Parts(" " * at + one.code[at:], " " * at + one.text[at:], line[:at] + one.comment[at:])
            last = n + 1
        elif block and not block_after:
            last = n + 1
        block = block_after
        found.append(one)
    return found


def _split(line: str, kind: str, block: bool) -> "tuple[Parts, bool]":
    code, text, comment = [" "] * len(line), [" "] * len(line), [" "] * len(line)
    bare = line.lstrip()
    star = kind in _BLOCKS and (bare.startswith("* ") or bare == "*")
    n, end = 0, len(line)
    quote, holes = "", 0  # the string that we are in; the braces of a hole in it
    formatted = False
    while n < end:
        sign = line[n]
        if block or star:
            close = -1 if star and not block else line.find("*/", n)
            stop = close + 2 if close >= 0 else end
            comment[n:stop] = line[n:stop]
            block, star = block and close < 0, False
            n = stop
            continue
        if quote and not holes:
            text[n] = sign
            if sign == "\\" and n + 1 < end:
                text[n + 1] = line[n + 1]
                n += 2
                continue
            if sign == quote:
                code[n] = sign
                quote = ""
            elif quote == "`" and kind == SCRIPT and line.startswith("${", n):
                text[n + 1] = "{"
                holes, n = 1, n + 2
                continue
            elif formatted and sign == "{":
                holes = 1
            n += 1
            continue
        if holes:
            holes += (sign == "{") - (sign == "}")
            text[n] = sign
            if holes:
                code[n] = sign
            n += 1
            continue
        if _comments_from(line, n, kind):
            comment[n:] = line[n:]
            break
        if kind in _BLOCKS and line.startswith("/*", n):
            block = True
            continue
        if line.startswith("<!--", n):
            close = line.find("-->", n)
            stop = close + 3 if close >= 0 else end
            comment[n:stop] = line[n:stop]
            n = stop
            continue
        code[n] = text[n] = sign
        if _opens(line, n, kind):
            quote = sign
            formatted = kind == PYTHON and n > 0 and "f" in line[max(0, n - 2) : n].lower()
        n += 1
    return Parts("".join(code), "".join(text), "".join(comment)), block


def _comments_from(line: str, n: int, kind: str) -> bool:
    sign = line[n]
    if sign == "#":
        if kind == PHP:
            return not line.startswith("#[", n)
        return kind in _HASH and (n == 0 or line[n - 1] in " \t;" or kind in (PYTHON, ELIXIR))
    if sign == "/":
        if not line.startswith("//", n):
            return False
        return kind in _SLASHES or (kind in (STYLE, PLAIN) and not line[:n].strip())
    return sign == "-" and line.startswith("--", n) and kind in _DASHES


def _opens(line: str, n: int, kind: str) -> bool:
    sign = line[n]
    if sign == "`":
        return kind in (SCRIPT, GO)
    if sign == '"':
        return True
    if sign != "'":
        return False
    if kind in (RUST, NATIVE, JVM, GO, SWIFT, SHARP):  # a character, or the mark of a lifetime
        return line[n + 2 : n + 3] == "'" or line[n + 1 : n + 2] == "\\"
    before = line[n - 1] if n else " "
    return not before.isalnum() or kind == PYTHON  # a letter before: an apostrophe in prose


def _in_long_strings(lines: list[str]) -> list[bool]:
    """Tells which lines of Python lie inside a string in triple quotes, their first and last lines too."""
    inside, open_since, free_since = [False] * len(lines), -1, 0
    for n, line in enumerate(lines):
        count = line.count('"""') + line.count("'''")
        if open_since >= 0:
            inside[n] = True
        if count % 2 == 0:
            if count and open_since < 0 and line.lstrip(" \trRbBuUfF").startswith(('"""', "'''")):
                inside[n] = True
            continue
        bare = line.strip()
        if open_since >= 0:
            open_since, free_since = -1, n + 1
        elif (
            bare.endswith(('"""', "'''")) and len(bare) > 3 and bare[:-3].rstrip()[-1:] not in "=(,[{rRfFbBuU"
        ):
            for m in range(free_since, n + 1):  # it began before what was added
                inside[m] = True
            free_since = n + 1
        else:
            open_since = n
            inside[n] = bare.startswith(('"""', "'''"))
    return inside
