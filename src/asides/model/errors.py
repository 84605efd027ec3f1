"""Errors: a sentence, a hint and an exit code, raised where they are known.

AsidesError
├── Refused          1  the request is understood and will not be done
│   ├── NotPlainJson     a settings file that cannot be edited safely
│   └── Ambiguous        an entry id that fits more than one entry
├── NotFound         3  what was named does not exist
├── Unavailable      4  a part that is needed does not answer now
│   ├── DaemonNotRunning
│   ├── NoDaemonCanWork
│   └── WriterUnavailable
└── Broken           5  something of ours, or a file we read, is damaged
    ├── BrokenPayload
    └── BrokenStore

Never exit code 2: some agents take it for an order to block.
"""

from __future__ import annotations


class AsidesError(Exception):
    """The root of every error that a person may see.

    A subclass's docstring is its sentence, a format string over the keyword
    arguments it is raised with; `hint` says what to do next.
    """

    exit_code = 1
    hint = ""

    def __init__(self, **facts: object) -> None:
        sentence = (type(self).__doc__ or type(self).__name__).strip().splitlines()[0]
        self.facts = facts
        self.sentence = sentence.format(**facts)
        self.advice = self.hint.format(**facts)
        super().__init__(self.sentence)


class Refused(AsidesError):
    """{what}"""

    exit_code = 1


class NotPlainJson(Refused):
    """{path} is not plain JSON: {why}. Nothing was changed."""

    hint = "Remove comments and trailing commas from {path}, then run the command again."


class Ambiguous(Refused):
    """{entry} fits {count} entries: {candidates}."""

    hint = "Give more characters of the id."


class NotFound(AsidesError):
    """{what} was not found."""

    exit_code = 3


class NoSuchEntry(NotFound):
    """No entry {entry} in this project."""

    hint = "See the ids with `asides list --all`."


class NoProject(NotFound):
    """{path} is not inside a project: {why}."""

    hint = "Run the command inside a repository, or name one with `--project PATH`."


class Unavailable(AsidesError):
    """{what} is not available."""

    exit_code = 4


class DaemonNotRunning(Unavailable):
    """No daemon answers at {socket}."""

    hint = "Start it with `asides daemon start`. Until then turns wait in the spool; nothing is lost."


class NoDaemonCanWork(Unavailable):
    """No daemon can work: {why}."""

    hint = "Mend that, then run `asides daemon start`. Until then turns wait in the spool; nothing is lost."


class WriterUnavailable(Unavailable):
    """The writer {name} could not be loaded: {why}."""

    hint = "Turns stay queued and are judged once it loads. See `asides status`."


class Broken(AsidesError):
    """{what} is damaged: {why}."""

    exit_code = 5


class BrokenPayload(Broken):
    """A hook payload could not be read: {why}."""


class BrokenStore(Broken):
    """The store {path} is damaged: {why}."""

    hint = "Nothing was written to it. Keep the file and see `asides paths`."
