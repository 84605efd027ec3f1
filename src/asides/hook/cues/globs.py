"""Whether a glob fits a path from the checkout's root, both with slashes."""


def fits(glob: str, path: str) -> bool:
    """Returns whether a glob covers a whole path.

    `*` and `?` stay within one part; a part `**` stands for any number of parts, none included. Takes time
    linear in the path for each `**`, whatever the glob.
    """
    wanted, parts = _parts(glob), _parts(path)
    at, star, held, n = 0, -1, 0, 0
    while n < len(parts):
        if at < len(wanted) and wanted[at] == "**":
            star, held = at, n
            at += 1
        elif at < len(wanted) and covers(wanted[at], parts[n]):
            at, n = at + 1, n + 1
        elif star >= 0:
            held += 1
            at, n = star + 1, held
        else:
            return False
    return all(part == "**" for part in wanted[at:])


def any_fits(globs: "list[str] | tuple[str, ...]", path: str) -> bool:
    """Returns whether one of several globs covers a path."""
    return any(fits(glob, path) for glob in globs)


def covers(pattern: str, text: str) -> bool:
    """Returns whether `*` and `?` of a pattern cover a whole text."""
    at, star, held, n = 0, -1, 0, 0
    while n < len(text):
        if at < len(pattern) and pattern[at] == "*":
            star, held = at, n
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", text[n]):
            at, n = at + 1, n + 1
        elif star >= 0:
            held += 1
            at, n = star + 1, held
        else:
            return False
    return pattern[at:].strip("*") == ""


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")]
