"""The one template of training and serving, checked against the model's own before anything is trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from asides.model.errors import Refused
from asides.training.examples import Example
from asides.writers.generative.prompts import Prompt
from asides.writers.generative.template import END, Form, form_of, written

IGNORED = -100  # a label that takes no part in the loss


class OtherTemplate(Refused):
    """The model in {base} cannot be asked in the form that asides serves: {why}."""

    hint = "Take a model whose chat template is ChatML, such as Qwen3 or SmolLM2."


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """An example as tokens; the labels of the question are IGNORED, so that only the answer is learned."""

    ids: tuple[int, ...]
    labels: tuple[int, ...]


def form_for(tokenizer: Any, base: str) -> Form:
    """Returns the form of a model.

    Raises OtherTemplate unless its own template writes exactly what is served.
    """
    own = tokenizer.chat_template or ""
    form = form_of(own)
    if form is None:
        raise OtherTemplate(base=base, why="its chat template is not ChatML" if own else "it has none")
    probe = Prompt(system="Answer NONE.", user="The developer:\nnever  do 'that'\n\n  again")
    theirs = rendered(tokenizer, probe)
    if theirs != written(probe, form):
        raise OtherTemplate(base=base, why=f"its own template writes {theirs!r}")
    return form


def rendered(tokenizer: Any, prompt: Prompt) -> str:
    """Returns what the model's own template writes of a prompt, told not to think."""
    turns = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]
    return str(
        tokenizer.apply_chat_template(
            turns, tokenize=False, add_generation_prompt=True, enable_thinking=False
        )
    )


def encoded(example: Example, tokenizer: Any, form: Form) -> Encoded:
    """Returns the tokens of a question, as serving has them, and behind them those of the answer and its end.

    They are cut apart where serving begins to generate: the question is tokenized alone there.
    """
    question = _tokens(tokenizer, written(example.prompt, form))
    answer = [*_tokens(tokenizer, example.answer), *_tokens(tokenizer, END)]
    return Encoded(ids=(*question, *answer), labels=(*(IGNORED for _ in question), *answer))


def _tokens(tokenizer: Any, text: str) -> list[int]:
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])
