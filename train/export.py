"""Exports checkpoints to int8 ONNX, checks the result against the networks, and writes its card.

    PYTHONPATH=src python train/export.py --run train/runs/a-all train/runs/b-all --epoch 1 2 \
        --crossfit train/runs/crossfit.json

Calibration and thresholds are those that `crossfit.py` found with networks trained alike, each on turns of
projects that it never saw.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from eightbits import reduced
from examples import Labelled, labelled, rows
from network import Several, restored, tokenizer_of
from tokenizers import Tokenizer
from torch import nn

from asides.writers.encoding import Window, encode
from asides.writers.spans import KEEP
from train import DEV, answering, turns_of

WEIGHTS = Path(__file__).parent.parent / "src" / "asides" / "writers" / "weights"
AGREEMENT = 0.97  # share of clauses on which int8 and fp32 fall on the same side of one half


def options() -> argparse.Namespace:
    """Reads the command line."""
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument(
        "--run",
        type=Path,
        nargs="+",
        required=True,
        help="folders that train.py wrote; the answers of several are taken together",
    )
    say.add_argument("--epoch", type=int, nargs="+", required=True, help="weights of several are averaged")
    say.add_argument("--crossfit", type=Path, required=True, help="what crossfit.py wrote")
    say.add_argument("--dev", type=Path, default=DEV)
    say.add_argument("--identity", default="encoder-4")
    say.add_argument("--out", type=Path, default=WEIGHTS)
    return say.parse_args()


def together(runs: list[Path], epochs: list[int]) -> Several:
    """Returns the networks of some runs, each with the mean of the weights after these epochs."""
    return Several([restored([run / f"epoch-{n}.pt" for n in epochs]) for run in runs]).eval()


def exported(network: nn.Module, path: Path) -> None:
    """Writes the network as fp32 ONNX with free batch and length."""
    ids = torch.ones((1, 16), dtype=torch.int64)
    torch.onnx.export(
        network,
        (ids, torch.ones_like(ids)),
        str(path),
        input_names=["input_ids", "attention_mask"],
        output_names=["answers"],
        dynamic_axes={name: {0: "batch", 1: "length"} for name in ("input_ids", "attention_mask", "answers")},
        opset_version=17,
        dynamo=False,
    )


def running(path: Path):
    """Returns a function from a window to an exported model's answers."""
    chosen = onnxruntime.SessionOptions()
    chosen.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), chosen, providers=["CPUExecutionProvider"])

    def answer(window: Window) -> np.ndarray:
        ids = window.ids[None]
        return session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0]

    return answer


def quantised(network: nn.Module, folder: Path) -> None:
    """Writes `fp32.onnx` and `model.int8.onnx` into a folder."""
    exported(network, folder / "fp32.onnx")
    reduced(folder / "fp32.onnx", folder / "model.int8.onnx")


def card_of(
    folder: Path, *, identity: str, calibration: dict[str, float], live: float, floor: float, **more: object
) -> dict:
    """Writes and returns the card of the model and the tokenizer in a folder."""
    card = {
        "identity": identity,
        "live_threshold": round(live, 4),
        "floor": round(floor, 4),
        "calibration": calibration,
        "model_sha256": hashlib.sha256((folder / "model.int8.onnx").read_bytes()).hexdigest(),
        "tokenizer_sha256": hashlib.sha256((folder / "tokenizer.json").read_bytes()).hexdigest(),
        **more,
    }
    (folder / "card.json").write_text(json.dumps(card, indent=2) + "\n")
    return card


def agreement(turns: list[Labelled], one, other, tokenizer: Tokenizer) -> tuple[float, float]:
    """Returns the share of clauses on the same side of one half, and the mean difference of logits."""
    same, differences = [], []
    for turn in turns[:300]:
        for window in encode(turn.text, turn.previous, tokenizer).windows:
            a, b = one(window)[list(window.markers), KEEP], other(window)[list(window.markers), KEEP]
            same += list((a > 0) == (b > 0))
            differences += list(np.abs(a - b))
    return float(np.mean(same)), float(np.mean(differences))


def main() -> None:
    """Exports, checks, writes."""
    given = options()
    torch.set_num_threads(1)
    network = together(given.run, given.epoch)
    tokenizer = tokenizer_of()
    asked = [labelled(r, ours=False) for r in rows(given.dev)] or turns_of(given.dev)[0]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        quantised(network, folder)
        plain, small = running(folder / "fp32.onnx"), running(folder / "model.int8.onnx")
        same, _ = agreement(asked, answering(network, bf16=False), plain, tokenizer)
        print(f"fp32 ONNX against the network: {same:.4f} of clauses on the same side")
        same, difference = agreement(asked, plain, small, tokenizer)
        print(f"int8 against fp32: {same:.4f} of clauses on the same side, mean difference {difference:.3f}")
        if same < AGREEMENT:
            raise SystemExit(f"int8 differs too much from fp32: {same:.4f} < {AGREEMENT}")
        given.out.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / "model.int8.onnx", given.out / "model.int8.onnx")
    tokenizer.save(str(given.out / "tokenizer.json"), pretty=False)
    fitted = json.loads(given.crossfit.read_text())
    card = card_of(
        given.out,
        identity=given.identity,
        calibration=fitted["calibration"],
        live=fitted["live_threshold"],
        floor=fitted["floor"],
        licence={"base": "Apache-2.0 (all-MiniLM-L6-v2)", "fine_tuning": "MIT"},
        base="all-MiniLM-L6-v2",
        trained={
            "networks": len(given.run),
            "weights": sum(weights.numel() for weights in network.parameters()),
            "turns": json.loads((given.run[0] / "figures.json").read_text())["turns"],
            "int8_agreement": round(same, 4),
        },
        figures=fitted["figures"],
    )
    print(json.dumps(card, indent=2))


if __name__ == "__main__":
    main()
