"""Measures the resident process with the bundled writer; prints a table for docs/measurements.md.

    python bench/daemon.py [--turns 50] [--sessions 50] [--backlog 500]

Everything runs in a temporary home, through real hooks. Linux only: it reads /proc.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from asides.daemon import endpoint, process
from asides.daemon.waking import Waking
from asides.intake.ledger import Ledger
from asides.judge.judge import judge
from asides.model import clock
from asides.model.judgment import Packet
from asides.model.turn import ProjectId, SessionId, Turn, TurnId, Via
from asides.paths import Places, places
from asides.writers.loading import bundled
from tests.support.scripted_daemon import until
from tests.support.stage import Session, make_project

IDLE = 10.0  # seconds watched
TICK = os.sysconf("SC_CLK_TCK")

# What people write to coding agents: mostly work, now and then an aside.
SAID = (
    "Add a retry to the upload in storage.py, three attempts with a growing pause, and log each failure.",
    "The checkout test fails on CI but not here: expected 200, got 403. Look at the session cookie first.",
    "Rename fetch_rows to load_rows everywhere. Also fyi, we are moving off requests, httpx only from now.",
    "Why does total() return None for an empty list? I would have thought it gives 0.",
    "ok looks good, go on with the second part of the plan and run the tests afterwards",
    "Split settings.py: reading the file goes to one module, checking the values to another. Keep the names "
    "as they are, the deploy scripts import them. And whenever you add a setting, put it into settings.md.",
    "no, not like that. Prices are always integer cents in this code base, never floats. Undo the change.",
    "The page is slow with 2,000 rows. Measure first where the time goes, then tell me what you would do "
    "before you change anything. I suspect the template, but I may be wrong; last time it was the query.",
    "It breaks when the worker calls it:\n\n"
    "Traceback (most recent call last):\n"
    '  File "/srv/shop/worker.py", line 112, in run\n    rows = load_rows(day, shops=shops)\n'
    '  File "/srv/shop/storage.py", line 58, in load_rows\n    return [parse(row) for row in cursor]\n'
    '  File "/srv/shop/storage.py", line 58, in <listcomp>\n    return [parse(row) for row in cursor]\n'
    '  File "/srv/shop/parse.py", line 21, in parse\n    return Row(int(cents), shop, day)\n'
    "ValueError: invalid literal for int() with base 10: '12.50'\n\n"
    "heads up, this bit us before: the old shops still send amounts with a point. Never trust their numbers.",
    "Here is what I want for the refund page. A customer opens it from the order, sees each item with its "
    "price, ticks what goes back and says why; the reason is free text, at most 500 characters. When more "
    "than 30 days have passed since the delivery the button is grey and a line below says until when it was "
    "possible. Part of an item cannot go back. The sum is shown below and changes as they tick. On submit "
    "the page shows the number of the refund and how long it will take, and a mail goes out with the same. "
    "Shops that refund by hand see a list of open refunds instead, oldest first, with a search by number. "
    "Start with the page for the customer, behind the flag, and leave the shops' list for tomorrow. Use the "
    "form helpers that we have; please don't write new ones.",
    "Write a short description of the new endpoint for the README, two paragraphs, no marketing.",
    "thanks! commit it",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table."""

    what: str
    value: str
    over: str


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=50)
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--backlog", type=int, default=500)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="asides-bench-") as folder:
        root = Path(folder).resolve()
        os.environ["HOME"] = str(root)  # nothing of this person's own is looked at
        where = places(str(root / "home"))
        Waking(where).place_hook()
        try:
            rows = measure(where, make_project(root / "shop"), asked)
        finally:
            Waking(where).stop()
    print("| what | measured | over |\n|---|---|---|")
    for row in rows:
        print(f"| {row.what} | {row.value} | {row.over} |")


def measure(where: Places, project: Path, asked: argparse.Namespace) -> list[Row]:
    """Returns everything that is measured, in the order of the table."""
    rows = []
    first = Session(where, project)
    cost = played(where, [first], asked.turns)
    rows.append(row_of_memory(where, 1, asked.turns))
    rows.append(
        Row(
            what="CPU of the daemon for one turn, from the hooks' files to the entry",
            value=f"{1000 * cost / asked.turns:.1f} ms",
            over=f"{asked.turns} turns, {2 * asked.turns} hook runs; loading the writer not counted",
        )
    )
    rows.append(idle(where))
    others = [Session(where, project) for _ in range(asked.sessions - 1)]
    played(where, others, 2 * len(others))
    rows.append(row_of_memory(where, asked.sessions, asked.turns + 2 * len(others)))
    rows.extend(judging(asked.turns))
    rows.append(backlog(where, project, asked.backlog))
    return rows


