"""The template of training is the template of serving, compared as strings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asides.training.examples import Example
from asides.training.template import IGNORED, OtherTemplate, encoded, form_for, rendered
from asides.writers.generative import prompts
from asides.writers.generative.prompts import Prompt
from asides.writers.generative.template import END, Form, written

# What ends the templates of Qwen3 and of SmolLM2: the second knows nothing of thinking.
CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}"
)
QWEN = (
    CHATML + "{% if enable_thinking is defined and enable_thinking is false %}"
    "{{ '<think>\n\n</think>\n\n' }}{% endif %}{% endif %}"
)
SMOL = CHATML + "{% endif %}"


class Letters:
    """A tokenizer whose tokens are characters, with a chat template rendered as the real ones do it."""

    def __init__(self, chat_template: str | None) -> None:
        self.chat_template = chat_template

    def __call__(self, text: str, *, add_special_tokens: bool) -> dict[str, list[int]]:
        assert not add_special_tokens
        return {"input_ids": [ord(letter) for letter in text]}

    def apply_chat_template(self, turns: list[dict[str, str]], **more: Any) -> str:
        sandbox = pytest.importorskip("jinja2.sandbox", reason="jinja2 comes with asides[lora]")
        page = sandbox.ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
        assert more.pop("tokenize") is False
        return str(page.from_string(self.chat_template).render(messages=turns, **more))


def text(ids) -> str:
    return "".join(map(chr, ids))


PROMPT = prompts.salience("Fix it, and from now on httpx only", "Done.")


@pytest.mark.parametrize(("template", "form"), [(QWEN, Form.NO_THOUGHT), (SMOL, Form.PLAIN)])
def test_what_serving_sends_is_what_the_models_own_template_writes_without_thinking(template, form):
    tokenizer = Letters(template)
    assert form_for(tokenizer, "base") is form
    assert rendered(tokenizer, PROMPT) == written(PROMPT, form)


@given(system=st.text(max_size=40), user=st.text(max_size=80))
def test_that_holds_for_any_question(system, user):
    prompt = Prompt(system=system, user=user)
    assert rendered(Letters(QWEN), prompt) == written(prompt, Form.NO_THOUGHT)
    assert rendered(Letters(SMOL), prompt) == written(prompt, Form.PLAIN)


def test_a_model_whose_template_writes_anything_else_is_refused_before_training():
    chatty = QWEN.replace("{% for m", "{{ '<|im_start|>system\nBe nice.<|im_end|>\n' }}{% for m")
    with pytest.raises(OtherTemplate, match="Be nice"):
        form_for(Letters(chatty), "base")
    with pytest.raises(OtherTemplate, match="not ChatML"):
        form_for(Letters("[INST]{{ messages }}[/INST]"), "base")
    with pytest.raises(OtherTemplate, match="it has none"):
        form_for(Letters(None), "base")


@pytest.mark.parametrize("form", Form)
def test_only_the_answer_and_its_end_are_learned(form):
    answer = "MEMORY | kind=law | source=human | anchor=general | from now on httpx only"
    made = encoded(Example(prompt=PROMPT, answer=answer), Letters(SMOL), form)
    question = written(PROMPT, form)
    assert text(made.ids) == question + answer + END
    assert len(made.labels) == len(made.ids)
    assert set(made.labels[: len(question)]) == {IGNORED}
    assert text(made.labels[len(question) :]) == answer + END
