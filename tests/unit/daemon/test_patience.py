"""A slow writer is waited for while the daemon answers, and left alone when the daemon has to leave."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from asides.daemon import endpoint, marks
from asides.daemon.endpoint import Answer
from asides.daemon.loop import Loop
from asides.daemon.patience import Leaving, Patient
from asides.model.anchor import General
from asides.model.entry import Framing, Kind
from asides.model.errors import WriterUnavailable
from asides.writers.further import further
from asides.writers.scripted import Scripted

RULE = "never touch generated files"
MESSAGE = f"ok, and {RULE}!"


class Slow(Scripted):
    """Answers only once it is released, and notes on which thread it works."""

    def __init__(self, released: threading.Event, *, breaks: Exception | None = None) -> None:
        super().__init__({RULE: (Kind.LAW, Framing.PASSING, 0.9)}, identity="slow-1")
        self.released = released
        self.breaks = breaks
        self.thread = 0
        self.began = threading.Event()

    def salience(self, message, previous):
        self.thread = threading.get_ident()
        self.began.set()
        assert self.released.wait(60)
        if self.breaks:
            raise self.breaks
        return super().salience(message, previous)


def test_what_the_writer_says_comes_back_and_others_are_answered_until_then():
    released = threading.Event()
    slow = Slow(released)
    looked = []

    def meanwhile():
        looked.append(threading.get_ident())
        if len(looked) == 3:
            released.set()

    patient = Patient(lambda told: slow, meanwhile=meanwhile, told=lambda reason: None)
    (found,) = patient.salience(MESSAGE, "")
    assert MESSAGE[found.start : found.end] == RULE
    assert len(looked) >= 3
    assert set(looked) == {threading.get_ident()} != {slow.thread}
    assert (patient.identity, patient.floor, patient.live_threshold) == ("slow-1", 0.3, 0.7)


def test_what_the_writer_raises_is_raised_where_somebody_waits():
    released = threading.Event()
    released.set()
    patient = Patient(
        lambda told: Slow(released, breaks=ZeroDivisionError("broken")),
        meanwhile=lambda: None,
        told=lambda reason: None,
    )
    with pytest.raises(ZeroDivisionError, match="broken"):
        patient.salience(MESSAGE, "")


def test_a_writer_that_cannot_be_loaded_is_one_that_cannot_be_loaded():
    def load(told):
        raise WriterUnavailable(name="llama", why="gone")

    with pytest.raises(WriterUnavailable, match="gone"):
        Patient(load, meanwhile=lambda: None, told=lambda reason: None)


def test_when_the_daemon_has_to_leave_the_answer_is_not_waited_for():
    released = threading.Event()
    slow = Slow(released)

    def meanwhile():
        if slow.began.is_set():
            raise Leaving(what="the daemon")

    patient = Patient(lambda told: slow, meanwhile=meanwhile, told=lambda reason: None)
    try:
        with pytest.raises(Leaving):
            patient.salience(MESSAGE, "")
    finally:
        released.set()


def test_what_is_told_of_an_answer_is_told_on_the_thread_that_keeps_the_record():
    heard = []

    class Telling(Scripted):
        def __init__(self, told):
            super().__init__({})
            self.told = told

        def salience(self, message, previous):
            self.told("form 1")
            raise ZeroDivisionError("after it was told")

    patient = Patient(
        Telling, meanwhile=lambda: None, told=lambda reason: heard.append((reason, threading.get_ident()))
    )
    with pytest.raises(ZeroDivisionError):
        patient.salience(MESSAGE, "")
    assert heard == [("form 1", threading.get_ident())]


def test_further_questions_are_waited_for_in_the_same_way():
    told, answered = [], []

    class Knowing(Scripted):
        def __init__(self, told):
            super().__init__({})
            self.told = told
            self.further = self

        def places(self, drafts, offered):
            answered.append(threading.get_ident())
            self.told("form 1")
            return tuple(offered)

        def relation(self, draft, standing):
            raise ZeroDivisionError("broken")

    patient = Patient(Knowing, meanwhile=lambda: None, told=told.append)
    asked = further(patient)
    assert asked is not None
    assert asked.places([], [General()]) == (General(),)
    assert told == ["form 1"]
    assert answered != [threading.get_ident()]
    with pytest.raises(ZeroDivisionError, match="broken"):
        asked.relation(None, [])


def test_a_writer_without_further_answers_has_none_here_either():
    released = threading.Event()
    assert further(Patient(lambda told: Slow(released), meanwhile=int, told=lambda reason: None)) is None


# with the loop


class Waiting:
    """Work whose one round asks a slow writer."""

    def __init__(self, run: Path, released: threading.Event) -> None:
        mark = marks.read(run)
        assert mark is not None
        self.nonce = mark.nonce
        self.slow = Slow(released)
        self.loop: Loop | None = None
        self.ended: list[str] = []

    def round(self) -> bool:
        assert self.loop is not None
        patient = Patient(
            lambda told: self.slow, meanwhile=self.loop.answer_meanwhile, told=lambda reason: None
        )
        try:
            patient.salience(MESSAGE, "")
            self.ended.append("judged")
        except Leaving:
            self.ended.append("left")
        return True

    def next_due(self) -> float | None:
        return None

    def state(self) -> Answer:
        return Answer(nonce=self.nonce, version="1.0.0", pid=os.getpid())

    def failed(self, error: Exception) -> None:
        raise error

    def displaced(self) -> bool:
        return False


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    marks.write(folder, marks.fresh(version="1.0.0", socket=folder / "socket"))
    return folder


@pytest.fixture
def _signals():
    numbers = (signal.SIGURG, signal.SIGTERM, signal.SIGINT)
    before = [signal.getsignal(number) for number in numbers]
    yield
    signal.set_wakeup_fd(-1)
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.usefixtures("_signals")
@pytest.mark.parametrize("end", ["asked to stop", "SIGTERM"])
def test_in_the_middle_of_a_judgment_the_daemon_answers_and_leaves_when_told(run: Path, end: str):
    released = threading.Event()
    work = Waiting(run, released)
    answers: list[Answer] = []

    def others():
        assert work.slow.began.wait(60)
        answers.append(endpoint.ask(run, "hello", patience=60))
        if end == "SIGTERM":
            os.kill(os.getpid(), signal.SIGTERM)
        else:
            answers.append(endpoint.ask(run, "stop", patience=60))

    asking = threading.Thread(target=others)
    with endpoint.listen(run / "socket") as server:
        work.loop = Loop(work, server, idle_exit=3600)
        asking.start()
        try:
            assert work.loop.run() == end
        finally:
            released.set()
            asking.join(60)
    assert work.ended == ["left"], "the judgment was never finished"
    assert answers[0].nonce == work.nonce
