"""The life of the resident process: become the one, work, leave."""

from __future__ import annotations

import logging
import logging.handlers
import sys
import time
from collections.abc import Callable

from asides import __version__
from asides.daemon import endpoint, marks
from asides.daemon.app import App, bundled
from asides.daemon.loop import Loop
from asides.daemon.start import Declined, claim
from asides.intake.ledger import Ledger
from asides.model import clock
from asides.model.clock import stamp
from asides.model.errors import AsidesError
from asides.model.health import Heartbeat, Outcome
from asides.model.judgment import Writer
from asides.paths import Places, private_folder

LOG_BYTES = 1_000_000


def serve(
    where: Places,
    *,
    load: Callable[[], Writer] = bundled,
    version: str = __version__,
    budget: int = marks.START_BUDGET,
) -> int:
    """Becomes the daemon of these places, or leaves because another answers; returns an exit code.

    `budget` is how many starts within START_WINDOW seconds may end other than in order.
    """
    private_folder(where.state)
    private_folder(where.logs)
    handler = logging.handlers.RotatingFileHandler(
        where.logs / "daemon.log", maxBytes=LOG_BYTES, backupCount=2, encoding="utf-8"
    )
    logging.basicConfig(
        handlers=[handler], level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s"
    )
    log = logging.getLogger("asides.daemon")
    began = time.time()
    outcome = claim(where.run, version=version, now=began, budget=budget)
    if isinstance(outcome, Declined):
        log.info("not started: %s", outcome.why)
        if outcome.refused:
            _record(where, outcome.why)
        return 0
    try:
        mark = marks.fresh(version=version, socket=where.socket)
        with endpoint.listen(where.socket) as server:
            app = App(where, clock=clock.now, mark=mark, load=load)
            app.began(outcome.told)
            marks.write(where.run, mark)
            log.info("version %s at work as process %s: %s", version, mark.pid, outcome.told)
            try:
                why = Loop(app, server, idle_exit=app.settings.idle_exit).run()
                app.ended(why)
                log.info("left: %s", why)
                marks.forgive(where.run, began)
            finally:
                marks.remove(where.run, mark)
                where.socket.unlink(missing_ok=True)
                app.close()
    except (AsidesError, OSError) as error:
        log.exception("could not go on")
        print(f"asides daemon: {error}", file=sys.stderr)
        return 1
    finally:
        outcome.lock.release()
    return 0


def _record(where: Places, why: str) -> None:
    """Leaves a row that says why no daemon started, where there is room for one."""
    try:
        ledger = Ledger(where.ledger)
    except AsidesError:
        logging.getLogger("asides.daemon").exception("the refusal could not be recorded")
        return
    try:
        beat = Heartbeat(what="daemon", at=stamp(clock.now()), outcome=Outcome.REFUSED, reason=why)
        ledger.beat(beat)
    finally:
        ledger.close()