def played(where: Places, sessions: list[Session], turns: int) -> float:
    """Plays so many turns over the sessions, waits until all are judged; returns the daemon's CPU seconds."""
    for session in sessions:
        session.hook("SessionStart", source="startup")
        session.turn("Good morning.")
    settled(where, sessions[0])
    before = cpu(pid_of(where))
    for number in range(turns):
        sessions[number % len(sessions)].turn(SAID[number % len(SAID)], "Done, see above.")
    for session in sessions:
        session.end()
    settled(where, sessions[0])
    return cpu(pid_of(where)) - before


def row_of_memory(where: Places, sessions: int, turns: int) -> Row:
    """Returns what the daemon holds and the most it ever held."""
    text = Path(f"/proc/{pid_of(where)}/status").read_text()
    held, most = (
        int(next(line for line in text.splitlines() if line.startswith(name)).split()[1]) / 1024
        for name in ("VmRSS", "VmHWM")
    )
    return Row(
        what=f"Memory of the daemon, {sessions} session{'s' if sessions > 1 else ''}",
        value=f"{held:.0f} MB, at most {most:.0f} MB",
        over=f"{turns} turns judged before",
    )


def idle(where: Places) -> Row:
    """Returns the CPU that an idle daemon takes."""
    pid = pid_of(where)
    before = cpu(pid)
    time.sleep(IDLE)
    return Row(what="CPU of an idle daemon", value=f"{cpu(pid) - before:.2f} s", over=f"{IDLE:.0f} s")


def judging(turns: int) -> list[Row]:
    """Returns what one judgment costs by itself: one inference and all checks, nothing stored."""
    began = time.process_time()
    writer = bundled()
    loading = time.process_time() - began
    writer.salience(SAID[0], "")
    costs = []
    for number in range(turns):
        turn = Turn(
            id=TurnId(str(number)),
            session=SessionId("bench"),
            project=ProjectId("bench"),
            agent="claude-code",
            via=Via.TYPED,
            said_at="",
            message=SAID[number % len(SAID)],
            previous="Done, see above.",
        )
        packet = Packet(turn=turn, standing=(), refused=(), delivered=(), tracked=frozenset())
        began = time.process_time()
        judge(packet, writer=writer, now=clock.now)
        costs.append(1000 * (time.process_time() - began))
    costs.sort()
    return [
        Row(what="CPU to load the writer", value=f"{1000 * loading:.0f} ms", over="once"),
        Row(
            what="CPU of one judgment alone",
            value=f"{sum(costs) / turns:.1f} ms, median {costs[turns // 2]:.1f}, most {costs[-1]:.1f}",
            over=f"{turns} turns of {min(map(len, SAID))} to {max(map(len, SAID))} characters, "
            f"{writer.identity}",
        ),
    ]


def backlog(where: Places, project: Path, turns: int) -> Row:
    """Returns how fast turns are taken in and judged that hooks left while no daemon could be started."""
    Waking(where).stop()
    interpreters = where.state / "hook" / "interpreters"
    kept = interpreters.read_text()
    interpreters.write_text("")
    session = Session(where, project)
    for number in range(turns):
        session.turn(SAID[number % len(SAID)], "Done, see above.")
    session.end()
    interpreters.write_text(kept)
    began = time.monotonic()
    Waking(where).daemon()
    settled(where, session)
    took = time.monotonic() - began
    return Row(
        what="Turns taken in and judged from a backlog",
        value=f"{turns / took:.1f} a second",
        over=f"{turns} turns, {session.runs} hook runs, {took:.1f} s with the start",
    )


def settled(where: Places, session: Session) -> None:
    """Waits until nothing is left to take in, read on or judge."""

    def at_rest() -> bool:
        found = endpoint.answering(where.run)
        return found is not None and not (found[1].spooled or found[1].owed or found[1].pending)

    until(at_rest, within=600, what=f"session {session.id} is not judged")
    ledger = Ledger(where.ledger)
    try:
        states = {str(state): int(str(count)) for state, count in ledger.rows("count_states")}
    finally:
        ledger.close()
    if states.get("parked"):
        raise SystemExit(f"{states['parked']} turns could not be judged; the figures would be wrong")


def pid_of(where: Places) -> int:
    """Returns the daemon's process number."""
    return endpoint.ask(where.run, "hello").pid


def cpu(pid: int) -> float:
    """Returns the CPU seconds that a process has taken."""
    if not process.is_running(pid):
        raise SystemExit("the daemon has left")
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


if __name__ == "__main__":
    main()
