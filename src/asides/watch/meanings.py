"""What a name in a ban stands for: the signs by which it is seen in a line of code."""

from __future__ import annotations

import re
from dataclasses import dataclass

from asides.model.watch import Form, Sign
from asides.watch.ground import Ground
from asides.watch.names import (
    CONSTRUCTS,
    ENVIRONMENT,
    FILE_ENDINGS,
    NO_NAMES,
    NO_PACKAGES,
    PACKAGES,
    RIVALS,
    WORDS_TOO,
)

_OF_PACKAGES = re.compile(
    r"^(?:the )?(\S+) (?:library|lib|package|module|dependency|dep|gem|crate)$", re.IGNORECASE
)
_OF_CODE = re.compile(
    r"^(?:the )?(.+?) (?:statement|call|comment|hook|function|method|decorator|annotation)s?$", re.IGNORECASE
)
_RAISED = re.compile(r"^(?:raise|throw) (?:new |bare |plain |raw |generic )*(\S+)$", re.IGNORECASE)
_ERROR = re.compile(r"^(?:[A-Z]\w*(?:Error|Exception)|Error|Exception)$")
_PACKAGE = re.compile(r"^[A-Za-z0-9][\w.-]*$")
_SCOPED = re.compile(r"^@[\w.-]+/[\w./-]+$")
_HOSTED = re.compile(r"^[\w-]+\.[a-z]{2,}/[\w./-]+$")
_CALLED = re.compile(r"^(\.?[A-Za-z_][\w.]*)\(\)$")
_MACRO = re.compile(r"^([a-z_]\w*!)(?:\(\))?$")
_DECORATED = re.compile(r"^@[A-Za-z_][\w.]*$")
_DOTTED = re.compile(r"^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$")
_CAMEL = re.compile(r"^[a-z]+[a-z0-9]*[A-Z]\w*$")
_SNAKE = re.compile(r"^_?[a-z0-9]+(?:_[a-z0-9]+)+$")
_ENVIRONMENT = re.compile(r"^(?:env(?:ironment)?(?: var(?:iable)?s?)?|env ?vars?)$", re.IGNORECASE)
_BRINGING = (
    "import",
    "importing",
    "install",
    "installing",
    "require",
    "requiring",
    "depend on",
    "depending on",
)
_BRINGING_TOO = ("pull in", "pulling in", "bring in", "bringing in", "include", "including", "import from")
_FRAMEWORKS = ("react", "vue", "angular", "svelte", "ember")  # "don't import react": not all that is in it
_ROOTS = ("java", "javax", "com", "org", "net", "io", "System", "Microsoft", "kotlin", "scala")
_PROPERTIES = ("env", "environ", "Now", "Today", "exports", "argv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """The signs of a thing, and the files in which they mean it. No globs: any source file."""

    signs: tuple[Sign, ...]
    globs: tuple[str, ...] = ()
    module: str = ""  # the path of ours that it is, if it is one


def meaning(thing: str, ground: Ground, *, verb: str, bare: bool, beside: str) -> Meaning | None:
    """Returns what a thing is; None where it could be something else.

    Args:
        thing: its words, with the quotes around them.
        ground: the checkout.
        verb: what is not to be done with it, if that is said.
        bare: whether it is said of it that it is bare or plain.
        beside: the other thing, in "use that, not this".
    """
    quoted = thing[:1] in "`\"'" and thing[-1:] == thing[:1] and len(thing) > 2
    name = thing[1:-1].strip() if quoted else thing.rstrip(".,;:!") if not thing.endswith("!()") else thing
    if thing.endswith("!") and _MACRO.match(thing) and ground.speaks("rust"):
        name = thing
    if not name or len(name) > 60:
        return None
    return (
        _raised(name, verb=verb, bare=bare)
        or (_construct(f"bare {name}", ground) if bare else None)
        or _construct(name, ground)
        or _ours(name, ground, verb=verb)
        or _package(name, ground, quoted=quoted, verb=verb, beside=beside)
        or _code(name, ground, quoted=quoted, verb=verb)
    )


def environment(thing: str, ground: Ground) -> Meaning | None:
    """Returns how environment variables are read in the checkout, if it is they that are meant."""
    if not _ENVIRONMENT.match(thing.strip("`\"'")):
        return None
    languages = [language for language in ENVIRONMENT if ground.speaks(language)]
    signs = tuple(sign for language in languages for sign in ENVIRONMENT[language])
    globs = tuple(glob for language in languages for glob in ground.spoken(language))
    return Meaning(signs=signs, globs=globs) if signs else None


def is_package(name: str) -> bool:
    """Returns whether a word is known as the name of a package."""
    return _bare(name) in PACKAGES or _bare(name) in WORDS_TOO


def _raised(name: str, *, verb: str, bare: bool) -> Meaning | None:
    match = _RAISED.match(name)
    name, raising = (
        (match[1], True) if match else (name.removeprefix("new "), verb.startswith(("rais", "throw")))
    )
    plural = name[:-1] if name.endswith(("Errors", "Exceptions")) else name
    if (raising or bare) and _ERROR.match(plural):
        return Meaning(signs=(Sign(form=Form.RAISE, text=plural),))
    return None


def _construct(name: str, ground: Ground) -> Meaning | None:
    said = name.lower()
    of_code = _OF_CODE.match(said)
    forms = [
        said,
        said.removesuffix("()"),
        said.removesuffix("s"),
        *([of_code[1]] if of_code and not of_code[1].isalpha() else []),
    ]
    if said.endswith(("ts", "ns", "es")):
        forms.append(said[:-1])
    if said == "var" and any(ground.speaks(other) for other in ("sharp", "java", "swift")):
        return None  # a keyword there, too
    for form in forms:
        known = [one for one in CONSTRUCTS.get(form, ()) if not one.language or ground.speaks(one.language)]
        if known:
            signs = tuple(dict.fromkeys(sign for one in known for sign in one.signs))
            globs = tuple(
                dict.fromkeys(glob for one in known if one.language for glob in ground.spoken(one.language))
            )
            return Meaning(signs=signs, globs=globs)
        if form in CONSTRUCTS:
            return None
    return None


def _ours(name: str, ground: Ground, *, verb: str) -> Meaning | None:
    """Returns the import of a folder or file of the checkout itself."""
    if not verb.startswith("import") or "/" not in name:
        return None
    path = ground.path(name)
    if not path or not ground.speaks("script"):
        return None
    stem = path if path in ground.folders else path.rpartition(".")[0]
    return Meaning(signs=(Sign(form=Form.IMPORT, text=stem),), module=path)


def _package(name: str, ground: Ground, *, quoted: bool, verb: str, beside: str) -> Meaning | None:
    called = _OF_PACKAGES.match(name)
    name = (called[1] if called else name).strip("`\"'<>")
    if name.lower().startswith("import "):
        name, quoted, verb = name[7:].strip(), True, "import"
    known = _bare(name)
    if _SCOPED.match(name) or _HOSTED.match(name):
        return _import(name)
    if name.lower().removesuffix("js").rstrip(".") in NO_NAMES and known not in PACKAGES:
        return None
    if known in PACKAGES:
        return _import(name if known == name.lower() else known)
    if not _PACKAGE.match(name) or known in NO_PACKAGES:
        return None
    named = bool(called) or quoted or _bare(beside) in RIVALS.get(known, ())
    if known in WORDS_TOO:
        return _import(known) if named or (verb in _BRINGING and known not in _FRAMEWORKS) else None
    if name.lower() != name or "." in name or name in ground.names:
        return None
    if quoted and not _SNAKE.match(name) and len(name) > 2:
        return _import(name)
    return _import(name) if called and len(name) > 2 else None


def _code(name: str, ground: Ground, *, quoted: bool, verb: str) -> Meaning | None:
    if name.lower() in NO_NAMES or name in ground.names:
        return None
    called, macro = _CALLED.match(name), _MACRO.match(name)
    if called:
        return _sign(Form.CALL, called[1]) if len(called[1]) > 2 else None
    if macro:
        return _sign(Form.CALL, macro[1]) if ground.speaks("rust") else None
    if _DECORATED.match(name):
        return (
            _sign(Form.TEXT, name)
            if quoted or any(ground.speaks(one) for one in ("java", "script", "python"))
            else None
        )
    if verb not in (
        "",
        "use",
        "using",
        "call",
        "calling",
        "add",
        "adding",
        "leave",
        "leaving",
        "write",
        "import",
        "read",
        "touch",
        "access",
    ):
        return None
    if verb in ("touch", "read", "access") and not _DOTTED.match(name):
        return None
    if _DOTTED.match(name):
        return _dotted(name)
    if _CAMEL.match(name) or _SNAKE.match(name):
        return _sign(Form.WORD, name)
    return None


def _dotted(name: str) -> Meaning | None:
    parts = name.split(".")
    if parts[-1].lower() in FILE_ENDINGS or parts[-1] in ("com", "dev", "org", "net"):
        return None
    if parts[0] in _ROOTS and (len(parts) > 2 and parts[-1][:1].isupper() and parts[0] != "System"):
        return _sign(Form.IMPORT, name)
    if parts[-1] in _PROPERTIES:
        return _sign(Form.WORD, name)
    return _sign(Form.CALL, name)


def _bare(name: str) -> str:
    name = name.strip("`\"'").lower()
    if name in PACKAGES or name in WORDS_TOO:
        return name
    return name.removesuffix(".js") if name.endswith(".js") else name


def _import(name: str) -> Meaning:
    return Meaning(signs=(Sign(form=Form.IMPORT, text=name),))


def _sign(form: Form, text: str) -> Meaning:
    return Meaning(signs=(Sign(form=form, text=text),))
