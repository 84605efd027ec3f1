"""A developer's machine with a real Claude Code client, asides installed, and a scripted API on loopback."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from asides.agents.claude_code.registration import REGISTRATIONS
from asides.daemon import endpoint
from asides.db.connection import open_database
from asides.model.delivery import FENCE_CLOSE, FENCE_OPEN
from asides.paths import places
from tests.support.fake_messages_api import serve

REPOSITORY = Path(__file__).parents[2]
CLIENTS = Path(os.environ.get("ASIDES_TEST_CLIENTS", REPOSITORY / ".clients"))
OLDEST = "2.1.197"
NEWEST = os.environ.get("ASIDES_NEWEST_CLIENT", "2.1.332")
VERSIONS = (OLDEST, NEWEST)
ASIDES = Path(sys.executable).with_name("asides")
KEY = "dummy-key"

# Settings of somebody who has hooks already, written by hand; {hooks} is filled with the counting hooks.
SETTINGS = """{{
    "cleanupPeriodDays" : 30,
    "permissions": {{"allow": ["Bash", "Write", "Edit", "Agent"]}},
    "statüs": "keep me",
  "hooks": {hooks}
}}
"""


def program(version):
    """Returns the client's program; when it is not there, skips aloud or fails where clients are required."""
    for found in sorted((CLIENTS / version).glob("node_modules/@anthropic-ai/claude-code-*/claude")):
        return found
    missing = f"Claude Code {version} is not in {CLIENTS}: run scripts/fetch-clients.sh {CLIENTS}"
    if os.environ.get("ASIDES_REQUIRE_CLIENTS") == "1":
        pytest.fail(missing)
    pytest.skip(missing)


def need(name):
    """Skips aloud, or fails where clients are required, when a program is not installed."""
    if shutil.which(name):
        return
    if os.environ.get("ASIDES_REQUIRE_CLIENTS") == "1":
        pytest.fail(f"{name} is not installed")
    pytest.skip(f"{name} is not installed")


def until(what, found, *, seconds=30.0, seen=None):
    """Returns the first true value of `found()`, asked again and again.

    If none comes it fails, naming `what` and showing `seen()`.
    """
    deadline = time.monotonic() + seconds
    while True:
        value = found()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(
                f"waited {seconds} s for {what}" + (f"; there is:\n{seen()}" if seen else "")
            )
        time.sleep(0.05)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One run of the client: how it ended and which requests it made, in order."""

    code: int
    out: str
    err: str
    requests: tuple  # of fake_messages_api.Request, those to a model only
    session: str

    def asking(self, words):
        """Returns the bodies of the requests with tools whose newest words of the person contain `words`."""
        return [r.body for r in self.requests if r.body.get("tools") and words in json_text(r.body)]


def json_text(value):
    """Returns all strings of a JSON value, joined by line ends: what a model may read of it."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\n".join(json_text(each) for each in value.values())
    if isinstance(value, list):
        return "\n".join(json_text(each) for each in value)
    return ""


def delivered(body):
    """Returns the texts of asides in a request, fences included, in order."""
    return re.findall(re.escape(FENCE_OPEN) + r".*?" + re.escape(FENCE_CLOSE), json_text(body), re.DOTALL)


