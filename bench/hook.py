"""Prints what the hook costs, next to a bare isolated interpreter in the same run.

    python bench/hook.py [RUNS]

Each run is a new process with a 1 KB payload on stdin. The programs take turns, so that a busy
moment falls on all of them. CPU is that of the process and its children, in user and system mode,
as the kernel counts it for the waiting parent. Not a test: it asserts nothing.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
from asides.deliver.cues import Modes, write_cues
from asides.hook.place import arm, place, registered
from asides.model.entry import Entry, EntryId, Kind
from asides.model.turn import ProjectId
from asides.model.watch import Check, Deed, Form, Proof, Sign, Trigger, Watch

BASE = "python -I -S -c pass"
AGENT = "claude-code"
SESSION = "00000000-0000-4000-8000-000000000001"
PLAIN = getattr(sys, "_base_executable", sys.executable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One thing to be measured."""

    name: str
    command: list[str]
    payload: bytes = b""
    fresh: Path | None = None  # removed before each run, so that nothing is known from the one before


@dataclass(slots=True)
class Times:
    """Milliseconds of one program's runs."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def payload(cwd: Path, **facts: object) -> bytes:
    """Returns a payload of about 1 KB, in one line, as the client writes it."""
    common: dict[str, object] = {
        "session_id": SESSION,
        "transcript_path": f"/home/dev/.claude/projects/-home-dev-shop/{SESSION}.jsonl",
        "cwd": str(cwd),
    }
    whole = {**common, **facts}
    missing = 1_000 - len(json.dumps(whole))
    return json.dumps({**whole, "filler": "x" * max(0, missing)}, separators=(",", ":")).encode() + b"\n"


def programs(folder: Path) -> list[Program]:
    """Returns the programs, over a state folder with texts, a guard, cues and a living daemon (us)."""
    state, repo = folder / "state", folder / "shop"
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").touch()
    os.chdir(repo)
    place(state, plain_python=PLAIN, daemon_python="/nonexistent")
    arm(state, mode="deny", protected=[("~/.claude/projects/*/memory/**", "memory")], names=["CLAUDE.md"])
    start = Path("/proc/self/stat").read_text().rpartition(") ")[2].split()[19]
    (state / "run" / "alive").write_text(f"{os.getpid()} {start}\n")
    ready = state / "ready" / "at" / str((repo / ".git").resolve())[1:] / AGENT
    ready.mkdir(parents=True)
    text = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "x" * 2_000}}
    (ready / "start.json").write_text(json.dumps(text) + "\n")
    (ready / "version").write_text("v1\n")
    key = str((repo / ".git").resolve())
    write_cues(watched(), key=key, agent=AGENT, ready=state / "ready", modes=Modes())
    cart, account = str(repo / "src" / "cart.py"), state / "given" / f"{SESSION}.cues"
    opened = {"tool_name": "Read", "tool_input": {"file_path": cart}}
    pushed = {"tool_name": "Bash", "tool_input": {"command": "git add -A && git commit -m 'x' && git push"}}
    lines = [" import os", "+import axios", "+axios.get(1)"]
    patch = [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 3, "lines": lines}]
    edited = {
        "tool_name": "Edit",
        "tool_input": {"file_path": str(repo / "src" / "api.js"), "old_string": "a", "new_string": "axios"},
        "tool_response": {"structuredPatch": patch, "originalFile": "import os\n"},
    }
    read = {"tool_name": "Bash", "tool_input": {"command": "cat CLAUDE.md | head -20"}}
    write = {"tool_name": "Write", "tool_input": {"file_path": str(repo / "CLAUDE.md"), "content": "x"}}
    code = {"tool_name": "Bash", "tool_input": {"command": "python3 -c \"open('CLAUDE.md', 'w')\""}}
    return [
        Program(name="true", command=["/bin/true"]),
        Program(name="sh -c :", command=["/bin/sh", "-c", ":"]),
        Program(name=BASE, command=[PLAIN, "-I", "-S", "-c", "pass"]),
        *(
            Program(name=name, command=registered(state, AGENT, event), payload=payload(repo, **facts))
            for name, event, facts in (
                ("hook, records (UserPromptSubmit)", "UserPromptSubmit", {"prompt": "please"}),
                ("hook, prints (SessionStart)", "SessionStart", {"source": "startup"}),
                (
                    "guard, no cause (PreToolUse)",
                    "PreToolUse",
                    {"tool_name": "Bash", "tool_input": {"command": "ls"}},
                ),
                ("guard, Write refused", "PreToolUse", write),
                ("guard, Bash reads, passes", "PreToolUse", read),
                ("guard, interpreter code refused", "PreToolUse", code),
                (
                    "cues, no cause (PreToolUse Read)",
                    "PreToolUse",
                    {"tool_name": "Read", "tool_input": {"file_path": str(repo / "src" / "other.py")}},
                ),
                (
                    "cues, no cause (PostToolUse Bash)",
                    "PostToolUse",
                    {"tool_name": "Bash", "tool_input": {"command": "ls"}},
                ),
                ("cues, nothing owed (Stop)", "Stop", {"stop_hook_active": False}),
            )
        ),
        *(
            Program(
                name=name,
                command=registered(state, AGENT, event),
                payload=payload(repo, **facts),
                fresh=account,
            )
            for name, event, facts in (
                ("cue given (PreToolUse Read)", "PreToolUse", opened),
                ("cue given (PreToolUse Bash)", "PreToolUse", pushed),
                ("check told (PostToolUse Edit)", "PostToolUse", edited),
                (
                    "guard passes and cue given, in one run",
                    "PreToolUse",
                    {"tool_name": "Write", "tool_input": {"file_path": cart, "content": "see CLAUDE.md"}},
                ),
            )
        ),
    ]


def watched() -> list[tuple[Entry, Watch]]:
    """Returns a hundred entries of every sort, of which three are due in the programs."""
    found = []
    for n in range(100):
        name = EntryId(f"entry{n:04}")
        watch = Watch(
            entry=name,
            places=("src/cart.py",) if n == 50 else (f"src/part{n}/**",),
            triggers=(
                Trigger(
                    deeds=(Deed.RUN,),
                    commands=(("git", "push"),) if n == 51 else ((f"tool{n}", "deploy"),),
                    said="after it",
                ),
            ),
            proof=Proof(globs=(f"docs/part{n}.md",)),
            check=Check(signs=(Sign(form=Form.IMPORT, text="axios" if n == 52 else f"package{n}"),)),
        )
        body = f"Whatever is done in part {n} is written down in docs/part{n}.md, and package{n} stays out."
        found.append((Entry(id=name, project=ProjectId("p"), body=body, kind=Kind.LAW), watch))
    return found


def once(program: Program, times: Times, lock: threading.Lock) -> None:
    """Runs a program once and notes its wall and CPU time."""
    reading, writing = os.pipe()
    os.write(writing, program.payload)  # 1 KB fits into a pipe
    os.close(writing)
    null = os.open(os.devnull, os.O_WRONLY)
    if program.fresh is not None:
        program.fresh.unlink(missing_ok=True)
    began = time.perf_counter()
    pid = os.posix_spawn(
        program.command[0],
        program.command,
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, reading, 0),
            (os.POSIX_SPAWN_DUP2, null, 1),
            (os.POSIX_SPAWN_DUP2, null, 2),
        ],
    )
    os.close(reading)
    _, _, used = os.wait4(pid, 0)
    ended = time.perf_counter()
    os.close(null)
    with lock:
        times.wall.append((ended - began) * 1000)
        times.cpu.append((used.ru_utime + used.ru_stime) * 1000)


def measure(what: list[Program], runs: int, at_once: int) -> dict[str, Times]:
    """Returns the times of each program after `runs` runs, `at_once` of the same program at a time."""
    results = {program.name: Times() for program in what}
    lock = threading.Lock()
    with ThreadPoolExecutor(at_once) as pool:
        for _ in range(max(1, runs // at_once)):
            for program in what:
                jobs = [pool.submit(once, program, results[program.name], lock) for _ in range(at_once)]
                for job in jobs:
                    job.result()
    return results


def table(results: dict[str, Times], title: str) -> str:
    """Returns a markdown table: milliseconds, and ratios to the bare interpreter of the same run."""
    middle: Callable[[list[float]], float] = lambda values: quantiles(values, n=100)[49]  # noqa: E731
    late: Callable[[list[float]], float] = lambda values: quantiles(values, n=100)[94]  # noqa: E731
    base = results[BASE]
    lines = [
        f"**{title}** (n = {len(base.wall)} each, interleaved; denominator: `{BASE}`, "
        f"wall p50 {middle(base.wall):.1f} ms, CPU p50 {middle(base.cpu):.1f} ms)",
        "",
        "| program | wall p50 | wall p95 | CPU p50 | CPU p95 | wall p50 ÷ python | CPU p50 ÷ python |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, times in results.items():
        wall, cpu = middle(times.wall), middle(times.cpu)
        lines.append(
            f"| {name} | {wall:.1f} | {late(times.wall):.1f} | {cpu:.1f} | {late(times.cpu):.1f} "
            f"| {wall / middle(base.wall):.2f} | {cpu / middle(base.cpu):.2f} |"
        )
    return "\n".join(lines)


def main(runs: int) -> None:
    """Measures one at a time and eight at once, and prints two tables."""
    with tempfile.TemporaryDirectory() as folder:
        what = programs(Path(folder))
        measure(what, 5, 1)  # byte code of the guard, page cache
        shell = Path("/bin/sh").resolve().name
        version, load = sys.version.split()[0], os.getloadavg()[0]
        print(f"{os.cpu_count()} cores, load {load:.1f}, Python {version}, /bin/sh is {shell}\n")
        print(table(measure(what, runs, 1), "One at a time"), end="\n\n")
        print(table(measure(what, runs, 8), "Eight at once"))
        os.chdir("/")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
