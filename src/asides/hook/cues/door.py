"""The door of the cues: an event and a project's table in, what is to be noted and perhaps an answer out."""

import posix

from ..guard.paths import base, exists, join
from ..guard.scan import environment, parsed, read, text_of
from .account import Account, digest, is_name
from .checkout import Checkout
from .globs import any_fits

TYPE_CHECKING = False  # the name alone tells type checkers; `typing` costs more than a look
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .added import Line
    from .commands import Run

ENTRIES = 3  # CUE_ENTRY_LIMIT of src/asides/model/watch.py
CHARACTERS = 900  # CUE_TEXT_LIMIT there
_TABLE = 8 * 1024 * 1024  # bytes of a table; one of a thousand entries has a tenth of it
_CAUSES = {"PreToolUse": "cues.causes", "PostToolUse": "cues.after"}
_ANYTHING = '"tool_name"'  # ANYTHING of src/asides/deliver/cues.py: every entry has it for a cause
_FIRINGS = 20  # lines noted of one change
_TEXT = 200  # characters of a line as noted
_PATH = 1_000  # characters of a path as noted
_FILES = {
    "Read": "file_path",
    "Edit": "file_path",
    "MultiEdit": "file_path",
    "Write": "file_path",
    "NotebookEdit": "notebook_path",
}


def main(
    state: str, payload_file: str, guard_file: str, folder: str, event: str, key: str, attended: str
) -> None:
    """Prints what the guard says where it is asked, as its own door does (`reading` for a file that is read).

    Unless it answered, then prints `#cues`, what belongs into the trailer, perhaps the answer, and `done`,
    each on a line. Never raises: cues that fail are not given, and that is said as `cue_why NAME`.
    """
    lines: list[str] = []
    try:
        raw = text_of(payload_file)
        payload = parsed(raw)
        if guard_file:
            lines = _guarded(payload, guard_file)
        if len(lines) < 2:
            event = event[:1].upper() + event[1:]
            table = _table(folder, event, raw.lower())
            moment = Moment(state, payload, base(payload_file).removesuffix(".tmp"), table, key)
            told = moment.answer(event, attended=attended == "1")
            lines += ["#cues", *told, "done"]
    except Exception as error:  # the hook writes it down
        lines += ["#cues", f"cue_why {type(error).__name__}", "done"]
    posix.write(1, ("\n".join(lines) + "\n").encode("utf-8", "replace"))


def _guarded(payload: "dict[str, Any]", guard_file: str) -> list[str]:
    """Returns the guard's lines; it fails for itself alone."""
    if payload.get("tool_name") == "Read":
        return ["reading"]
    try:
        from ..guard.door import judge

        return judge(payload, read(guard_file), environment())
    except Exception as error:  # the hook writes it down
        return [f"failed {type(error).__name__}"]


def _table(folder: str, event: str, payload: str) -> "dict[str, Any]":
    """Returns a table; for a tool, with those entries alone that have a cause in the payload (in lower case).

    Each entry is a line of the file and bears its causes, so that the others need not be parsed.
    """
    text = text_of(f"{folder}/cues.json", limit=_TABLE)
    first, _, rest = text.partition("\n")
    rows, _, last = rest.rpartition("\n]}")
    table = parsed(first + "]}")
    if last != "\n" or table.get("entries") != []:
        raise ValueError
    lines = rows.split("\n")
    if event in _CAUSES:
        causes = text_of(f"{folder}/{_CAUSES[event]}", limit=_TABLE).split("\n")[:-1]
        if _ANYTHING not in causes:
            lines = _lines_with(rows, [one for one in causes if one in payload])
    table["entries"] = [parsed(line.removesuffix(",")) for line in lines]
    return table


def _lines_with(text: str, causes: list[str]) -> list[str]:
    """Returns the lines in which one of these stands between quotation marks."""
    found: dict[int, str] = {}
    for cause in causes:
        at = text.find(f'"{cause}"')
        while at >= 0:
            start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
            end = len(text) if end < 0 else end
            found[start] = text[start:end]
            at = text.find(f'"{cause}"', end)
    return [found[start] for start in sorted(found)]


