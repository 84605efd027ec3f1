"""The files that a noun means in a checkout: a migration, the API, the schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from asides.watch.ground import Ground
from asides.watch.places import inside

_GLOBS = 4  # of one noun; where more folders fit, none of them is meant for certain
_MANIFESTS = (
    *("package.json", "pyproject.toml", "requirements.txt", "go.mod", "Cargo.toml", "Gemfile", "pom.xml"),
    *("build.gradle", "build.gradle.kts", "composer.json", "mix.exs", "pubspec.yaml"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noun:
    """Where the files of a noun lie. `within`: one is often added to a file that is there already."""

    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    within: bool = False
    stem: str = ""  # any file with this name before its ending


_ENDPOINT = Noun(
    folders=("routes", "endpoints", "routers", "controllers"), files=("routes.rb", "urls.py"), within=True
)
NOUNS: Mapping[str, Noun] = MappingProxyType(
    {
        "migration": Noun(folders=("migrations", "migrate")),
        "endpoint": _ENDPOINT,
        "api endpoint": _ENDPOINT,
        "route": Noun(folders=("routes", "routers"), files=("routes.rb", "urls.py"), within=True),
        "handler": Noun(folders=("handlers",), within=True),
        "controller": Noun(folders=("controllers",), within=True),
        "api": Noun(folders=("api",), within=True),
        "schema": Noun(folders=("schema", "schemas"), stem="schema", within=True),
        "db schema": Noun(folders=("schema", "schemas"), stem="schema", within=True),
        "database schema": Noun(folders=("schema", "schemas"), stem="schema", within=True),
        "component": Noun(folders=("components",)),
        "test": Noun(folders=("tests", "test", "__tests__", "spec"), within=True),
        "doc": Noun(folders=("docs",), within=True),
        "model": Noun(folders=("models",), files=("models.py",)),
        "translation": Noun(folders=("i18n", "locales", "locale", "translations"), within=True),
        "env var": Noun(files=(".env.example", ".env.sample", ".env.template"), within=True),
        "environment variable": Noun(files=(".env.example", ".env.sample", ".env.template"), within=True),
        "dependency": Noun(files=_MANIFESTS, within=True),
        "hook": Noun(folders=("hooks",)),
        "page": Noun(folders=("pages",)),
        "fixture": Noun(folders=("fixtures",), within=True),
        "seed": Noun(folders=("seeds",), within=True),
        "style": Noun(folders=("styles",), within=True),
        "serializer": Noun(folders=("serializers",)),
        "service": Noun(folders=("services",)),
        "resolver": Noun(folders=("resolvers",), within=True),
        "template": Noun(folders=("templates",)),
        "view": Noun(folders=("views",), within=True),
        "store": Noun(folders=("stores",)),
        "reducer": Noun(folders=("reducers",)),
        "middleware": Noun(folders=("middleware", "middlewares")),
        "plugin": Noun(folders=("plugins",)),
        "job": Noun(folders=("jobs",)),
        "worker": Noun(folders=("workers",)),
    }
)
_SINGULAR = {
    "dependencies": "dependency",
    "apis": "api",
    "schemas": "schema",
    "env vars": "env var",
    "package": "dependency",
}
_BEFORE = re.compile(
    r"^(?:(?:a|an|the|any|new|another|our|some|of|one|more|single|db|database|existing) )+", re.I
)
_UNDER = re.compile(
    (
        r"^(?:anything|something|stuff|things|files?|code|any file|any code|the code|a file)"
        r" (?:in|under|inside|within|below) (\S+)$"
    ),
    re.I,
)
_ENDING = re.compile(r"^(?:\*\*/)?\*?\.([a-z0-9]{1,8})(?: files?)?$", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """The files that are meant. `made`: each is a new file; otherwise they are mostly changed."""

    globs: tuple[str, ...]
    made: bool


def files(said: str, ground: Ground) -> Files | None:
    """Returns the files that a noun or a path means; None where none or too many fit."""
    said = said.strip().strip("`\"'").strip()
    under = _UNDER.match(said)
    said = under[1].strip("`\"'") if under else said
    name = _BEFORE.sub("", said).strip()
    ending = _ENDING.match(name)
    if ending:
        return (
            Files(globs=(f"**/*.{ending[1].lower()}",), made=False)
            if ending[1].lower() in ground.endings
            else None
        )
    named = re.sub(r"(?i) (?:file|folder|directory)s?$", "", name)
    if "/" in named or "." in named:
        return _path(named.strip("`\"'"), ground)
    low = name.lower()
    noun = NOUNS.get(_SINGULAR.get(low, low)) or NOUNS.get(low.removesuffix("s"))
    return _of(noun, ground) if noun and not under else None


def _path(said: str, ground: Ground) -> Files | None:
    path = ground.path(said)
    if path:
        return Files(globs=(ground.glob(path),), made=path in ground.folders)
    said = said.removeprefix("./")
    if "*" in said and inside(said) and re.match(r"^[\w@./*-]+$", said):
        head = said.partition("*")[0].rpartition("/")[0]
        if (not head or head in ground.folders) and said.strip("*/."):
            return Files(globs=(said,), made=False) if _any_fits(said, ground) else None
    return None


def _any_fits(glob: str, ground: Ground) -> bool:
    parts = [
        re.escape(part).replace(r"\*\*/", "(?:.*/)?").replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
        for part in [glob]
    ]
    pattern = re.compile(parts[0])
    return any(pattern.fullmatch(path) for path in ground.files)


def _of(noun: Noun, ground: Ground) -> Files | None:
    folders = [folder for folder in sorted(ground.folders) if folder.rpartition("/")[2] in noun.folders]
    folders = [one for one in folders if not any(one.startswith(f"{other}/") for other in folders)]
    globs = [ground.glob(folder) for folder in folders]
    for path in ground.files:
        name = path.rpartition("/")[2]
        if name in noun.files or (
            noun.stem and name.rpartition(".")[0] == noun.stem and not path.endswith((".md", ".txt"))
        ):
            globs.append(ground.glob(path))
    return Files(globs=tuple(globs), made=not noun.within) if 0 < len(globs) <= _GLOBS else None
