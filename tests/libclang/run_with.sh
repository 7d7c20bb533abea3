#!/usr/bin/env bash
# run_with.sh PROGRAM: runs it on the libclang that GELINT_LIBCLANG_22 names, in the place of the one it was linked with.
set -euo pipefail
if [ -z "${GELINT_LIBCLANG_22:-}" ]; then
  echo "skipped: GELINT_LIBCLANG_22 names no libclang.so of LLVM 22 (PyPI has one in libclang-ng)"
  exit 77
fi
[ -r "$GELINT_LIBCLANG_22" ] || { echo "GELINT_LIBCLANG_22: $GELINT_LIBCLANG_22 cannot be read" >&2; exit 1; }
export LD_PRELOAD=$GELINT_LIBCLANG_22
version=$("$GELINT_BINARY" --version | sed -n 's/^libclang: //p')
case $version in *"version 22."*) ;; *) echo "the library says: $version" >&2; exit 1 ;; esac
exec "$@"
