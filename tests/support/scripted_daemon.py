"""Real daemon processes with a scripted writer, started by real hooks.

As a program: `scripted_daemon.py OPTIONS.json` becomes the daemon of the home named there;
`scripted_daemon.py OPTIONS.json warm` becomes a nursery, which forks a daemon whenever a hook asks for
one and ends each with SIGKILL at a random instant (a fork costs milliseconds where a start costs half a
second, so hundreds of kills are affordable).
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import asides
from asides.daemon import endpoint, process
from asides.daemon.endpoint import Answer
from asides.daemon.service import serve
from asides.hook.place import place
from asides.model.entry import Framing, Kind
from asides.model.errors import WriterUnavailable
from asides.model.judgment import Proposal, Writer
from asides.paths import Places, places
from asides.writers.scripted import Scripted

Found = TypeVar("Found")
UNBOUNDED = 1_000_000  # starts
SOURCE = Path(asides.__file__).parent.parent  # what is tested is what the daemons run


@dataclass(kw_only=True)
class Options:
    """What a scripted daemon is told. All of it can stand in JSON."""

    home: str
    phrases: list[str] = field(default_factory=list)  # kept as live laws
    doubtful: list[str] = field(default_factory=list)  # kept as proposed laws
    poison: str = ""  # a message that holds this breaks the writer
    lacking: str = ""  # a path: while it is there, the writer cannot be loaded
    version: str = "0.1.0"
    budget: int = UNBOUNDED
    chosen: bool = False  # it takes the writer that its settings name, and not a scripted one
    judging: float = 0.0  # seconds that each inference takes
    kills: int = 0  # of a nursery
    longest: float = 0.15  # seconds a daemon lives at most in a nursery


class Poisonable:
    """A scripted writer that breaks at one word, and may take its time."""

    def __init__(self, options: Options) -> None:
        law = (Kind.LAW, Framing.EXPLICIT, 0.9)
        doubt = (Kind.LAW, Framing.EXPLICIT, 0.5)
        self._scripted = Scripted(
            {**dict.fromkeys(options.phrases, law), **dict.fromkeys(options.doubtful, doubt)}
        )
        self._options = options

    @property
    def identity(self) -> str:
        return self._scripted.identity

    @property
    def live_threshold(self) -> float:
        return self._scripted.live_threshold

    @property
    def floor(self) -> float:
        return self._scripted.floor

    def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:
        if self._options.poison and self._options.poison in message:
            raise ZeroDivisionError("a poisoned turn")
        if self._options.judging:
            time.sleep(self._options.judging)
        return self._scripted.salience(message, previous)


def writer(options: Options) -> Callable[[], Writer]:
    """Returns what loads the scripted writer."""

    def load() -> Writer:
        if options.lacking and Path(options.lacking).exists():
            raise WriterUnavailable(what="the writer", name="scripted-1", why="it is told to be away")
        return Poisonable(options)

    return load


@dataclass(frozen=True, kw_only=True)
class Cast:
    """A home whose hooks start scripted daemons."""

    where: Places
    python: Path  # what the hooks call
    options: Options
    options_file: Path

    def direct(self, **changed: Any) -> None:
        """Tells the daemons that start from now on something else."""
        for name, value in changed.items():
            setattr(self.options, name, value)
        self.options_file.write_text(json.dumps(asdict(self.options)))

    def start(self) -> subprocess.Popen[bytes]:
        """Starts a daemon as the hook does, without waiting for it."""
        return subprocess.Popen(
            [str(self.python), "-I", "-m", "asides.daemon"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={"PATH": os.environ["PATH"], "ASIDES_HOME": self.options.home, "HOME": self.options.home},
        )

    def answer(self, *, within: float = 30.0) -> Answer:
        """Waits until a daemon answers."""
        _, answer = until(lambda: endpoint.answering(self.where.run), within=within, what="no daemon answers")
        return answer

    def settle(self, *, within: float = 60.0) -> Answer:
        """Waits until a daemon answers that has nothing left to take in, read on or judge."""

        def settled() -> Answer | None:
            found = endpoint.answering(self.where.run)
            if found is None or found[1].error:
                return None
            answer = found[1]
            return None if answer.spooled or answer.owed or answer.pending else answer

        return until(settled, within=within, what="the daemon does not come to rest")

    def log(self) -> str:
        """Returns what the daemons wrote down, for the message of a test that fails."""
        return (self.where.logs / "daemon.log").read_text("utf-8", "replace")

    def leave(self) -> None:
        """Ends the daemon, if there is one, and waits until it is gone."""
        found = endpoint.answering(self.where.run)
        if found is not None:
            process.stop(found[0].pid, found[0].start, patience=10)


def cast(home: Path, *, warm: bool = False, **told: Any) -> Cast:
    """Puts a real hook into `home` that starts scripted daemons; `warm`: asks a nursery for them."""
    home.mkdir(parents=True, exist_ok=True)
    where = places(str(home))
    options_file, python = home / "options.json", home / "daemon python"
    options = Options(home=str(home), **told)
    command = f"PYTHONPATH='{SOURCE}' exec '{sys.executable}' '{Path(__file__)}' '{options_file}'"
    if warm:
        os.mkfifo(home / "asked")
        command = f"echo start > '{home}/asked'"
    python.write_text(f"#!/bin/sh\n{command}\n")
    python.chmod(0o700)
    place(
        where.state,
        plain_python=getattr(sys, "_base_executable", sys.executable),
        daemon_python=str(python),
    )
    made = Cast(where=where, python=python, options=options, options_file=options_file)
    made.direct()
    return made


@contextlib.contextmanager
def nursery(made: Cast) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a nursery; `kills` of the daemons it forks are killed, the one after them is left alone."""
    child = subprocess.Popen(
        [sys.executable, __file__, str(made.options_file), "warm"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # a daemon that outlives a test must not hold the test's output open
        stderr=subprocess.DEVNULL,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(SOURCE),
            "ASIDES_HOME": made.options.home,
            "HOME": made.options.home,
        },
    )
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        for left in processes_of(Path(made.options.home)):
            os.kill(left, signal.SIGKILL)


