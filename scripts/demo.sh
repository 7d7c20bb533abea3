#!/usr/bin/env bash
# Installs what is missing, builds a release binary, audits the bundled example and prints its decision table.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
gelint_setup
echo "gelint: building (some minutes the first time)" >&2
cmake --preset release -DGELINT_TESTS=OFF >build-demo.log 2>&1 || { cat build-demo.log >&2; exit 2; }
cmake --build build/release --target gelint >>build-demo.log 2>&1 || { tail -40 build-demo.log >&2; exit 2; }
rm -f build-demo.log
# The example has planted faults: exit status 1 (findings) is the expected outcome here.
status=0
./build/release/gelint audit --config examples/.gelint.yaml || status=$?
if [ "$status" -gt 1 ]; then exit "$status"; fi
echo
echo "The table above is the audit of examples/engine against examples/checkpoints (exit status $status: mismatches found)."
echo "Your own engine:      ./build/release/gelint scan PATH/TO/ENGINE"
echo "Your own checkpoint:  ./build/release/gelint lint PATH/TO/MODEL_DIRECTORY"
