#!/usr/bin/env bash
# Builds fused_bench for this machine's GPU, runs it and the PyTorch peer one after the other, and prints a table.
# Usage: bench/gpu/run.sh [LOG2_N] [FOLDER for the JSON lines]     needs nvcc; the peer needs python3 with torch
set -euo pipefail
cd "$(dirname "$0")/../.."
n=${1:-30} out=${2:-$(mktemp -d)}
nvcc -O3 -std=c++17 -arch=native -Isrc -o "$out/fused_bench" bench/gpu/fused_bench.cu
"$out/fused_bench" "$n" >"$out/fused.jsonl"
python3 bench/gpu/fused_peer.py "$n" >"$out/torch.jsonl" || echo "run.sh: no PyTorch peer" >&2
python3 bench/gpu/table.py "$out/fused.jsonl" "$out/torch.jsonl"
