"""The oldest supported and the newest Claude Code take what we write, and heed it.

Clients are npm installations in folders named by version below ASIDES_TEST_CLIENTS, by default
`.clients` in the repository. Nothing but loopback is reached.
"""

import json
import os
import runpy
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from asides.agents.claude_code.audit import compare, memory_folders, snapshot, watched
from asides.agents.claude_code.install import Did, Scope, install, settings_path, uninstall
from asides.agents.claude_code.merge import Wanted
from asides.agents.claude_code.plugin import write_plugin
from asides.agents.claude_code.reader import INSTRUCTION_NAMES, Mode, protected, rules
from asides.agents.claude_code.record import marker_path
from asides.agents.claude_code.registration import EVENTS
from asides.hook.place import arm, place

REPOSITORY = Path(__file__).parents[3]
CLIENTS = Path(os.environ.get("ASIDES_TEST_CLIENTS", REPOSITORY / ".clients"))
PROGRAM = "node_modules/@anthropic-ai/claude-code-linux-x64/claude"
FAKE_API = REPOSITORY / "tests" / "support" / "fake_messages_api.py"

CALL = 'trap "exit 0" 0; [ -r "$0" ] && . "$0"; exit 0'
PROBE = 'echo "$2" >> "${0%/hook/hook.sh}/ran"'
SETTINGS = '{\n  "permissions": {\n    "allow": ["Bash"]\n  },\n  "cleanupPeriodDays": 30\n}\n'

SKIPPED = ["--dangerously-skip-permissions"]
ACCEPTED = ["--permission-mode", "acceptEdits"]

pytestmark = pytest.mark.client


@pytest.fixture(params=["2.1.197", "2.1.332"])
def client(request):
    program = CLIENTS / request.param / PROGRAM
    if not program.exists():
        pytest.skip(f"Claude Code {request.param} is not at {program}: npm install it there")
    return program


@pytest.fixture
def home(tmp_path):
    home = tmp_path / "hôme of dev"
    (home / ".claude").mkdir(parents=True)
    (home / "shop" / ".git").mkdir(parents=True)
    (home / "shop" / "sub").mkdir()
    (home / "shop" / "CLAUDE.md").write_text("# Shop\n")
    return home


@pytest.fixture
def state(tmp_path):
    state = tmp_path / "the state"
    (state / "hook").mkdir(parents=True)
    (state / "hook" / "hook.sh").write_text(PROBE)
    return state