class Machine:
    """Everything in one folder: home, projects, asides' own places; and an API that answers from `script`."""

    def __init__(self, folder, version, script):
        self.client = program(version)
        self.version = version
        self.home = folder / "Zoë's hôme"
        self.config = self.home / ".claude"
        self.settings = self.config / "settings.json"
        self.places = places(str(folder / "asides of Zoë"))
        self.counted = folder / "counted"
        self.config.mkdir(parents=True)
        self.counted.mkdir()
        self.settings_before = SETTINGS.format(hooks=json.dumps(self._counting_hooks(), indent=1))
        self.settings.write_text(self.settings_before, "utf-8")
        self.server, self.url = serve(script)
        self.api = self.server.api
        self.stopped = []

    def close(self):
        """Ends the daemon and the API."""
        for pid in self.stopped:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        self.api.let_everything_go()
        self.server.shutdown()
        self.server.server_close()
        self.asides("daemon", "stop", check=False)

    def _counting_hooks(self):
        """Returns hooks that note each run beside ours, so that our own count can be held against theirs."""
        note = 'cat > "$0/$1.$$" && mv "$0/$1.$$" "$0/$1.$$.json"'
        hooks = {}
        for each in REGISTRATIONS:
            args = ["-c", note, str(self.counted), each.event]
            handler = {"type": "command", "command": "/bin/sh", "args": args, "timeout": 20}
            matcher = {} if each.matcher is None else {"matcher": each.matcher}
            hooks[each.event] = [{**matcher, "hooks": [handler]}]
        return hooks

    @property
    def environment(self):
        """The environment of a person's shell on this machine."""
        return {
            "HOME": str(self.home),
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "ANTHROPIC_API_KEY": KEY,
            "ANTHROPIC_BASE_URL": self.url,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
        }

    def project(self, name):
        """Returns a new repository with one file in it."""
        root = self.home / name
        root.mkdir()
        subprocess.run(["git", "init", "-q", root], check=True, env={**self.environment}, timeout=30)
        (root / "app.py").write_text("TIMEOUT = 30\n\n\ndef total(items):\n    return sum(items)\n")
        return root

    def memory_of(self, root):
        """Returns the folder where the client keeps its own memory of a project."""
        return self.config / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(root)) / "memory"

    def asides(self, *words, cwd=None, check=True):
        """Runs the command line of asides; returns what it printed, as JSON where asked for with `--json`."""
        done = subprocess.run(
            [ASIDES, *words],
            cwd=cwd or self.home,
            env={**self.environment, "ASIDES_HOME": str(self.places.state.parent)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        if check:
            assert done.returncode == 0, f"asides {' '.join(words)}: {done.stdout}{done.stderr}"
        return json.loads(done.stdout) if "--json" in words and done.returncode == 0 else done.stdout

    def begin(self, root, prompt, *options, **more):
        """Starts the client with one prompt; `finish` waits for it."""
        self._from = len(self.api.requests)
        return subprocess.Popen(
            [self.client, "-p", prompt, "--output-format", "json", *options],
            cwd=root,
            env={**self.environment, **more},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def finish(self, process):
        """Returns what became of a client that was started; it ends by itself."""
        out, err = process.communicate(timeout=90)
        asked = tuple(r for r in self.api.requests[self._from :] if r.is_messages)
        session = json.loads(out)["session_id"] if out.startswith("{") else ""
        return Ran(code=process.returncode, out=out, err=err, requests=asked, session=session)

    def say(self, root, prompt, *options, **more):
        """Has the client answer one prompt with -p and returns what became of it."""
        return self.finish(self.begin(root, prompt, *options, **more))

    def settle(self):
        """Waits until a daemon answers that has nothing left to take in, to read on or to judge."""

        def quiet():
            found = endpoint.answering(self.places.run)
            return found and not (found[1].owed or found[1].spooled or found[1].pending)

        until("the daemon to be done with everything", quiet, seconds=60)

    @property
    def daemon(self):
        """The process id of the daemon that answers."""
        found = endpoint.answering(self.places.run)
        assert found is not None
        return found[0].pid

    def freeze(self, pid):
        """Stops a process in its tracks, so that it is there and deaf."""
        self.stopped.append(pid)
        os.kill(pid, signal.SIGSTOP)
        until("the process to stand still", lambda: psutil.Process(pid).status() == psutil.STATUS_STOPPED)

    def thaw(self):
        """Lets stopped processes go on, where they still are."""
        while self.stopped:
            with suppress(ProcessLookupError):
                os.kill(self.stopped.pop(), signal.SIGCONT)

    def rows(self, query, *values):
        """Returns rows of the ledger."""
        ledger = open_database(self.places.ledger, durable=False)
        try:
            return ledger.rows(query, values)
        finally:
            ledger.close()

    def hook_runs_recorded(self):
        """Returns how often the ledger says our hook ran, by session and event."""
        found = self.rows("SELECT session, event, count(*) FROM heartbeat WHERE what = 'hook' GROUP BY 1, 2")
        return Counter({(session, event): count for session, event, count in found})

    def hook_runs_counted(self):
        """Returns how often the client ran the hooks beside ours, by session and event."""
        runs = Counter()
        for path in self.counted.glob("*.json"):
            payload = json.loads(path.read_bytes())
            runs[payload["session_id"], payload["hook_event_name"]] += 1
        return runs

    def lines_of_people(self):
        """Returns uuid and text of every line that a person wrote, from all transcripts of the client."""
        said = {}
        for path in self.config.glob("projects/*/*.jsonl"):
            for raw in path.read_text("utf-8").splitlines():
                line = json.loads(raw)
                asked = line.get("attachment", {})
                if line.get("type") == "user" and line.get("promptSource") in ("typed", "sdk"):
                    said[line["uuid"]] = line["message"]["content"]
                elif asked.get("type") == "queued_command" and asked.get("origin", {}).get("kind") == "human":
                    said[line["uuid"]] = asked["prompt"]
        return said


class Terminal:
    """The client as a person has it in front of them: a screen of 140 by 50 that can be typed at."""

    def __init__(self, machine, root, folder):
        need("tmux")
        self._machine = machine
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        self._environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color"}
        # What the client asks on a first day, answered.
        (machine.home / ".claude.json").write_text(
            json.dumps(
                {
                    "hasCompletedOnboarding": True,
                    "theme": "dark",
                    "customApiKeyResponses": {"approved": [KEY], "rejected": []},
                    "projects": {str(root): {"hasTrustDialogAccepted": True}},
                }
            )
        )
        settings = [f"{name}={value}" for name, value in machine.environment.items()]
        command = shlex.join(["env", "-i", *settings, str(machine.client)])
        self._call("new-session", "-d", "-s", "c", "-x", "140", "-y", "50", "-c", str(root), command)
        self.shows("❯", seconds=60)

    def close(self):
        """Ends the client with its terminal."""
        self._call("kill-server", check=False)

    @property
    def screen(self):
        """What is on the screen now; empty once the client has left."""
        return self._call("capture-pane", "-p", "-t", "c", check=False).replace("\xa0", " ")

    @property
    def typed(self):
        """What stands in the input box."""
        return self.screen.rpartition("❯")[2].partition("\n")[0].strip()

    def shows(self, words, *, seconds=30.0):
        """Waits until the screen shows `words`."""
        self._until(f"{words!r} on the screen", lambda: words in self.screen, seconds=seconds)

    def key(self, name):
        """Presses one key, by tmux's name for it."""
        self._call("send-keys", "-t", "c", name)

    def enter(self, words):
        """Types words into the empty input box and sends them."""
        self._call("send-keys", "-t", "c", "-l", words)
        self._until(f"{words!r} in the input box", lambda: self.typed == words)
        self.key("Enter")
        self._until("the input box to be taken", lambda: self.typed != words)

    def say(self, words):
        """Sends a prompt and waits for the end of the answer."""
        before = self.ended("Stop")
        self.enter(words)
        self._until(f"the answer to {words!r}", lambda: self.ended("Stop") > before)
        self.rests()

    def ends(self):
        """Waits until the client has left."""

        def gone():
            command = [*self._tmux, "has-session", "-t", "c"]
            return subprocess.run(command, env=self._environment, capture_output=True, timeout=30).returncode

        until("the client to leave", gone)

    def rests(self):
        """Waits until the agent is no longer at work."""
        self._until("the agent to rest", lambda: "esc to interrupt" not in self.screen)

    def ended(self, event):
        """Returns how often the client ran its hooks for an event."""
        return sum(count for (_, each), count in self._machine.hook_runs_counted().items() if each == event)

    def _until(self, what, found, *, seconds=30.0):
        return until(what, found, seconds=seconds, seen=lambda: self.screen)

    def _call(self, *words, check=True):
        done = subprocess.run(
            [*self._tmux, *words],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert done.returncode == 0 or not check, f"tmux {words[0]}: {done.stderr}"
        return done.stdout


@contextmanager
def machine(folder, version, script):
    """Sets up a machine with asides installed, and takes it down again."""
    set_up = Machine(folder, version, script)
    try:
        yield set_up
    finally:
        set_up.close()
