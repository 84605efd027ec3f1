"""How close two texts are in meaning: cosines of sentence vectors, from a small model on one thread."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from asides.model.errors import WriterUnavailable
from asides.writers.runtime import opened

WEIGHTS = Path(__file__).parent / "weights"
MODEL_FILE = Path("meaning") / "model.int8.onnx"
TOKENIZER_FILE = "tokenizer.json"  # shared with the writer: both read the vocabulary of the same base
# all-MiniLM-L6-v2, pooled and in int8, as train/meaning.py writes it.
MODEL_SHA256 = "2b1e418751c023c2133b2b5837a2e3992619de4e6af009462d73155b116d37d2"

WIDTH = 384  # numbers of one vector
MOST_TOKENS = 128  # the model was trained on no more; a body has at most some hundred
REMEMBERED = 4_096  # vectors kept by text, 6 MB at most


class Meaning:
    """Sentence vectors of unit length, each text read once as long as it is remembered.

    The model is loaded when the first text is read. Raises WriterUnavailable then where it is missing,
    damaged or not the one that is named here.
    """

    def __init__(self, folder: Path = WEIGHTS, *, sha256: str = MODEL_SHA256) -> None:
        self._folder = folder
        self._sha256 = sha256
        self._loaded: tuple[Tokenizer, Any] | None = None
        self._known: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self.texts_read = 0  # texts that the model was run on: the measure of its work

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Returns one row of unit length for each text."""
        rows = [self._vector(text) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, WIDTH), dtype=np.float32)

    def closeness(self, text: str, others: Sequence[str]) -> tuple[float, ...]:
        """Returns the cosine, -1 to 1, of a text to each of the others."""
        if not others:
            return ()
        return tuple(float(one) for one in self.vectors(others) @ self._vector(text))

    def _vector(self, text: str) -> NDArray[np.float32]:
        found = self._known.pop(text, None)
        if found is None:
            found = self._read(text)
        self._known[text] = found
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return found

    def _read(self, text: str) -> NDArray[np.float32]:
        tokenizer, session = self._loaded = self._loaded or _load(self._folder, self._sha256)
        self.texts_read += 1
        tokens = tokenizer.encode(text).ids
        if len(tokens) > MOST_TOKENS:
            tokens = [*tokens[: MOST_TOKENS - 1], tokens[-1]]
        (vectors,) = session.run(None, {"input_ids": np.array([tokens], dtype=np.int64)})
        return np.asarray(vectors[0], dtype=np.float32)


def _load(folder: Path, sha256: str) -> tuple[Tokenizer, Any]:
    try:
        model = (folder / MODEL_FILE).read_bytes()
        tokens = (folder / TOKENIZER_FILE).read_bytes()
    except OSError as fault:
        raise _unavailable(folder, f"{fault.filename} cannot be read ({fault.strerror})") from fault
    found = hashlib.sha256(model).hexdigest()
    if found != sha256:
        raise _unavailable(folder, f"{MODEL_FILE} is another one (sha256 {found[:12]}, not {sha256[:12]})")
    try:
        tokenizer = Tokenizer.from_buffer(tokens)
        session = opened(folder / MODEL_FILE)
    # Both libraries raise classes of their own that share no base but Exception.
    except Exception as fault:
        raise _unavailable(folder, f"it does not load ({fault})") from fault
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer, session


def _unavailable(folder: Path, why: str) -> WriterUnavailable:
    return WriterUnavailable(name=f"sentence vectors in {folder}", why=why)
