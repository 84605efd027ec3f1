"""onnxruntime, told before it loads that it may neither collect nor send anything, and its sessions.

Its wheels carry a telemetry client that at import writes a device id and a database below the home folder
and may send to its maker. Only this variable, read at import, keeps it from that: `disable_telemetry_events`
comes too late (seen with 1.32.0).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime


def opened(path: Path) -> Any:
    """Returns a session over a model, on one thread. Raises what onnxruntime does: classes without a base."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # A thread that spins while it waits takes a core from the developer's own work.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.inter_op.allow_spinning", "0")
    # The arena keeps the largest window's memory for ever; a daemon that mostly sleeps gives it back.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    # By its path: a session made of bytes keeps them.
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
