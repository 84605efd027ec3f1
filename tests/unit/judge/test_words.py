"""Words are counted in every script."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.judge import words as module
from asides.judge.words import breadth, content_words, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Don't push to main.", ["don't", "push", "to", "main"]),
        ("Don’t", ["don't"]),
        ("café Größe", ["café", "grösse"]),
        ("не коммить в мастер", ["не", "коммить", "в", "мастер"]),
        ("हमेशा टेस्ट चलाओ", ["हमेशा", "टेस्ट", "चलाओ"]),
        ("لا تستخدم npm", ["لا", "تستخدم", "npm"]),
        ("不要提交代码", ["不要", "提交", "交代", "代码"]),
        ("テスト", ["テス", "スト"]),
        ("항상 테스트 실행", ["항상", "테스트", "실행"]),
        ("ห้ามใช้", None),
        ("", []),
        ("?!", []),
    ],
)
def test_words_of_ten_scripts_are_found_whole(text: str, found: list[str] | None) -> None:
    if found is None:
        assert len(words(text)) == len(text) - 1
    else:
        assert words(text) == [unicodedata.normalize("NFKC", word) for word in found]


@pytest.mark.parametrize(
    "block", [(0x300, 0x370), (0x900, 0xE00), (0x610, 0x700), (0x591, 0x5C8), (0xE30, 0xE50)]
)
def test_every_combining_mark_belongs_to_its_word(block: tuple[int, int]) -> None:
    letters = {0x300: "a", 0x900: "क", 0x610: "ب", 0x591: "ש", 0xE30: "ก"}[block[0]]
    cut = [
        f"U+{code:04X}"
        for code in range(*block)
        if unicodedata.category(chr(code)).startswith("M")
        and not re.fullmatch(module._WORD, letters + chr(code) + letters)
    ]
    assert cut == []


def test_content_words_leave_out_what_carries_nothing_but_keep_negations() -> None:
    assert content_words("please do not use the npm in here") == ["not", "use", "npm"]
    assert content_words("it is what it is") == ["it", "is", "what", "it", "is"]


def test_characters_of_unspaced_scripts_count_twice() -> None:
    assert breadth("abc") == 3
    assert breadth("不要") == 4


@given(st.text())
def test_words_are_found_in_any_text_and_finding_them_again_changes_nothing(text: str) -> None:
    for word in words(text):
        assert word
        assert not word.isspace()
