"""What a person did not write is masked, what a person wrote is not."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.judge.mask import blanked, merged, not_own_words, overlap
from asides.model.delivery import FENCE_CLOSE, FENCE_OPEN

OWN = "and never mock the database"

FOREIGN = {
    "our own text": f"{FENCE_OPEN}\nthe developer's rules: use pnpm\n{FENCE_CLOSE}",
    "our own text cut off": f"{FENCE_OPEN}\nthe developer's rules: use pnpm",
    "a reminder of the tool": "<system-reminder>always be brief</system-reminder>",
    "a reminder cut off": "<system-reminder>always be brief",
    "a tag with attributes": '<tool_output id="3">never do that</tool_output>',
    "a code fence": "```py\n# always close the file\nopen(x)\n```",
    "a fence with tildes": "~~~\nnever\n~~~",
    "a fence never closed": "```\nnever again",
    "a longer fence around a shorter": "````\n```\nnever\n```\n````",
    "a quotation": "> you must always rebase\n> and never merge",
    "a Python traceback": (
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\nValueError: never do this'
    ),
    "a log": (
        "2026-11-30 10:00:01 INFO up\n2026-11-30 10:00:02 WARN always retry\n2026-11-30 10:00:03 ERROR down"
    ),
    "a Java trace": (
        "java.lang.IllegalStateException: never\n"
        "\tat com.acme.A.f(A.java:10)\n"
        "\tat com.acme.B.g(B.java:20)\n"
        "\tat com.acme.C.h(C.java:3)"
    ),
    "a JavaScript trace": (
        "TypeError: x is not a function\n"
        "    at f (src/a.ts:1:2)\n"
        "    at g (src/b.ts:3:4)\n"
        "    at h (src/c.ts:5:6)"
    ),
    "a diff": (
        "diff --git a/x b/x\nindex 12ab..34cd 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-never\n+always\n"
    ),
    "compiler output": "src/a.rs:1:2: error\nsrc/b.rs:3:4: warning\nsrc/c.rs:5:6: error",
    "npm output": "npm ERR! code E404\nnpm ERR! 404 never\nnpm ERR! A log",
    "a shell session": "$ make test\n$ git push\n$ ls -la",
    "code without a fence": "const a = 1;\nfunction f() {\n  return always;\n}\n",
    "JSON": '{\n  "rule": "always",\n  "level": 3,\n  "on": true\n}',
}


@pytest.mark.parametrize("name", FOREIGN)
def test_what_was_pasted_or_put_in_is_masked_and_the_words_before_it_are_not(name: str) -> None:
    message = f"fix this {OWN}\n\n{FOREIGN[name]}"
    own_end = message.index("\n")
    spans = not_own_words(message)
    assert overlap(0, own_end, spans) == 0.0
    start = len(message) - len(FOREIGN[name])
    first_line = FOREIGN[name].partition("\n")[0]
    assert (
        overlap(start + len(first_line) + 1, len(message), spans) > 0.9
        or overlap(start, len(message), spans) > 0.9
    )


@pytest.mark.parametrize("name", [n for n in FOREIGN if "cut off" not in n and "never closed" not in n])
def test_words_after_what_was_pasted_are_the_persons_again(name: str) -> None:
    message = f"{FOREIGN[name]}\n\n{OWN} please"
    spans = not_own_words(message)
    start = message.index(OWN)
    assert overlap(start, len(message), spans) == 0.0


PERSONAL = [
    "use tabs, not spaces",
    "rules:\n- never push to main\n- always run the tests\n- use pnpm",
    "rules:\n* never push to main\n* always run the tests\n* use pnpm",
    "1. never push\n2. always test\n3. ask me first",
    "# Rules\n## Naming\n### Files\nuse kebab case",
    "from now on use pnpm\nfrom here on no mocks\nfrom then on tests first",
    "Note: always rebase\nImportant: never merge\nAlso: squash",
    "a <div> must never hold a <p>",
    "when x > 3 stop\nwhen y < 2 go on",
    "use `pnpm` and ``make check``",
    "- fixed it\n- the plus sign: a + b\n+ one more thing",
    "我们从不提交代码。\n永远使用中文回答。\n不要修改数据库。",
    "never edit generated files;\nalways run make gen;\nask before you touch the schema and never guess;",
    "error handling: we return results\nwarnings are errors\nnotes go to docs/",
    "at work we never deploy on friday\nat home I use fish\nat no time push",
]


@pytest.mark.parametrize("message", PERSONAL)
def test_a_persons_own_lines_and_lists_are_not_masked(message: str) -> None:
    assert not_own_words(message) == ()


def test_two_delivered_lines_in_a_row_are_a_copy_one_alone_is_not() -> None:
    delivered = [
        "Rules of the developer:\n- never mock the database in tests\n- answer in short messages please\n"
    ]
    copied = "look:\n- never mock the database in tests\n- answer in short messages please\nok"
    assert overlap(6, copied.rindex("ok"), not_own_words(copied, delivered)) == 1.0
    said = "again:\n- never mock the database in tests\nok"
    assert not_own_words(said, delivered) == ()


BITS = st.sampled_from(
    [
        "```",
        "~~~",
        "\n",
        "> ",
        "<a-b>",
        "</a-b>",
        FENCE_OPEN,
        FENCE_CLOSE,
        "never",
        " ",
        "@@ -1 @@",
        "x;",
        "Ж",
    ]
)


@given(st.lists(BITS, max_size=40).map("".join))
def test_masks_are_ordered_disjoint_and_inside_and_blanking_keeps_every_position(message: str) -> None:
    spans = not_own_words(message)
    assert list(spans) == sorted(spans)
    assert all(0 <= start < end <= len(message) for start, end in spans)
    assert all(a[1] < b[0] or a[1] <= b[0] for a, b in pairwise(spans))
    blank = blanked(message, spans)
    assert len(blank) == len(message)
    assert all(a == b or b == " " for a, b in zip(message, blank, strict=True))


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50))))
def test_merging_spans_covers_the_same_positions(spans: list[tuple[int, int]]) -> None:
    def covered(some: object) -> set[int]:
        return {i for a, b in some for i in range(a, b)}  # type: ignore[attr-defined]

    assert covered(merged(spans)) == covered(spans)
