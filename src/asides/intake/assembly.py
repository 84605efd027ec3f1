"""From transcript lines to turns: a person's message, the reply to it, the files changed in between.

A turn is closed by the next message, the end of the session, or the sweep; it is then owed a judgment.
Lines are recognised by their uuid, so a fork, a resumed or a re-read session makes no turn twice.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import msgspec

from asides.intake.branches import Branches
from asides.intake.ledger import Ledger, Session
from asides.intake.scripts import SESSIONS, fingerprint
from asides.model.clock import Clock, stamp
from asides.model.event import Answered, Line, Linked, Said
from asides.model.judgment import Reason
from asides.model.turn import MESSAGE_LIMIT, REPLY_LIMIT, TurnId, Via

Redact = Callable[[str], str]

LAST_WORDS = 2_000  # characters of the agent's last message that help to understand the next one
HEAD = 2_000  # characters of a long reply kept from its beginning; the rest from its end


class Assembly:
    """Takes the lines of one session in order. The caller holds the transaction and saves the session."""

    def __init__(
        self, ledger: Ledger, session: Session, branches: Branches, *, redact: Redact, clock: Clock
    ) -> None:
        self._ledger = ledger
        self._session = session
        self._branches = branches
        self._redact = redact
        self._clock = clock
        self.scripted: list[TurnId] = []  # turns that turned out to be a script's

    def take(self, line: Line) -> None:
        """Takes one line; a line that was taken before changes nothing."""
        read_before = line.uuid in self._branches
        self._branches.add(line)
        if read_before and not isinstance(line, Said):
            return
        match line:
            case Said():
                self._said(line)
            case Answered():
                self._answered(line)
            case Linked():
                return

    def close(self, following: str = "") -> None:
        """Closes the turn that is open, if one is: owed a judgment, or skipped when it was left behind."""
        session = self._session
        if session.open_turn is None:
            return
        kept = self._ledger.turn(session.open_turn)
        session.open_turn = None
        if kept is None or kept.state != "open":
            return
        left_behind = self._branches.left_behind(kept.turn.id)
        prompt_id = kept.prompt_id
        files: dict[str, None] = {}
        for (names,) in self._ledger.rows("files_of_prompt", session=session.id, prompt_id=prompt_id):
            files.update(dict.fromkeys(msgspec.json.decode(str(names), type=list[str])))
        last = self._ledger.one("last_reply", session=session.id, prompt_id=prompt_id)
        self._ledger.run(
            "close_turn",
            id=kept.turn.id,
            state="skipped" if left_behind else "owed",
            reason=Reason.ABANDONED if left_behind else "",
            following=following[:LAST_WORDS],
            files=msgspec.json.encode(list(files)).decode(),
            reply=str(last[0]) if last else "",
            at=stamp(self._clock()),
        )

    def close_all(self) -> None:
        """Closes the turn that is open, and any that a rewritten transcript left behind unfinished."""
        self.close()
        for (turn,) in self._ledger.rows("open_turns", session=self._session.id):
            self._session.open_turn = TurnId(str(turn))
            self.close()

    def _said(self, line: Said) -> None:
        session, ledger = self._session, self._ledger
        known = ledger.one("has_turn", line.uuid)
        if known is None and line.prompt_id is not None:
            known = ledger.one("payload_turn", session=session.id, prompt_id=line.prompt_id)
        if known is not None:
            # A copied or re-read line. Only our own unfinished turn goes on.
            mine = known == (session.id, "open")
            session.open_turn = TurnId(line.uuid) if mine else None
            return
        message = bounded(self._redact(line.text))
        self.close(message)
        if session.project is None:
            return  # outside any project nothing is kept
        if line.prompt_id is not None:
            session.prompt_id = line.prompt_id
        ledger.run(
            "put_turn",
            id=line.uuid,
            session=session.id,
            agent=session.agent,
            project=session.project,
            via=line.via,
            said_at=self._moment(line.at),
            message=message,
            previous=session.last_words,
            prompt_id=session.prompt_id,
            cwd=line.cwd or session.cwd,
        )
        session.open_turn = TurnId(line.uuid)
        if line.via is Via.SDK:
            self._watch_for_script(line, message)

    def _moment(self, told: str) -> str:
        """Returns the moment that a line tells, in the form that sorts as text; now where it tells none."""
        try:
            moment = datetime.fromisoformat(told)
        except ValueError:
            moment = self._clock()
        return stamp(moment if moment.tzinfo else moment.replace(tzinfo=UTC))

    def _watch_for_script(self, line: Said, message: str) -> None:
        session, ledger = self._session, self._ledger
        digest = fingerprint(message)
        if digest is None or session.project is None:
            return
        ledger.run(
            "put_fingerprint", project=session.project, digest=digest, session=session.id, turn=line.uuid
        )
        same = ledger.rows("same_prompt", project=session.project, digest=digest)
        if len(same) < SESSIONS:
            return
        for _, turn in same:
            kept = ledger.turn(TurnId(str(turn)))
            if kept is None or kept.state == "skipped":
                continue
            self.scripted.append(kept.turn.id)
            if kept.state in ("open", "owed"):
                ledger.run("set_state", id=kept.turn.id, state="skipped", reason=Reason.SCRIPT)
        session.open_turn = None

    def _answered(self, line: Answered) -> None:
        session, ledger = self._session, self._ledger
        words = self._redact(line.text)
        session.last_words = words[-LAST_WORDS:]
        if session.open_turn is None:
            return
        kept = ledger.turn(session.open_turn)
        if kept is None or kept.state != "open":
            return
        reply = f"{kept.turn.reply}\n\n{words}" if kept.turn.reply else words
        if len(reply) > REPLY_LIMIT:
            reply = reply[:HEAD] + "\n…\n" + reply[-(REPLY_LIMIT - HEAD - 3) :]
        ledger.run("set_reply", id=session.open_turn, reply=reply)


def bounded(text: str) -> str:
    """Returns a message whole, or the head and tail of one above MESSAGE_LIMIT, saying what is missing."""
    if len(text) <= MESSAGE_LIMIT:
        return text
    tail = MESSAGE_LIMIT // 4
    head = MESSAGE_LIMIT - tail
    return f"{text[:head]}\n[… {len(text) - head - tail} characters left out …]\n{text[-tail:]}"


def later(clock: Clock, seconds: float) -> str:
    """Returns the moment so many seconds from now."""
    return stamp(clock() + timedelta(seconds=seconds))
