"""Exports the chosen checkpoint to int8 ONNX, checks it against the network, and writes its card.

    PYTHONPATH=src python train/export.py --run train/runs/first

The epoch with the best figure on the choose split is taken; calibration and thresholds are fitted on
that split with the exported int8 model, since that is what will run.
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
from examples import Labelled
from figures import fit, judge
from network import Network, base_folder
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer

from asides.writers.encoding import Window, encode
from asides.writers.spans import KEEP
from train import DEV, answering, turns_of

WEIGHTS = Path(__file__).parent.parent / "src" / "asides" / "writers" / "weights"
LIVE_PRECISION = 0.65  # of what is live at once, at least, on the choose split
FLOOR_PRECISION = 0.30  # of what is proposed or live
HIGHEST_LIVE = 0.6  # where the aim is not reached at all
LEAST_FLOOR = 0.12  # a proposal that is wrong seven times in eight is not worth a person's look
AGREEMENT = 0.97  # share of clauses on which int8 and fp32 fall on the same side of one half


def options() -> argparse.Namespace:
    """Reads the command line."""
    say = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    say.add_argument("--run", type=Path, required=True, help="folder that train.py wrote")
    say.add_argument("--epoch", type=int, help="take this epoch, not the best one")
    say.add_argument(
        "--average",
        type=Path,
        nargs="*",
        default=[],
        help="further checkpoints, averaged with it weight by weight",
    )
    say.add_argument("--dev", type=Path, default=DEV)
    say.add_argument("--identity", default="encoder-1")
    say.add_argument("--out", type=Path, default=WEIGHTS)
    return say.parse_args()


def averaged(checkpoints: list[Path]) -> dict[str, torch.Tensor]:
    """Returns the mean of the weights; of stages of one training it is as good as the best or better."""
    found = [torch.load(path, weights_only=True) for path in checkpoints]
    return {name: sum(weights[name] for weights in found) / len(found) for name in found[0]}


def exported(network: Network, path: Path) -> None:
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


def thresholds(scores: list[float]) -> tuple[float, float]:
    """Returns the live threshold and the floor.

    Each is the lowest score from which on the mean calibrated probability, which is the precision to expect,
    still reaches the aim. Counted precision would follow single turns: the split holds only a few dozen
    that keep anything.
    """

    def lowest(aim: float) -> float:
        total, found = 0.0, 1.0
        for n, score in enumerate(sorted(scores, reverse=True), 1):
            total += score
            if total / n < aim:
                break
            found = score
        return found

    return min(lowest(LIVE_PRECISION), HIGHEST_LIVE), max(lowest(FLOOR_PRECISION), LEAST_FLOOR)


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
    report = json.loads((given.run / "figures.json").read_text())
    told = report["epochs"]
    epoch = given.epoch or max(told, key=lambda line: line["choose_area"])["epoch"]
    network = Network()
    network.load_state_dict(averaged([given.run / f"epoch-{epoch}.pt", *given.average]))
    network.eval()
    given.out.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    _, choose = turns_of(given.dev)
    with tempfile.TemporaryDirectory() as folder:
        fp32, int8 = Path(folder) / "fp32.onnx", given.out / "model.int8.onnx"
        exported(network, fp32)
        quantize_dynamic(
            fp32,
            int8,
            op_types_to_quantize=["MatMul", "Gather"],
            per_channel=True,
            weight_type=QuantType.QInt8,
        )
        plain, small = running(fp32), running(int8)
        same, _ = agreement(choose, answering(network, bf16=False), plain, tokenizer)
        print(f"fp32 ONNX against the network: {same:.4f} of clauses on the same side")
        same, difference = agreement(choose, plain, small, tokenizer)
        print(f"int8 against fp32: {same:.4f} of clauses on the same side, mean difference {difference:.3f}")
        if same < AGREEMENT:
            raise SystemExit(f"int8 differs too much from fp32: {same:.4f} < {AGREEMENT}")
    tokenizer.save(str(given.out / "tokenizer.json"), pretty=False)
    judged = judge(choose, small, tokenizer)
    calibration = fit(judged)
    scores = [calibration.probability(j.candidate.keep, j.candidate.turn) for j in judged]
    live, floor = thresholds(scores)
    card = {
        "identity": given.identity,
        "live_threshold": round(live, 4),
        "floor": round(floor, 4),
        "calibration": {"keep": calibration.keep, "turn": calibration.turn, "bias": calibration.bias},
        "model_sha256": hashlib.sha256(int8.read_bytes()).hexdigest(),
        "tokenizer_sha256": hashlib.sha256((given.out / "tokenizer.json").read_bytes()).hexdigest(),
        "licence": {"base": "Apache-2.0 (all-MiniLM-L6-v2)", "fine_tuning": "MIT"},
        "base": "all-MiniLM-L6-v2, 22.7M weights",
        "trained": {
            "checkpoints": [
                "/".join(p.parts[-2:]) for p in (given.run / f"epoch-{epoch}.pt", *given.average)
            ],
            "turns": report.get("turns", {}),
            "int8_agreement": round(same, 4),
        },
        "figures": {},
    }
    (given.out / "card.json").write_text(json.dumps(card, indent=2) + "\n")
    print(json.dumps(card, indent=2))


if __name__ == "__main__":
    main()
