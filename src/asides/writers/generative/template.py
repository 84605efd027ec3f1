"""How a question becomes the text that a model goes on from: ChatML, with thinking switched off.

One function, used by training and by serving. What Qwen3's own template writes when it is told not to think
is an empty thought before the answer; models that never think get none.
"""

from __future__ import annotations

from enum import StrEnum

from asides.writers.generative.prompts import Prompt

END = "<|im_end|>"


class Form(StrEnum):
    """The dialect of a model's template."""

    PLAIN = "plain"  # ChatML: SmolLM2, Qwen2.5
    NO_THOUGHT = "no_thought"  # ChatML of a model that would think: Qwen3


def written(prompt: Prompt, form: Form) -> str:
    """Returns the text up to the place where the answer begins."""
    asked = f"<|im_start|>system\n{prompt.system}{END}\n<|im_start|>user\n{prompt.user}{END}\n"
    thought = "<think>\n\n</think>\n\n" if form is Form.NO_THOUGHT else ""
    return f"{asked}<|im_start|>assistant\n{thought}"


def form_of(chat_template: str) -> Form | None:
    """Returns the form of a model by its own template, or None where it is not ChatML."""
    if "<|im_start|>" not in chat_template or END not in chat_template:
        return None
    return Form.NO_THOUGHT if "enable_thinking" in chat_template else Form.PLAIN
