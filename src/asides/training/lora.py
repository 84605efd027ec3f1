"""Trains a low-rank adapter on the answers, and merges it into the model."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging

from asides.model.errors import NotFound
from asides.training.recipe import Recipe
from asides.training.template import IGNORED, Encoded

Told = Callable[[str], None]


class NoBase(NotFound):
    """The model to start from, {base}, cannot be read: {why}."""

    hint = "Give a GGUF file, or a folder with safetensors, config.json and the tokenizer."


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """What came of it. `losses`: of each step, in nats for a token of the answers."""

    model: Any
    losses: tuple[float, ...]
    trainable: int  # parameters of the adapter
    tokens: int  # that were computed, questions and answers
    seconds: float


def load(base: Path) -> tuple[Any, Any]:
    """Returns the tokenizer and the model of a GGUF file or a folder. Raises NoBase."""
    if base.is_dir():
        folder, more = base, {}
    elif base.is_file():
        folder, more = base.parent, {"gguf_file": base.name}
    else:
        raise NoBase(base=base, why="there is nothing of this name")
    logging.disable_progress_bar()
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, **more)
        model = AutoModelForCausalLM.from_pretrained(
            folder, local_files_only=True, dtype=torch.float32, **more
        )
    # The libraries raise whatever the file's part of them raises.
    except Exception as fault:
        raise NoBase(base=base, why=f"{type(fault).__name__}: {fault}") from fault
    # What was read from a GGUF file is dequantised now, but still says otherwise, and would not be saved.
    model.hf_quantizer = None
    if hasattr(model.config, "quantization_config"):
        del model.config.quantization_config
    return tokenizer, model


def train(model: Any, examples: Sequence[Encoded], padding: int, recipe: Recipe, *, told: Told) -> Trained:
    """Returns the model with an adapter trained by the recipe; `padding` is the token that fills up."""
    torch.manual_seed(recipe.seed)
    place = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.config.use_cache = False
    if recipe.checkpointing:
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
        model.enable_input_require_grads()
    layers = LoraConfig(
        r=recipe.rank, lora_alpha=recipe.alpha, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    model = get_peft_model(model, layers).to(place)
    model.train()
    weights = [each for each in model.parameters() if each.requires_grad]
    steps = _steps(len(examples), recipe)
    optimizer = torch.optim.AdamW(weights, lr=recipe.rate, weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step, steps, recipe.warmup))
    sixteen = not recipe.full_precision and _has_sixteen(place)
    began, losses, tokens = time.monotonic(), [], 0
    for number, batch in enumerate(_batches(examples, recipe, steps), 1):
        answered = sum(label != IGNORED for each in batch for label in each.labels)
        total = 0.0
        for part in _parts(batch, recipe.together):
            ids, mask, labels = (each.to(place) for each in _padded(part, padding))
            tokens += int(mask.sum())
            # Only the answers' end of the rows is told by the vocabulary, which is most of the memory.
            last = _answers(part, ids.shape[1])
            with torch.autocast(place.type, dtype=torch.bfloat16, enabled=sixteen):
                logits = model(input_ids=ids, attention_mask=mask, logits_to_keep=last).logits
            loss = _loss(logits, labels[:, -last:]) / answered
            loss.backward()
            total += float(loss.detach())
        torch.nn.utils.clip_grad_norm_(weights, recipe.clip)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad(set_to_none=True)
        losses.append(total)
        told(f"step {number} of {steps}, loss {total:.3f}")
    return Trained(
        model=model,
        losses=tuple(losses),
        trainable=sum(each.numel() for each in weights),
        tokens=tokens,
        seconds=time.monotonic() - began,
    )


def merged(trained: Trained) -> Any:
    """Returns the model with the adapter added to its weights, in 16 bits, so that it can be saved."""
    model = trained.model.merge_and_unload().to("cpu", dtype=torch.bfloat16)
    model.config.use_cache = True
    return model


def _steps(count: int, recipe: Recipe) -> int:
    whole = math.ceil(count / recipe.batch) * recipe.epochs
    return min(whole, recipe.steps or whole)


def _rate(step: int, steps: int, warmup: float) -> float:
    """Returns the share of the highest rate at a step: up in a line, down as a half cosine."""
    first = max(1, round(steps * warmup))
    if step < first:
        return (step + 1) / first
    return 0.5 * (1 + math.cos(math.pi * (step - first) / max(1, steps - first)))


def _has_sixteen(place: torch.device) -> bool:
    if place.type == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def _batches(examples: Sequence[Encoded], recipe: Recipe, steps: int) -> list[list[Encoded]]:
    """Returns the batches of all steps, each epoch in an order of its own."""
    chance = random.Random(recipe.seed)  # noqa: S311 - the same order must come out again
    found: list[list[Encoded]] = []
    while len(found) < steps:
        order = list(examples)
        chance.shuffle(order)
        found += [order[at : at + recipe.batch] for at in range(0, len(order), recipe.batch)]
    return found[:steps]


def _parts(batch: Sequence[Encoded], together: int) -> list[list[Encoded]]:
    """Returns a batch cut up; examples of like length are computed at once, so that little is filled up."""
    order = sorted(batch, key=lambda each: len(each.ids))
    return [order[at : at + together] for at in range(0, len(order), together)]


def _padded(part: Sequence[Encoded], padding: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    width = max(len(each.ids) for each in part)
    ids = torch.full((len(part), width), padding)
    labels = torch.full((len(part), width), IGNORED)
    mask = torch.zeros((len(part), width), dtype=torch.long)
    for row, each in enumerate(part):
        ids[row, : len(each.ids)] = torch.tensor(each.ids)
        labels[row, : len(each.labels)] = torch.tensor(each.labels)
        mask[row, : len(each.ids)] = 1
    return ids, mask, labels


def _answers(part: Sequence[Encoded], width: int) -> int:
    """Returns how many columns, from the right, hold all answers and the token before each."""
    first = min(next(place for place, label in enumerate(each.labels) if label != IGNORED) for each in part)
    return width - first + 1


def _loss(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Returns the summed loss over the tokens of the answers; each token is told by the one before it."""
    return torch.nn.functional.cross_entropy(
        logits[:, :-1].float().flatten(0, 1),
        labels[:, 1:].flatten(),
        ignore_index=IGNORED,
        reduction="sum",
    )
