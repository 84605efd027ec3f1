"""What the hook prints, in every shell that may stand behind /bin/sh here."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asides.model.delivery import FENCE_CLOSE, FENCE_OPEN
from tests.support.hookrun import (
    prepare,
    run_hook,
    spooled,
)
from tests.support.hooktexts import (
    AGENT,
    ANNOUNCE,
    COMPACT,
    REPLACE,
    SESSION,
    START,
    SUBAGENT,
    all_texts,
    printed,
    starting,
)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("startup", START),
        ("clear", START),
        ("new", START),
        ("", START),
        ("compact", COMPACT),
        ("resume", REPLACE),
        ("fork", REPLACE),
    ],
)
def test_the_text_follows_the_source(state: Path, repo: Path, shell: str, source: str, text: str) -> None:
    all_texts(state, repo)
    for payload in (starting(source), json.dumps(json.loads(starting(source)), indent=2).encode()):
        run = run_hook(state, AGENT, "SessionStart", payload, repo, shell=shell)
        assert (run.returncode, run.stdout) == (0, printed(text))
        assert (state / "given" / SESSION).read_text() == "v1\n"
        (state / "given" / SESSION).unlink()


def test_a_resumed_session_that_has_this_version_gets_nothing(state: Path, repo: Path, shell: str) -> None:
    folder = all_texts(state, repo)
    assert run_hook(state, AGENT, "SessionStart", starting("startup"), repo, shell=shell).stdout == printed(
        START
    )
    assert run_hook(state, AGENT, "SessionStart", starting("resume"), repo, shell=shell).stdout == b""
    (folder / "version").write_text("v2\n")
    assert run_hook(state, AGENT, "SessionStart", starting("resume"), repo, shell=shell).stdout == printed(
        REPLACE
    )
    assert run_hook(state, AGENT, "SessionStart", starting("resume"), repo, shell=shell).stdout == b""


def test_a_fork_gets_nothing_where_every_known_session_has_this_version(
    state: Path, repo: Path, shell: str
) -> None:
    all_texts(state, repo)
    prepare(state, repo / ".git", unchanged="")
    assert run_hook(state, AGENT, "SessionStart", starting("fork", "new-1"), repo, shell=shell).stdout == b""
    assert run_hook(state, AGENT, "SessionStart", starting("startup"), repo, shell=shell).stdout == printed(
        START
    )


def transcript_with(folder: Path, *texts: str) -> str:
    """Writes a transcript whose lines hold these texts, and returns its path."""
    path = folder / f"{SESSION}.jsonl"
    path.write_text("".join(json.dumps({"content": text}, ensure_ascii=False) + "\n" for text in texts))
    return str(path)


@pytest.mark.parametrize("source", ["resume", "fork"])
@pytest.mark.parametrize("unchanged", [True, False])
def test_a_resumed_session_that_never_got_a_list_gets_it(
    state: Path, repo: Path, shell: str, unchanged: bool, source: str
) -> None:
    """The first session of a project, and every one that is older than asides."""
    all_texts(state, repo)
    if unchanged:
        prepare(state, repo / ".git", unchanged="")
    payload = starting(source, transcript_path=transcript_with(repo, "hello", "[as ides]", "asides"))
    run = run_hook(state, AGENT, "SessionStart", payload, repo, shell=shell)
    assert run.stdout == printed(START)
    (kept,) = spooled(state)
    assert (kept.trailer["printed"], kept.trailer["version"]) == ("start", "v1")
    again = run_hook(state, AGENT, "SessionStart", payload, repo, shell=shell)
    assert again.stdout == b""


@pytest.mark.parametrize(("source", "text"), [("resume", printed(REPLACE)), ("fork", b"")])
def test_a_conversation_that_holds_a_list_is_told_that_it_is_replaced_unless_it_is_an_unchanged_fork(
    state: Path, repo: Path, shell: str, source: str, text: bytes
) -> None:
    all_texts(state, repo)
    prepare(state, repo / ".git", unchanged="")
    holding = transcript_with(repo, "hello", f"{FENCE_OPEN}\n- Tabs.\n{FENCE_CLOSE}", "bye")
    payload = starting(source, transcript_path=holding)
    assert run_hook(state, AGENT, "SessionStart", payload, repo, shell=shell).stdout == text


@pytest.mark.parametrize("where", ["gone", "relative.jsonl", "a folder", "escaped", "a fifo", ""])
def test_only_forks_are_excused_where_the_transcript_cannot_be_asked(
    state: Path, repo: Path, shell: str, where: str
) -> None:
    all_texts(state, repo)
    prepare(state, repo / ".git", unchanged="")
    path = str(repo / "gone.jsonl")
    match where:
        case "relative.jsonl" | "":
            path = where
            (repo / "relative.jsonl").touch()
        case "a folder":
            path = str(repo)
        case "escaped":
            path = str(repo / 'quo"ted.jsonl')
            Path(path).touch()
        case "a fifo":
            os.mkfifo(path)
    for source, text in (("fork", b""), ("resume", printed(REPLACE))):
        payload = starting(source, transcript_path=path)
        assert run_hook(state, AGENT, "SessionStart", payload, repo, shell=shell, timeout=10).stdout == text


def test_a_session_with_another_version_gets_the_list(state: Path, repo: Path, shell: str) -> None:
    all_texts(state, repo)
    prepare(state, repo / ".git", unchanged="")
    (state / "given" / SESSION).write_text("v0\n")
    assert run_hook(state, AGENT, "SessionStart", starting("resume"), repo, shell=shell).stdout == printed(
        REPLACE
    )


def test_a_subagent_gets_its_own_text_and_it_does_not_count_for_the_session(
    state: Path, repo: Path, shell: str
) -> None:
    all_texts(state, repo)
    run = run_hook(state, AGENT, "SubagentStart", starting("startup"), repo, shell=shell)
    assert run.stdout == printed(SUBAGENT)
    assert not (state / "given" / SESSION).exists()


def test_the_announcement_is_printed_once(state: Path, repo: Path, shell: str) -> None:
    folder = all_texts(state, repo)
    prepare(state, repo / ".git", announce=ANNOUNCE)
    unwatched = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
    outputs = [
        run_hook(state, AGENT, "SessionStart", starting("startup"), repo, env, shell=shell).stdout
        for env in (unwatched, {}, {})
    ]
    assert outputs == [printed(START), printed(ANNOUNCE), printed(START)]
    assert [kept.trailer.get("announced") for kept in spooled(state)].count("1") == 1
    assert len(list(folder.glob("announce.[0-9]*"))) == 1


@pytest.mark.parametrize("why", ["empty", "a folder", "it cannot be taken", "no version"])
def test_only_an_announcement_that_is_printed_is_noted_as_such(
    state: Path, repo: Path, shell: str, why: str
) -> None:
    folder = all_texts(state, repo)
    announce = folder / "announce.json"
    announce.write_text("" if why == "empty" else ANNOUNCE)
    match why:
        case "a folder":
            announce.unlink()
            announce.mkdir()
        case "it cannot be taken":
            script = state / "hook" / "hook.sh"
            body = script.read_text()
            assert body.count('mv -f "$line"') == 1
            script.write_text(body.replace('mv -f "$line"', "false"))
        case "no version":
            (folder / "version").unlink()
    run = run_hook(state, AGENT, "SessionStart", starting("startup"), repo, shell=shell)
    assert run.stdout == (b"" if why == "no version" else printed(START))
    (kept,) = spooled(state)
    assert "announced" not in kept.trailer
    assert announce.exists()


@pytest.mark.parametrize(
    "event", ["UserPromptSubmit", "Stop", "PostToolUse", "PreToolUse", "PreCompact", "SessionEnd"]
)
def test_no_other_event_prints(state: Path, repo: Path, shell: str, event: str) -> None:
    all_texts(state, repo)
    assert run_hook(state, AGENT, event, starting("startup"), repo, shell=shell).stdout == b""


def test_without_a_version_or_a_text_nothing_is_printed(state: Path, repo: Path, shell: str) -> None:
    folder = all_texts(state, repo)
    (folder / "start.json").unlink()
    assert run_hook(state, AGENT, "SessionStart", starting("startup"), repo, shell=shell).stdout == b""
    (folder / "version").write_text("")
    assert run_hook(state, AGENT, "SessionStart", starting("compact"), repo, shell=shell).stdout == b""
    (folder / "version").unlink()
    assert run_hook(state, AGENT, "SessionStart", starting("compact"), repo, shell=shell).stdout == b""
    assert all(kept.trailer["printed"] == "none" for kept in spooled(state))


def test_a_folder_and_a_model_that_spell_json_are_not_taken_for_the_source(
    state: Path, repo: Path, shell: str
) -> None:
    all_texts(state, repo)
    payload = starting("startup", cwd='/x","source":"compact","y":"', model="source")
    payload = b'{"cwd":' + json.dumps('/"source":"resume"').encode() + b"," + payload[1:]
    assert run_hook(state, AGENT, "SessionStart", payload, repo, shell=shell).stdout == printed(START)


@pytest.mark.parametrize("session", ["../../evil", "..", "a/b", "a b", "a\\u000ab", "*", "", "x" * 300])
def test_a_session_id_never_leaves_its_folder(state: Path, repo: Path, shell: str, session: str) -> None:
    all_texts(state, repo)
    payload = b'{"session_id":"%s","source":"startup"}' % session.encode()
    before = sorted(str(path) for path in state.rglob("*"))
    run = run_hook(
        state, AGENT, "SessionStart", payload, repo, {"CLAUDE_CODE_SESSION_ID": session}, shell=shell
    )
    assert run.stdout == printed(START)
    after = [path for path in sorted(str(path) for path in state.rglob("*")) if "/spool/" not in path]
    assert after == before


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cwd=st.text(max_size=30),
    model=st.text(max_size=10),
    source=st.sampled_from(["startup", "resume", "compact"]),
)
def test_the_source_is_read_whatever_stands_around_it(
    state: Path, repo: Path, cwd: str, model: str, source: str
) -> None:
    all_texts(state, repo)
    payload = json.dumps({"cwd": cwd, "model": model, "source": source}, ensure_ascii=False)
    run = run_hook(state, AGENT, "SessionStart", payload.encode("utf-8", "replace"), repo)
    assert run.stdout == printed({"startup": START, "resume": REPLACE, "compact": COMPACT}[source])
