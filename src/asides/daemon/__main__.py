"""The resident process: `python -I -m asides.daemon`. Leaves at once when another one answers."""

from __future__ import annotations

import sys

from asides.daemon.service import serve
from asides.paths import places

if __name__ == "__main__":
    sys.exit(serve(places()))
