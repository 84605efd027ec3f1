"""The commands that words mean in a checkout."""

from __future__ import annotations

import re

from asides.watch.ground import Ground

Command = tuple[str, ...]


def _these(names: str) -> frozenset[str]:
    return frozenset(names.split())


_PROGRAMS = _these(
    """
    make just task npm pnpm yarn bun npx cargo go terraform tofu docker docker-compose podman kubectl
    helm alembic prisma poetry uv bundle rails rake git gh ruff eslint prettier mypy pytest vitest jest
    flake8 black isort pre-commit gradle mvn dotnet mix flyctl fly vercel serverless ansible-playbook
    buf protoc sqlc tox nox invoke
    """
)
_HARDLY_A_WORD = _these("npm pnpm npx yarn terraform kubectl docker-compose alembic eslint ruff pytest mypy")
_INTERPRETERS = ("python", "python3", "node", "bash", "sh", "ruby")
_WORD = re.compile(r"^[\w@./:+-]+$")
_NODE = ("npm", "yarn", "pnpm")
_LOCKS = {"npm": "package-lock.json", "yarn": "yarn.lock", "pnpm": "pnpm-lock.yaml"}


def command(said: str, ground: Ground) -> Command | None:
    """Returns the first words, without options, of a command line; None if it is hardly one."""
    said = said.strip()
    quoted = said[:1] in "`\"'" and said[-1:] == said[:1] and len(said) > 2
    words = [word for word in said.strip("`\"'").split() if not word.startswith("-")]
    if not words or not all(_WORD.match(word) for word in words) or any(".." in word for word in words):
        return None
    if words[0] in _INTERPRETERS and len(words) > 1 and ("/" in words[1] or "." in words[1]):
        words = words[1:]
    if words[0] in _PROGRAMS:
        known = len(words) > 1 or words[0] in _HARDLY_A_WORD or quoted
        return tuple(words[:4]) if known else None
    script = ground.path(words[0])
    if (
        script
        and script not in ground.folders
        and script.rpartition(".")[2] in ("sh", "py", "js", "ts", "rb", "mjs", "bash")
    ):
        return (script,)
    if quoted and len(words) <= 4 and ("/" in words[0] or len(words) > 1):
        return tuple(words)
    return None


def of_tests(ground: Ground) -> tuple[Command, ...]:
    """Returns the commands that run the tests of a checkout."""
    found: list[Command] = []
    if "package.json" in ground.names:
        found += [(one, *words) for one in _NODE for words in (("test",), ("run", "test"))]
        found = [one for one in found if one != ("yarn", "run", "test")]
    if ground.names & {"pyproject.toml", "pytest.ini", "setup.py", "conftest.py", "tox.ini"}:
        found.append(("pytest",))
    if "go.mod" in ground.names:
        found.append(("go", "test"))
    if "Cargo.toml" in ground.names:
        found.append(("cargo", "test"))
    if "Gemfile" in ground.names and "spec" in ground.folders:
        found.append(("rspec",))
    return tuple(found)


def of_linter(ground: Ground) -> tuple[Command, ...]:
    """Returns the commands that run the linter of a checkout, where one is set up."""
    found: list[Command] = []
    if any(name.startswith((".eslintrc", "eslint.config.")) for name in ground.names):
        found += [("eslint",), *_scripts("lint")]
    if ground.names & {"ruff.toml", ".ruff.toml"}:
        found.append(("ruff",))
    if any(name.startswith(".golangci.") for name in ground.names):
        found.append(("golangci-lint",))
    if ".rubocop.yml" in ground.names:
        found.append(("rubocop",))
    return tuple(found)


def of_formatter(ground: Ground) -> tuple[Command, ...]:
    """Returns the commands that lay out the code of a checkout, where that is set up."""
    if any(name.startswith((".prettierrc", "prettier.config.")) for name in ground.names):
        return (("prettier",), *_scripts("format"))
    if ground.names & {"ruff.toml", ".ruff.toml"}:
        return (("ruff", "format"),)
    return ()


def of_publishing(ground: Ground, *, release: bool) -> tuple[Command, ...]:
    """Returns the commands that publish what a checkout makes."""
    found: list[Command] = []
    if "package.json" in ground.names:
        found += [(one, "publish") for one in _NODE]
    if "Cargo.toml" in ground.names:
        found.append(("cargo", "publish"))
    if ground.names & {"pyproject.toml", "setup.py"}:
        found.append(("twine", "upload"))
    if release and found:
        found.append(("gh", "release", "create"))
    return (*found, *of_script("release" if release else "publish", ground))


def of_deploying(ground: Ground) -> tuple[Command, ...]:
    """Returns the commands that deploy what a checkout makes, where it tells them."""
    found = list(of_script("deploy", ground))
    for name, one in (
        ("fly.toml", ("fly", "deploy")),
        ("vercel.json", ("vercel",)),
        ("serverless.yml", ("serverless", "deploy")),
    ):
        if name in ground.names:
            found.append(one)
    return tuple(found)


def of_script(words: str, ground: Ground) -> tuple[Command, ...]:
    """Returns the one script whose name is made of these words, in any order."""
    sought = sorted(re.findall(r"[a-z0-9]+", words.lower()))
    scripts = [path for path in ground.files if path.endswith((".sh", ".py", ".js", ".ts", ".rb", ".mjs"))]
    found = [
        path
        for path in scripts
        if sorted(re.findall(r"[a-z0-9]+", path.rpartition("/")[2].rpartition(".")[0].lower())) == sought
    ]
    return ((found[0],),) if len(found) == 1 and sought else ()


def _scripts(name: str) -> tuple[Command, ...]:
    return (("npm", "run", name), ("yarn", name), ("pnpm", name), ("pnpm", "run", name))
