"""The bundled writer: a small encoder, run by onnxruntime on one thread, that points at spans."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from asides.model.errors import WriterUnavailable
from asides.model.judgment import Proposal
from asides.writers.encoding import Encoded, Window, encode
from asides.writers.runtime import opened
from asides.writers.spans import COLUMNS, Calibration, candidates, proposals

WEIGHTS = Path(__file__).parent / "weights"
MODEL_FILE, TOKENIZER_FILE, CARD_FILE = "model.int8.onnx", "tokenizer.json", "card.json"


class CardCalibration(msgspec.Struct, frozen=True):
    """How logits become a probability."""

    keep: float
    turn: float
    bias: float


class Card(msgspec.Struct, frozen=True):
    """What is known of the weights: `card.json` beside them. Other keys are for people."""

    identity: str
    live_threshold: float
    floor: float
    calibration: CardCalibration
    model_sha256: str
    tokenizer_sha256: str


class Encoder:
    """A `Writer` over weights in a folder: `model.int8.onnx`, `tokenizer.json` and `card.json`.

    Raises WriterUnavailable where they are missing, damaged, or do not belong together.
    """

    def __init__(self, folder: Path = WEIGHTS) -> None:
        self._card = _card(folder)
        _checked(folder / MODEL_FILE, self._card.model_sha256)
        tokenizer = _checked(folder / TOKENIZER_FILE, self._card.tokenizer_sha256)
        self._tokenizer = _tokenizer(folder, tokenizer)
        self._session = _session(folder)
        self._calibration = Calibration(
            keep=self._card.calibration.keep,
            turn=self._card.calibration.turn,
            bias=self._card.calibration.bias,
        )
        self.windows_run = 0  # windows read since it was loaded: the measure of its work

    @property
    def identity(self) -> str:
        """Name and version of the weights."""
        return self._card.identity

    @property
    def live_threshold(self) -> float:
        """Score from which a proposal is live at once; chosen on turns not trained on (see the card)."""
        return self._card.live_threshold

    @property
    def floor(self) -> float:
        """Score under which a proposal is dropped."""
        return self._card.floor

    def salience(self, message: str, previous: str) -> tuple[Proposal, ...]:
        """Returns what may be worth keeping in `message`, given the agent's last words.

        Spans are exact, never overlap and come in order of `start`. Never raises on any text. Long
        messages are read at both ends only; see `encoding`.
        """
        encoded = self.read(message, previous)
        answers = [self._answer(window) for window in encoded.windows]
        return proposals(candidates(message, encoded.windows, answers), self._calibration)

    def read(self, message: str, previous: str) -> Encoded:
        """Returns the windows that `salience` runs the model on, and what it leaves out."""
        return encode(message, previous, self._tokenizer)

    def _answer(self, window: Window) -> NDArray[np.float32]:
        """Runs the model on one window."""
        self.windows_run += 1
        ids = window.ids[None]
        (answer,) = self._session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        return np.asarray(answer[0], dtype=np.float32)


def _unavailable(folder: Path, why: str) -> WriterUnavailable:
    return WriterUnavailable(name=f"encoder in {folder}", why=why)


def _card(folder: Path) -> Card:
    path = folder / CARD_FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Card)
    except OSError as fault:
        raise _unavailable(folder, f"{CARD_FILE} cannot be read ({fault.strerror})") from fault
    except msgspec.DecodeError as fault:
        raise _unavailable(folder, f"{CARD_FILE} is not a card ({fault})") from fault


def _checked(path: Path, sha256: str) -> bytes:
    """Returns a file's bytes if they are the ones that the card names."""
    try:
        content = path.read_bytes()
    except OSError as fault:
        raise _unavailable(path.parent, f"{path.name} cannot be read ({fault.strerror})") from fault
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise _unavailable(
            path.parent, f"{path.name} is not the one its card names (sha256 {found[:12]}, not {sha256[:12]})"
        )
    return content


def _tokenizer(folder: Path, content: bytes) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_buffer(content)
    # The library raises plain Exception and ValueError on a bad file.
    except Exception as fault:
        raise _unavailable(folder, f"{TOKENIZER_FILE} is not a tokenizer ({fault})") from fault
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _session(folder: Path) -> Any:
    try:
        session = opened(folder / MODEL_FILE)
        columns = session.get_outputs()[0].shape[-1]
    # onnxruntime raises its own classes, which share no base but Exception.
    except Exception as fault:
        raise _unavailable(folder, f"{MODEL_FILE} cannot be run ({fault})") from fault
    if columns != COLUMNS:
        raise _unavailable(folder, f"{MODEL_FILE} answers {columns} columns, not {COLUMNS}")
    return session
