#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/setup.sh
gelint_setup
gelint_setup_tests
cmake --preset release -DGELINT_TESTS=ON
cmake --build build/release
ctest --test-dir build/release --output-on-failure -j "$(nproc)"
