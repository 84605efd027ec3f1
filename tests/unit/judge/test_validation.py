"""Each check refuses what it is for, and says so with its measure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.judge.mask import not_own_words
from asides.judge.question import is_question
from asides.judge.validation import CHECKS, grounded, validate
from asides.model.entry import Framing, Source
from asides.model.judgment import Draft, Packet, Reason
from asides.model.turn import ProjectId, SessionId, Turn, TurnId, Via

RULE = "never mock the database in tests"


def packet(message: str, *, previous: str = "", reply: str = "", delivered: tuple[str, ...] = ()) -> Packet:
    turn = Turn(
        id=TurnId("t1"),
        session=SessionId("s1"),
        project=ProjectId("p1"),
        agent="claude-code",
        via=Via.TYPED,
        said_at="2026-11-30T10:00:00.000Z",
        message=message,
        previous=previous,
        reply=reply,
        masked=not_own_words(message, delivered),
    )
    return Packet(turn=turn, delivered=delivered)


def draft(body: str, message: str | None = None, **other: object) -> Draft:
    start = (message or body).index(body)
    facts: dict[str, object] = {
        "body": body,
        "start": start,
        "end": start + len(body),
        "kind": "law",
        "framing": Framing.PASSING,
        "source": Source.HUMAN,
        "score": 0.9,
    }
    return Draft(**(facts | other))  # type: ignore[arg-type]


def refusals(one: Draft, seen: Packet, floor: float = 0.3) -> list[Reason]:
    return [verdict.reason for verdict in validate(one, seen, floor=floor) if not verdict.passed]


def test_a_rule_in_the_persons_own_words_passes_every_check() -> None:
    message = f"fix the bug, and {RULE}"
    verdicts = validate(draft(RULE, message), packet(message), floor=0.3)
    assert [v.reason for v in verdicts] == [Reason.OK] * (len(CHECKS) + 1)


def test_every_check_reports_also_after_the_first_refusal() -> None:
    verdicts = validate(draft("x?", kind="mood", score=0.1), packet("y"), floor=0.3)
    assert len(verdicts) == len(CHECKS) + 1
    assert {v.reason for v in verdicts if not v.passed} >= {
        Reason.NOT_VERBATIM,
        Reason.NOT_GROUNDED,
        Reason.UNKNOWN_KIND,
        Reason.TOO_SHORT,
        Reason.QUESTION,
        Reason.BELOW_FLOOR,
    }


@given(st.text(min_size=1), st.integers(-5, 40), st.integers(-5, 40))
def test_only_an_exact_span_is_verbatim(message: str, start: int, end: int) -> None:
    exact = 0 <= start < end <= len(message)
    body = message[start:end] if exact else "something else"
    one = Draft(
        body=body, start=start, end=end, kind="law", framing=Framing.PASSING, source=Source.HUMAN, score=1.0
    )
    assert (Reason.NOT_VERBATIM not in refusals(one, packet(message))) == exact


def test_an_agents_words_come_from_its_reply() -> None:
    seen = packet("go on", reply=f"Noted: {RULE}.")
    assert refusals(draft(RULE, source=Source.AGENT), seen) == []
    assert Reason.NOT_VERBATIM in refusals(draft("never use mocks for it", source=Source.AGENT), seen)


@given(st.lists(st.text(alphabet="abcdefghij", min_size=2, max_size=8), min_size=1, max_size=12))
def test_a_draft_copied_word_for_word_is_always_grounded(said: list[str]) -> None:
    spoken = " ".join(said)
    assert grounded(spoken, (spoken,)) == 1.0


SCRIPTS = {
    "Latin": ("nie die Datenbank verändern", "bitte die Zahlen prüfen"),
    "Cyrillic": ("никогда не меняй базу данных", "проверь пожалуйста отчёт"),
    "Devanagari": ("डेटाबेस कभी मत बदलो", "रिपोर्ट जाँच करो"),
    "Arabic": ("لا تغير قاعدة البيانات", "افحص التقرير"),
    "Chinese": ("不要修改数据库", "检查报告"),
    "Japanese": ("データベースを変更しないで", "レポートを見て"),
    "Korean": ("데이터베이스를 바꾸지 마세요", "보고서 확인"),
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_grounding_counts_words_of_any_script(script: str) -> None:
    rule, other = SCRIPTS[script]
    assert refusals(draft(rule, f"{other} — {rule}"), packet(f"{other} — {rule}")) == []
    assert grounded(rule, (other,)) < 0.3
    assert Reason.NOT_GROUNDED in refusals(draft(rule), packet(other))


def test_what_is_grounded_only_in_our_own_text_is_refused() -> None:
    ours = f"[asides]\nrules: {RULE}\n[/asides]"
    message = f"{ours}\n\nfix the header"
    assert {Reason.OUR_OWN_WORDS, Reason.NOT_OWN_WORDS} <= set(
        refusals(draft(RULE, message), packet(message, delivered=(ours,)))
    )
    again = f"as I said: {RULE}"
    assert refusals(draft(RULE, again), packet(again, delivered=(ours,))) == []


@pytest.mark.parametrize("wrap", ["> {}", "```\n{}\n```", "<system-reminder>{}</system-reminder>"])
def test_pasted_quoted_and_injected_words_are_not_the_persons(wrap: str) -> None:
    message = f"look at this\n{wrap.format(RULE)}\nok"
    assert Reason.NOT_OWN_WORDS in refusals(draft(RULE, message), packet(message))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("Yarn.", Reason.TOO_SHORT),
        ("never", Reason.TOO_SHORT),
        ("不要用", Reason.TOO_SHORT),
        ("never " * 100, Reason.TOO_LONG),
        ("[redacted:github] [redacted:secret]", Reason.ONLY_SECRETS),
        ("token [redacted:github]", Reason.ONLY_SECRETS),
    ],
)
def test_what_says_too_little_or_too_much_is_refused(body: str, reason: Reason) -> None:
    assert reason in refusals(draft(body.strip(), body), packet(body))


@pytest.mark.parametrize(
    "body", ["use pnpm here", "不要用 npm", "не трогай прод", "rotate [redacted:aws] every month"]
)
def test_short_rules_of_any_script_pass(body: str) -> None:
    assert refusals(draft(body), packet(body)) == []


@pytest.mark.parametrize(
    "asked",
    [
        "should we use pnpm here?",
        "what is the port of the test database?",
        "can you add a retry to the client?",
        "does this run on windows ?",
        "did you write the tests?",
        "这个要改吗？",
        "هل نستخدم npm؟",
        "why does the build fail on main",
        "is there a way to run only one test",
        "what about the mobile app?",
    ],
)
def test_a_question_is_nothing_to_keep(asked: str) -> None:
    assert is_question(asked)


@pytest.mark.parametrize(
    "said",
    [
        "can you please always run the linter first?",
        "could you from now on answer in German?",
        "why did you push to main again?",
        "why did you touch anything below the generated folder?",
        "how many times do I have to say no mocks?",
        "we use pnpm here, ok?",
        "no mocks in this repo, right?",
        "the port is taken by the other app; maybe use 3001?",
        "never push on friday. got it?",
        "when you add an endpoint, update the list",
        "what goes into docs/ is written in English",
        "how we name branches: feat/ then the ticket",
        "leave the pagination, can we pick this up tomorrow?",
    ],
)
def test_a_reproach_a_standing_request_or_a_tag_is_not_a_question(said: str) -> None:
    assert not is_question(said)


def test_the_writers_floor_refuses_and_shows_the_score() -> None:
    verdict = validate(draft(RULE, score=0.29), packet(RULE), floor=0.3)[-1]
    assert (verdict.passed, verdict.reason, verdict.measure) == (False, Reason.BELOW_FLOOR, 0.29)
