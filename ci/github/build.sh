#!/usr/bin/env bash
# First step of the action: builds gelint from the action's own checkout, unless one is in PATH already.
set -euo pipefail
if command -v gelint >/dev/null 2>&1; then
  exit 0
fi
cd "$GITHUB_ACTION_PATH"
. scripts/setup.sh
gelint_setup
cmake --preset release -DGELINT_TESTS=OFF -DGELINT_EXAMPLES=OFF
cmake --build build/release --target gelint
echo "$PWD/build/release" >>"$GITHUB_PATH"
