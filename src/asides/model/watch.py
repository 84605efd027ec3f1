"""What an entry is watched by: the moments at which it is due, what proves it done, what breaks it.

Compiled from an entry's words and anchor without a model. Globs are of paths from the checkout's root, with
slashes: `*` and `?` stay within one part, `**` stands for any number of parts, none included.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from asides.model.entry import EntryId

CUE_ENTRY_LIMIT = 3  # entries put before the agent at one moment
CUE_TEXT_LIMIT = 900  # characters of them, with the frame


class Deed(StrEnum):
    """Something that an agent does."""

    READ = "read"  # a file
    EDIT = "edit"  # a file that is there, or a new one
    CREATE = "create"  # a file that is not there yet
    DELETE = "delete"  # a file, by a command
    RUN = "run"  # a command


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """A moment: one of `deeds` on a file that a glob fits, or a command that begins with one of `commands`.

    A command is given by its first words without options, e.g. ("git", "push"); `git -C x push -f` begins
    with them.
    """

    deeds: tuple[Deed, ...]
    globs: tuple[str, ...] = ()
    commands: tuple[tuple[str, ...], ...] = ()
    said: str = ""  # the words of the entry that tell it, e.g. "after adding a migration"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What shows that a ritual was done: a file that a glob fits was changed, or a command was run."""

    globs: tuple[str, ...] = ()
    commands: tuple[tuple[str, ...], ...] = ()
    said: str = ""


class Form(StrEnum):
    """How what is to be avoided stands in an added line, outside of comments."""

    IMPORT = "import"  # a package or module that is imported, required, included
    CALL = "call"  # a name that is called: `print(`, `console.log(`
    RAISE = "raise"  # an exception or error that is raised, thrown, made
    WORD = "word"  # a name or dotted name, as a whole
    TEXT = "text"  # exactly these characters, wherever they stand


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """One thing that breaks an entry when it stands in an added line."""

    form: Form
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """An added line with one of `signs` breaks the entry, in files that `globs` fit and `outside` do not.

    No globs: any source file.
    """

    signs: tuple[Sign, ...]
    globs: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    instead: str = ""  # what the entry says to use in its place


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """All that one entry is watched by. `places`: globs of files at whose reading or editing it is due."""

    entry: EntryId
    places: tuple[str, ...] = ()
    triggers: tuple[Trigger, ...] = ()
    proof: Proof | None = None  # only where a trigger is there, and both can be seen with certainty
    check: Check | None = None

    @property
    def idle(self) -> bool:
        """Whether nothing can make this entry due."""
        return not (self.places or self.triggers or self.check)