def until(look: Callable[[], Found | None], *, within: float, what: str) -> Found:
    """Returns what `look` returns once it is anything; `within` seconds only end a test that hangs."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"after {within:.0f} s: {what}")


def processes_of(home: Path) -> list[int]:
    """Returns the processes that serve or were started for a home, by their environment."""
    return sorted(_mentioning(f"ASIDES_HOME={home}".encode()))


def _mentioning(needle: bytes) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            found = needle in (entry / "environ").read_bytes().split(b"\0")
            alive = (entry / "stat").read_text().rpartition(") ")[2][:1] != "Z"
        except OSError:  # it left meanwhile, or is not ours
            continue
        if found and alive:
            yield int(entry.name)


def become(options: Options) -> int:
    """Becomes a daemon with a scripted writer."""
    # A real writer brings this runtime along; here only sentence vectors would, in the midst of a test.
    importlib.import_module("asides.writers.meaning")
    # To a scripted daemon, what starts scripted daemons is the interpreter that has asides installed.
    sys.executable = str(Path(options.home) / "daemon python")
    load = None if options.chosen else writer(options)
    return serve(places(options.home), load=load, version=options.version, budget=options.budget)


def raise_daemons(options: Options) -> None:
    """Forks a daemon whenever one is asked for and none is there; kills as many as it is told."""
    home = Path(options.home)
    chance = random.Random(20_26)
    killed = 0
    # Also held open for writing, so that it never reads as ended.
    asked = os.open(home / "asked", os.O_RDWR)
    while os.read(asked, 4096):
        child = os.fork()
        if child == 0:
            os.setsid()
            os.close(asked)
            os._exit(become(options))
        if killed >= options.kills:
            (home / "spared").write_text(f"{killed}\n")
            os.waitpid(child, 0)
            continue
        time.sleep(chance.uniform(0, options.longest))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        killed += os.WIFSIGNALED(status)


if __name__ == "__main__":
    told = Options(**json.loads(Path(sys.argv[1]).read_text()))
    if sys.argv[2:] == ["warm"]:
        raise_daemons(told)
    else:
        sys.exit(become(told))