@pytest.fixture
def ask(client, home, tmp_path):
    """Has the client answer one prompt in a folder of the project and returns the finished process."""
    (memory,) = memory_folders(config=home / ".claude", root=home / "shop")
    memory.mkdir(parents=True)
    shop = home / "shop"

    def write(path):
        return [
            {"type": "tool_use", "name": "Write", "input": {"file_path": str(path), "content": "changed"}}
        ]

    def shell(command):
        return [{"type": "tool_use", "name": "Bash", "input": {"command": command, "description": "Write"}}]

    inside, edit = shop / "sub", {"old_string": "# Shop", "new_string": "# changed"}
    steps = [
        write(inside / "plain.txt"),
        write(inside / "deep" / "CLAUDE.md"),
        write(inside / "CLAUDE.local.md"),
        write(inside / ".claude" / "rules" / "x.md"),
        write(shop / ".claude" / "rules" / "x.md"),
        write(shop / "AGENTS.md"),
        write(memory / "topic.md"),
        write(home / ".claude" / "CLAUDE.md"),
        [{"type": "tool_use", "name": "Read", "input": {"file_path": str(shop / "CLAUDE.md")}}],
        [{"type": "tool_use", "name": "Edit", "input": {"file_path": str(shop / "CLAUDE.md"), **edit}}],
        shell("echo changed > CLAUDE.md"),
        shell("echo changed >> ../CLAUDE.md"),
        shell("echo changed > plain-too.txt"),
    ]
    script = {"turns": [{"match": "Write the files", "steps": [*steps, "Done."]}], "default": "OK."}
    server, url = runpy.run_path(str(FAKE_API))["serve"](script, log_path=str(tmp_path / "requests.jsonl"))
    environment = {
        "HOME": str(home),
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "ANTHROPIC_API_KEY": "dummy-key",
        "ANTHROPIC_BASE_URL": url,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_AUTOUPDATER": "1",
        "IS_SANDBOX": "1",  # else the client refuses to skip permissions for root
    }

    def run(*options, **more):
        return subprocess.run(
            [client, "-p", "Write the files", *options],
            cwd=inside,
            env={**environment, **more},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    yield run
    server.shutdown()
    server.server_close()


def put(home, state, *, mode=Mode.OFF, auto_memory_off=False):
    chosen = rules(mode, config=home / ".claude", home=home)
    wanted = Wanted(
        commands={e: ["/bin/sh", "-c", CALL, f"{state}/hook/hook.sh", "claude-code", e] for e in EVENTS},
        deny=chosen.deny,
        ask=chosen.ask,
        auto_memory_off=auto_memory_off,
    )
    path = settings_path(Scope.USER, config=home / ".claude", root=home / "shop")
    path.write_text(SETTINGS)
    return path, install(path, wanted, state=state, scope=Scope.USER, now=lambda: datetime.now(UTC))


def plugin_command(client, home, *words):
    return subprocess.run(
        [client, "plugin", *words],
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "DISABLE_AUTOUPDATER": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def ran(state):
    return (state / "ran").read_text().split() if (state / "ran").exists() else []


def protected_files(home):
    return snapshot([*watched(config=home / ".claude", root=home / "shop"), home / "shop" / "sub"])


TURN = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"]


def test_the_client_runs_our_hooks_and_denies_what_is_protected_although_permissions_are_skipped(
    ask, home, state
):
    path, report = put(home, state, mode=Mode.DENY, auto_memory_off=True)
    before = protected_files(home)
    done = ask(*SKIPPED)
    assert (done.returncode, done.stdout, done.stderr) == (0, "Done.\n", "")
    assert list(dict.fromkeys(ran(state))) == TURN
    changes = compare(before, protected_files(home))
    assert [change.path.name for change in changes] == ["plain-too.txt", "plain.txt"]
    assert report.did is Did.INSTALLED
    uninstall(path, state=state, scope=Scope.USER)
    assert path.read_text() == SETTINGS


def test_questions_need_the_guard_for_what_a_shell_writes(ask, home, state):
    """Rules that ask are not applied to `>` where Bash is allowed; nobody answers in -p."""
    put(home, state, mode=Mode.ASK)
    before = protected_files(home)
    ask(*ACCEPTED)
    changes = compare(before, protected_files(home))
    assert {change.path.name for change in changes} == {"plain.txt", "plain-too.txt", "CLAUDE.md"}
    (home / "shop" / "sub" / "CLAUDE.md").unlink()
    place(state, plain_python=sys.executable, daemon_python="/bin/true")
    places = [(place.glob, place.what) for place in protected(config=home / ".claude", home=home)]
    arm(state, mode="ask", protected=places, names=INSTRUCTION_NAMES)
    before = protected_files(home)
    ask(*ACCEPTED)
    assert compare(before, protected_files(home)) == ()
    assert list((state / "spool").glob("*.json"))


def test_without_rules_the_audit_sees_what_the_agent_wrote(ask, home, state):
    put(home, state, mode=Mode.AUDIT)
    before = protected_files(home)
    ask(*SKIPPED)
    changed = {change.path.name for change in compare(before, protected_files(home))}
    assert changed == {
        "CLAUDE.md",
        "CLAUDE.local.md",
        "AGENTS.md",
        "x.md",
        "topic.md",
        "plain.txt",
        "plain-too.txt",
    }


def test_auto_memory_is_off_only_where_asked_for(ask, home, state, tmp_path):
    requests = tmp_path / "requests.jsonl"
    (memory,) = memory_folders(config=home / ".claude", root=home / "shop")
    (memory / "MEMORY.md").write_text("- [Note](note.md) : the word marzipan\n")
    for off in (False, True):
        requests.write_text("")
        put(home, state, auto_memory_off=off)
        ask(*SKIPPED)
        assert ("marzipan" in requests.read_text()) is not off


def test_the_plugin_passes_the_clients_own_strict_check(client, tmp_path):
    write_plugin(tmp_path / "market", version="0.1.0")
    for folder in (tmp_path / "market", tmp_path / "market" / "plugins" / "asides"):
        done = plugin_command(client, tmp_path, "validate", "--strict", folder)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_plugin_hands_events_on_unless_the_settings_do(ask, home, tmp_path):
    state = tmp_path / "x" / "state"
    (state / "hook").mkdir(parents=True)
    (state / "hook" / "hook.sh").write_text(PROBE)
    write_plugin(tmp_path / "market", version="0.1.0")
    options = [*SKIPPED, "--plugin-dir", str(tmp_path / "market" / "plugins" / "asides")]
    ask(*options, ASIDES_HOME=str(tmp_path / "x"))
    alone = ran(state)
    assert list(dict.fromkeys(alone)) == TURN
    (state / "ran").unlink()
    put(home, state)
    assert marker_path(state).exists()
    ask(*options, ASIDES_HOME=str(tmp_path / "x"))
    both = ran(state)
    for once in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"):
        assert both.count(once) == 1


def test_the_client_keeps_our_pieces_when_it_saves_the_settings_itself(client, home, state, tmp_path):
    path, _ = put(home, state, mode=Mode.DENY, auto_memory_off=True)
    write_plugin(tmp_path / "market", version="0.1.0")
    for words in (["marketplace", "add", str(tmp_path / "market")], ["install", "asides@asides"]):
        done = plugin_command(client, home, *words)
        assert done.returncode == 0, done.stdout + done.stderr
    saved = json.loads(path.read_text())
    assert saved["enabledPlugins"] == {"asides@asides": True}
    uninstall(path, state=state, scope=Scope.USER)
    left = json.loads(path.read_text())
    assert left == {
        **json.loads(SETTINGS),
        "enabledPlugins": saved["enabledPlugins"],
        "extraKnownMarketplaces": saved["extraKnownMarketplaces"],
    }