class Moment:
    """One hook run: what the agent does, the table of its project, the account of its session."""

    def __init__(
        self, state: str, payload: "dict[str, Any]", run: str, table: "dict[str, Any]", key: str
    ) -> None:
        self._payload = payload
        modes = table.get("modes") or {}
        self._cues, self._checks, self._owed = modes.get("cues"), modes.get("checks"), modes.get("owed")
        self._hold = modes.get("hold") is True
        self._entries: list[dict[str, Any]] = [row for row in table["entries"] if is_name(row.get("id"))]
        self._account = Account(f"{state}/given", payload.get("session_id"), run)
        agent, turn = payload.get("agent_id"), payload.get("prompt_id")
        self._agent = str(agent) if is_name(agent) else "-"
        self._turn = str(turn) if is_name(turn) else "-"
        tool, given = payload.get("tool_name"), payload.get("tool_input")
        self._tool = tool if isinstance(tool, str) else ""
        self._given: dict[str, Any] = given if isinstance(given, dict) else {}
        self._response = payload.get("tool_response")
        cwd = payload.get("cwd")
        self._cwd = cwd if isinstance(cwd, str) and cwd.startswith("/") else posix.getcwd()
        self._home = posix.environ.get(b"HOME", b"/").decode("utf-8", "surrogateescape")
        self._checkout = Checkout(key, self._home)
        self._path = ""  # of the file that a tool is for, absolute; empty for a command
        self._files: list[tuple[tuple[str, ...], str]] = []  # deeds, and the path from the checkout's top
        self._runs: list[Run] = []
        self._failures: list[str] = []  # of single checks, as lines of the trailer

    def answer(self, event: str, *, attended: bool) -> list[str]:
        """Returns the lines for the trailer, and the answer as the last if there is one."""
        told = self._told(event, attended=attended)
        return [*self._failures[:1], *told]

    def _told(self, event: str, *, attended: bool) -> list[str]:
        match event:
            case "PreToolUse":
                self._look(after=False)
                return self._before()
            case "PostToolUse":
                self._look(after=True)
                return self._after()
            case "Stop" if self._owed == "stop" and attended:
                return self._remind(event)
            case "UserPromptSubmit" if self._owed == "prompt":
                return self._remind(event)
            case _:
                return []

    # What the agent does

    def _look(self, *, after: bool) -> None:
        """Finds the files and commands of a tool call that belong to the table's project."""
        word = self._given.get(_FILES.get(self._tool, ""))
        if isinstance(word, str) and word:
            path = join(self._home, word[2:]) if word.startswith("~/") else join(self._cwd, word)
            inside = self._checkout.inside(path)
            if inside is not None:
                self._path = path
                self._files.append((self._deeds(path, after=after), inside))
        elif self._tool == "Bash" and isinstance(self._given.get("command"), str):
            if isinstance(self._response, dict) and self._response.get("interrupted") is True:
                return
            from .commands import runs

            for run in runs(self._given["command"], cwd=self._cwd, home=self._home):
                if not run.cwd or self._checkout.holds(run.cwd):
                    self._runs.append(run)
                self._touch(run, after=after)

    def _deeds(self, path: str, *, after: bool) -> tuple[str, ...]:
        if self._tool == "Read":
            return ("read",)
        response = self._response
        if not after:
            new = not exists(path)
        elif isinstance(response, dict):
            new = response.get("type") == "create" or (
                "originalFile" in response and response["originalFile"] in (None, "")
            )
        else:
            new = False
        return ("create", "edit") if new else ("edit",)

    def _touch(self, run: "Run", *, after: bool) -> None:
        """Notes the files that a command removes or writes."""
        for words, deed in ((run.removes, "delete"), (run.writes, "edit")):
            for path in filter(None, map(run.path, words)):
                inside = self._checkout.inside(path)
                if inside is not None:
                    new = deed == "edit" and not after and not exists(path)
                    self._files.append((("create", "edit") if new else (deed,), inside))

    # Before a tool

    def _before(self) -> list[str]:
        marks = self._proven(commands_only=True)
        notes: list[str] = []
        if self._checks == "block" and self._path and self._tool != "Read":
            notes, answer = self._refuse(marks)
            if answer:
                return [*notes, answer]
        given = self._account.given(self._agent) if self._cues else set()
        rows = [row for row in self._entries if row["id"] not in given] if self._cues else []
        due = [(row, deed) for row, deed in ((row, self._due(row)) for row in rows) if deed]
        if due:
            from .words import context, cue
        due.sort(key=lambda one: one[1] not in ("run", "delete"))
        chosen: list[tuple[dict[str, Any], str]] = []
        room = CHARACTERS - (len(cue(due[0][1], [])) if due else 0)
        for row, deed in due:
            needed = len(str(row["line"])) + 1
            if len(chosen) < ENTRIES and needed <= room:
                chosen.append((row, deed))
                room -= needed
        mine = self._account.add([*marks, *(("given", self._agent, row["id"]) for row, _ in chosen)])
        chosen = [one for one, first in zip(chosen, mine[len(marks) :], strict=True) if first]
        if not chosen:
            return notes
        occasion = chosen[0][1]
        told = " ".join(row["id"] for row, _ in chosen)
        lines = [str(row["line"]) for row, _ in chosen]
        notes += [f"cued {told}", f"cued_for {occasion}"]
        if self._hold and occasion == "run":
            from .words import deny, held

            return [*notes, f"held {told}", deny(held(lines))]
        return [*notes, context("PreToolUse", cue(occasion, lines))]

    def _due(self, row: "dict[str, Any]") -> str:
        """Returns the deed for which an entry is due now; empty where it is not."""
        for trigger in row.get("triggers", ()):
            deed = self._pulls(trigger)
            before = str(trigger.get("said", "")).lower().startswith("before")
            if deed and not (before and self._account.marked("done", row["id"], self._turn)):
                return deed
        places = row.get("places", ())
        for deeds, path in self._files if places else ():
            if deeds[0] in ("read", "edit", "create") and any_fits(places, path):
                return deeds[0]
        return ""

    def _pulls(self, trigger: "dict[str, Any]") -> str:
        wanted = trigger.get("deeds", ())
        globs = trigger.get("globs", ())
        for deeds, path in self._files if globs else ():
            deed = next((one for one in deeds if one in wanted), "")
            if deed and any_fits(globs, path):
                return deed
        commands = trigger.get("commands", ())
        return "run" if any(run.begins(words) for run in self._runs for words in commands) else ""

    def _proven(self, *, commands_only: bool = False) -> list[tuple[str, ...]]:
        """Returns a mark for each ritual that what happens now shows to be done, once a turn."""
        marks: list[tuple[str, ...]] = []
        for row in self._entries:
            proof = row.get("proof")
            if not proof:
                continue
            shown = any(run.begins(words) for run in self._runs for words in proof.get("commands", ()))
            if not shown and not commands_only:
                globs = proof.get("globs", ())
                shown = any(deeds != ("read",) and any_fits(globs, path) for deeds, path in self._files)
            if shown and not self._settled(row["id"]):
                marks.append(("done", row["id"], self._turn))
        return marks

    def _settled(self, entry: str) -> bool:
        """Returns whether this turn's work on a ritual is noted already, so that it need not be again."""
        return self._account.marked("done", entry, self._turn) and entry not in self._account.owed()

    def _refuse(self, marks: "list[tuple[str, ...]]") -> tuple[list[str], str]:
        """Returns what to note of a change that breaks an entry, and its refusal.

        The very same change is refused once: an agent that insists is not held in a loop.
        """
        from .added import about_to_add
        from .words import deny, refusal

        broken = self._broken(lambda: about_to_add(self._tool, self._given, self._path))
        fresh = [one for one in broken if not self._account.marked("refused", one.row["id"], one.mark)]
        if not fresh:
            return ([*self._noted(broken), f"insisted {_ids(broken)}"] if broken else []), ""
        self._account.add([*marks, *(("refused", one.row["id"], one.mark) for one in fresh)])
        answer = deny(refusal(str(fresh[0].row["words"]), fresh[0].what, self._files[0][1]))
        return [*self._noted(fresh), f"refused {_ids(fresh)}"], answer

    # After a tool

    def _after(self) -> list[str]:
        marks = self._proven()
        if self._owed in ("stop", "prompt"):
            marks += self._became_due()
        fresh: list[Firing] = []
        if self._checks == "advise" and self._path:
            from .added import added

            broken = self._broken(lambda: added(self._tool, self._given, self._response))
            fresh = [one for one in broken if not self._account.marked("broke", one.row["id"], one.mark)]
        mine = self._account.add([*marks, *(("broke", one.row["id"], one.mark) for one in fresh)])
        fresh = [one for one, first in zip(fresh, mine[len(marks) :], strict=True) if first]
        if any(mark[0] == "owed" for mark in marks) and self._waiting():
            self._account.waits(str(self._owed))
        if not fresh:
            return []
        from .words import context, firings

        told: dict[str, list[Firing]] = {}
        for one in fresh:
            told.setdefault(one.row["id"], []).append(one)
        first = [each[0] for each in told.values()][:ENTRIES]
        sentences = []
        for one in first:
            where = f" (line {one.line.number})" if one.line.number else ""
            more = len({each.line.text for each in told[one.row["id"]]}) - 1
            sentences.append((str(one.row["words"]), one.what, where, more))
        text = firings(sentences, self._files[0][1])
        return [*self._noted(fresh), context("PostToolUse", text)]

    def _became_due(self) -> list[tuple[str, ...]]:
        marks: list[tuple[str, ...]] = []
        for row in self._entries:
            if not row.get("proof") or self._account.marked("reminded", row["id"]):
                continue
            for trigger in row.get("triggers", ()):
                if str(trigger.get("said", "")).lower().startswith("before"):
                    continue
                mark = ("owed", row["id"], self._turn)
                deed = self._pulls(trigger)
                if deed == "edit" and "create" in trigger.get("deeds", ()):
                    continue  # where something may be added, an edit shows nothing added
                if deed and not self._account.marked(*mark):
                    marks.append(mark)
                    break
        return marks

    # At the end of a turn, or at the next prompt

    def _waiting(self) -> "list[dict[str, Any]]":
        """Returns the rituals owed that nobody was reminded of."""
        owed = [one for one in self._account.owed() if not self._account.marked("reminded", one)]
        rows = {row["id"]: row for row in self._entries if row.get("proof")}
        return [rows[one] for one in owed if one in rows]

    def _remind(self, event: str) -> list[str]:
        busy = self._payload.get("background_tasks")
        if self._payload.get("stop_hook_active") or (event == "Stop" and isinstance(busy, list) and busy):
            return []  # it goes on already, or the work is not at its end
        self._account.waits_no_more()
        rows = self._waiting()
        mine = self._account.add([("reminded", row["id"]) for row in rows[:ENTRIES]])
        told = [row for row, first in zip(rows, mine, strict=False) if first]
        if len(rows) > ENTRIES:
            self._account.waits(str(self._owed))
        if not told:
            return []
        from .words import context, go_on, reminder

        text = reminder([str(row["words"]) for row in told])
        answer = go_on(text) if event == "Stop" else context(event, text)
        return ["reminded " + " ".join(row["id"] for row in told), answer]

    # Checks of added lines

    def _broken(self, added: "Callable[[], list[Line]]") -> "list[Firing]":
        rows = [row for row in self._entries if row.get("check")]
        found: list[Firing] = []
        try:
            lines = added() if rows else []
            if not lines:
                return []
            from .lines import broken

            path = self._files[0][1]
            texts = [line.text for line in lines]
            for row in rows:
                for n, what in broken(row["check"], path, texts):
                    found.append(Firing(row, lines[n], what, digest(path, lines[n].text.strip())))
        except Exception as error:  # the hook writes it down; what is due beside it is due all the same
            self._failures.append(f"cue_why {type(error).__name__}")
        return found[:_FIRINGS]

    def _noted(self, found: "list[Firing]") -> list[str]:
        from .words import plain

        return [
            f"broke {' '.join(one.row['id'] for one in found)}",
            f"broke_line {' '.join(str(one.line.number) for one in found)}",
            f"broke_path {plain(self._files[0][1], _PATH)}",
            "broke_text " + "\t".join(plain(one.line.text, _TEXT) for one in found),
        ]


class Firing:
    """One added line that breaks an entry."""

    __slots__ = ("line", "mark", "row", "what")

    def __init__(self, row: "dict[str, Any]", line: "Line", what: str, mark: str) -> None:
        self.row = row
        self.line = line
        self.what = what
        self.mark = mark


def _ids(found: list[Firing]) -> str:
    return " ".join(dict.fromkeys(one.row["id"] for one in found))
