"""The daemon's one loop: take in, judge, answer, sleep until woken."""

from __future__ import annotations

import logging
import os
import selectors
import signal
import socket
import time
from types import FrameType
from typing import Protocol

from asides.daemon import endpoint
from asides.daemon.endpoint import Answer, Question
from asides.daemon.patience import Leaving

log = logging.getLogger("asides.daemon")

FIRST_PAUSE = 2.0  # seconds after a failed round; doubles up to LONGEST_PAUSE (hazard B-019)
LONGEST_PAUSE = 300.0
LONGEST_REST = 300.0  # seconds until it looks whether the folder that it serves is still there


class Work(Protocol):
    """What the loop drives."""

    def round(self) -> bool:
        """Does the next piece of work; returns whether there may be more at once."""
        ...

    def next_due(self) -> float | None:
        """Returns in how many seconds something comes due; None when nothing will."""
        ...

    def state(self) -> Answer:
        """Returns what a client is told."""
        ...

    def displaced(self) -> bool:
        """Returns whether the folder it serves is gone, or serves another by now."""
        ...

    def failed(self, error: Exception) -> None:
        """Records a round that broke."""
        ...


class Loop:
    """Runs work until told to stop, or until nothing happened for `idle_exit` seconds."""

    def __init__(self, work: Work, server: socket.socket, *, idle_exit: float) -> None:
        self._work = work
        self._server = server
        self._idle_exit = idle_exit
        self._why = ""
        self._selector = selectors.DefaultSelector()
        self._selector.register(server, selectors.EVENT_READ)

    def run(self) -> str:
        """Returns why it ended."""
        woken, waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._selector.register(woken, selectors.EVENT_READ)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        for number, act in (
            (signal.SIGURG, self._wake),
            (signal.SIGTERM, self._end),
            (signal.SIGINT, self._end),
        ):
            signal.signal(number, act)
        pause = FIRST_PAUSE
        resting_since = time.monotonic()
        while not self._why:
            if self._work.displaced():
                return "its own marks are gone"
            wait: float | None = 0.0
            try:
                busy = self._work.round()
                pause = FIRST_PAUSE
            except Exception as error:  # whatever broke is recorded; the next round may fare better
                log.exception("round failed")
                self._work.failed(error)
                busy, wait, pause = False, pause, min(2 * pause, LONGEST_PAUSE)
            else:
                if busy:
                    resting_since = time.monotonic()
                else:
                    wait = self._rest(resting_since)
                    if wait <= 0:
                        return f"nothing to do for {self._idle_exit:.0f} s"
            for key, _ in self._selector.select(wait):
                if key.fileobj is self._server:
                    endpoint.serve_one(self._server, self._respond)
                else:
                    os.read(woken, 4096)
                    resting_since = time.monotonic()
        return self._why

    def answer_meanwhile(self) -> None:
        """Answers who asks while a round takes long. Raises Leaving once there is a reason to end."""
        for key, _ in self._selector.select(0):
            if key.fileobj is self._server:
                endpoint.serve_one(self._server, self._respond)
        if self._why or self._work.displaced():
            raise Leaving(what="the daemon")

    def _rest(self, since: float) -> float:
        left = self._idle_exit - (time.monotonic() - since)
        due = self._work.next_due()
        return min(LONGEST_REST, left if due is None else max(0.05, due))

    def _respond(self, question: Question) -> Answer:
        if question.ask == "stop":
            self._why = "asked to stop"
        return self._work.state()

    def _wake(self, _number: int, _frame: FrameType | None) -> None:
        """Only wakes the selector, through the descriptor set for it."""

    def _end(self, number: int, _frame: FrameType | None) -> None:
        self._why = signal.Signals(number).name
