"""The life of the resident process: become the one, work, leave."""

from __future__ import annotations

import logging
import logging.handlers
import os
import time
from collections.abc import Callable

from asides import __version__
from asides.daemon import endpoint, marks
from asides.daemon.start import Declined, claim
from asides.model import clock
from asides.model.clock import stamp
from asides.model.errors import AsidesError
from asides.model.health import Heartbeat, Outcome
from asides.model.judgment import Writer
from asides.paths import Places, private_folder

log = logging.getLogger("asides.daemon")

LOG_BYTES = 1_000_000


def serve(
    where: Places,
    *,
    load: Callable[[], Writer] | None = None,
    version: str = __version__,
    budget: int = marks.START_BUDGET,
) -> int:
    """Becomes the daemon of these places, or leaves because another answers; returns an exit code.

    `load` gives the writer, the one that the settings name unless said otherwise. `budget` is how many starts
    within START_WINDOW seconds may end other than in order.
    """
    os.umask(0o077)
    private_folder(where.run)
    private_folder(where.logs)
    handler = logging.handlers.RotatingFileHandler(
        where.logs / "daemon.log", maxBytes=LOG_BYTES, backupCount=2, encoding="utf-8"
    )
    logging.basicConfig(
        handlers=[handler], level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s"
    )
    began = time.time()
    try:
        outcome = claim(where.run, version=version, now=began, budget=budget)
    except OSError as error:
        log.exception("could not become the daemon")
        marks.has_started(where.run)
        marks.refuse(where.run, str(error))
        return 1
    if isinstance(outcome, Declined):
        log.info("not started: %s", outcome.why)
        if outcome.refused:
            _record(where, outcome.why)
            marks.refuse(where.run, outcome.why)
        marks.has_started(where.run)
        return 0
    try:
        why = _work(where, load=load, version=version, told=outcome.told)
        log.info("left: %s", why)
        marks.forgive(where.run, began)
    except AsidesError as error:
        log.exception("could not go on")
        marks.refuse(where.run, error.sentence)
        return 1
    except Exception as error:  # nobody watches: the log, and the mark that holds hooks back, must have it
        log.exception("could not go on")
        marks.refuse(where.run, f"{type(error).__name__}: {error}")
        return 1
    finally:
        marks.has_started(where.run)
        outcome.lock.release()
    return 0


def _work(where: Places, *, load: Callable[[], Writer] | None, version: str, told: str) -> str:
    """Works until there is a reason to leave, and returns it."""
    # Here, because most starts leave at once, and these take most of what a start costs.
    from asides.daemon.app import App
    from asides.daemon.loop import Loop

    mark = marks.fresh(version=version, socket=where.socket)
    with endpoint.listen(where.socket) as server:
        # Before anything that takes time, so that hooks do not start others meanwhile.
        marks.write(where.run, mark)
        marks.has_started(where.run)
        try:
            app = App(where, clock=clock.now, mark=mark, load=load)
            try:
                app.began(told)
                marks.accept(where.run)
                log.info("version %s at work as process %s: %s", version, mark.pid, told)
                loop = Loop(app, server, idle_exit=app.settings.idle_exit)
                app.meanwhile = loop.answer_meanwhile
                why = loop.run()
                app.ended(why)
                return why
            finally:
                app.close()
        finally:
            marks.remove(where.run, mark)
            where.socket.unlink(missing_ok=True)


def _record(where: Places, why: str) -> None:
    """Leaves a row that says why no daemon started, where there is room for one."""
    from asides.intake.ledger import Ledger

    try:
        ledger = Ledger(where.ledger)
    except AsidesError:
        log.exception("the refusal could not be recorded")
        return
    try:
        beat = Heartbeat(what="daemon", at=stamp(clock.now()), outcome=Outcome.REFUSED, reason=why)
        ledger.beat(beat)
    finally:
        ledger.close()
