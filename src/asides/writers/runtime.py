"""onnxruntime, told before it loads that it may neither collect nor send anything.

Its wheels carry a telemetry client that at import writes a device id and a database below the home folder
and may send to its maker. Only this variable, read at import, keeps it from that: `disable_telemetry_events`
comes too late (seen with 1.32.0).
"""

from __future__ import annotations

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

__all__ = ["onnxruntime"]
