"""The checkout as the words of an entry see it: its languages, and the paths that a name can mean."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from asides.watch.names import LANGUAGES
from asides.watch.places import inside, literal


@dataclass(frozen=True, kw_only=True)
class Ground:
    """The files of a checkout, from its root, with slashes."""

    tracked: frozenset[str]

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files that can be meant, sorted: none outside the root, none of git's own."""
        return tuple(sorted(path for path in self.tracked if inside(path)))

    @cached_property
    def names(self) -> frozenset[str]:
        """The last parts of all paths."""
        return frozenset(path.rpartition("/")[2] for path in self.files)

    @cached_property
    def folders(self) -> frozenset[str]:
        """All folders with a file somewhere in them."""
        found: set[str] = set()
        for path in self.files:
            folder = path.rpartition("/")[0]
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return frozenset(found)

    @cached_property
    def endings(self) -> frozenset[str]:
        """The endings of file names, in lower case."""
        return frozenset(name.rpartition(".")[2].lower() for name in self.names if "." in name)

    def speaks(self, language: str) -> bool:
        """Returns whether there are files in a language of `LANGUAGES`."""
        return bool(self.endings.intersection(LANGUAGES[language]))

    def spoken(self, language: str) -> tuple[str, ...]:
        """Returns globs of the files in a language."""
        return tuple(f"**/*.{ending}" for ending in LANGUAGES[language])

    def path(self, said: str) -> str:
        """Returns the one file or folder that a path or file name means; empty if none or several."""
        said = said.strip("`'\"").removeprefix("./").rstrip("/")
        said = said.removesuffix("/**").removesuffix("/*")
        if not said or not inside(said):
            return ""
        if said in self.tracked or said in self.folders:
            return said
        if "/" not in said and "." not in said:
            return ""
        found = [path for path in self.files if path.endswith(f"/{said}")]
        found += [folder for folder in self.folders if folder.endswith(f"/{said}")]
        return found[0] if len(found) == 1 else ""

    def glob(self, path: str) -> str:
        """Returns the glob of a file, or of all that is in a folder."""
        return f"{literal(path)}/**" if path in self.folders else literal(path)


@lru_cache(maxsize=4)
def ground(tracked: frozenset[str]) -> Ground:
    """Returns the checkout with these files; made once for all the entries that are compiled in it."""
    return Ground(tracked=tracked)
