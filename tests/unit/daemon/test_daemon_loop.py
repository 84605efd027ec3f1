"""The loop: sleeps until woken, answers in between, survives what breaks, says why it ends."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from asides.daemon import endpoint, marks
from asides.daemon import loop as looping
from asides.daemon.endpoint import Answer
from asides.daemon.loop import Loop


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    marks.write(folder, marks.fresh(version="1.0.0", socket=folder / "socket"))
    return folder


@pytest.fixture
def server(run: Path) -> Iterator[socket.socket]:
    with endpoint.listen(run / "socket") as made:
        yield made


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """Puts back what the loop sets for its process."""
    numbers = (signal.SIGURG, signal.SIGTERM, signal.SIGINT)
    before = [signal.getsignal(number) for number in numbers]
    yield
    signal.set_wakeup_fd(-1)
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


class Played:
    """Work that follows a script; each step is what one round does."""

    def __init__(self, run: Path, *steps: Callable[[], bool], due: float | None = None) -> None:
        mark = marks.read(run)
        assert mark is not None
        self._nonce = mark.nonce
        self._steps = list(steps)
        self._due = due
        self.rounds = 0
        self.failures: list[str] = []
        self.gone = False

    def round(self) -> bool:
        self.rounds += 1
        return self._steps.pop(0)() if self._steps else False

    def next_due(self) -> float | None:
        return self._due if self._steps else None

    def state(self) -> Answer:
        return Answer(nonce=self._nonce, version="1.0.0", pid=os.getpid(), owed=self.rounds)

    def failed(self, error: Exception) -> None:
        self.failures.append(str(error))

    def displaced(self) -> bool:
        return self.gone


def busy() -> bool:
    return True


def idle() -> bool:
    return False


def told(number: int) -> Callable[[], bool]:
    def step() -> bool:
        os.kill(os.getpid(), number)
        return False

    return step


def breaks() -> bool:
    raise ZeroDivisionError("broken")


def test_it_works_while_there_is_work_and_leaves_when_there_was_none_for_long_enough(
    run: Path, server: socket.socket
):
    work = Played(run, busy, busy, busy)
    assert Loop(work, server, idle_exit=0.2).run() == "nothing to do for 0 s"
    assert work.rounds >= 4


def test_what_comes_due_is_waited_for_also_beyond_the_idle_time(run: Path, server: socket.socket):
    work = Played(run, idle, idle, idle, due=0.1)
    Loop(work, server, idle_exit=0.01).run()
    assert work.rounds == 3, "it left while something was still to come"


def test_a_signal_from_a_hook_wakes_it(run: Path, server: socket.socket):
    # Without the wake it would sleep for an hour, and the test's own time would run out.
    work = Played(run, idle, told(signal.SIGURG), told(signal.SIGTERM))
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGURG))
    timer.start()
    assert Loop(work, server, idle_exit=3600).run() == "SIGTERM"
    timer.join()
    assert work.rounds == 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_end_ends_it_behind_the_round_at_hand(
    run: Path, server: socket.socket, number: signal.Signals
):
    work = Played(run, busy, told(number), busy)
    assert Loop(work, server, idle_exit=3600).run() == number.name
    assert work.rounds == 2


def test_it_answers_while_it_works_and_ends_when_asked(run: Path, server: socket.socket):
    answers: list[Answer] = []

    def ask() -> None:
        answers.append(endpoint.ask(run, "hello"))
        answers.append(endpoint.ask(run, "stop"))

    asking = threading.Thread(target=ask)
    work = Played(run)
    work.round = lambda: True  # type: ignore[method-assign]
    asking.start()
    assert Loop(work, server, idle_exit=3600).run() == "asked to stop"
    asking.join(10)
    assert len(answers) == 2


def test_a_round_that_breaks_is_recorded_and_the_next_pause_is_longer(
    run: Path, server: socket.socket, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(looping, "FIRST_PAUSE", 0.02)
    monkeypatch.setattr(looping, "LONGEST_PAUSE", 0.1)
    waits: list[float] = []
    work = Played(run, *[breaks] * 5, busy, breaks, told(signal.SIGTERM))
    loop = Loop(work, server, idle_exit=3600)
    select = loop._selector.select

    def noting(timeout: float | None = None) -> list[tuple[object, int]]:
        waits.append(timeout or 0.0)
        return select(timeout)  # type: ignore[return-value]

    monkeypatch.setattr(loop._selector, "select", noting)
    assert loop.run() == "SIGTERM"
    assert work.failures == ["broken"] * 6
    assert waits[:7] == pytest.approx([0.02, 0.04, 0.08, 0.1, 0.1, 0.0, 0.02])


def test_it_leaves_when_its_folder_is_gone_or_a_successor_took_it(run: Path, server: socket.socket):
    work = Played(run, busy)

    def goes() -> bool:
        work.gone = True
        return True

    work._steps.append(goes)
    assert Loop(work, server, idle_exit=3600).run() == "its own marks are gone"
    assert work.rounds == 2
