"""How every model that ships is reduced to eight bits."""

from __future__ import annotations

from pathlib import Path

from onnxruntime.quantization import QuantType, quantize_dynamic


def reduced(fp32: Path, int8: Path) -> None:
    """Writes an ONNX model with the weights of its products and its table of words in eight bits."""
    quantize_dynamic(
        fp32,
        int8,
        op_types_to_quantize=["MatMul", "Gather"],
        per_channel=True,
        weight_type=QuantType.QInt8,
    )
