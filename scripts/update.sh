#!/usr/bin/env bash
# Rewrites what is generated and committed: reference pages, schema, goldens. Read the difference before committing it.
# Usage: scripts/update.sh [BUILD_DIR]   (default: build/dev)
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/dev}
gelint=$build/gelint
mkdir -p docs/schema docs/rules
# Through a temporary: a command that fails leaves the old page.
page() { "$gelint" generate "$2" >"$1.new" && mv "$1.new" "$1"; }
page docs/schema/gelint-1.json schema
page docs/json.md json-reference
page docs/cli.md cli-reference
"$gelint" generate rules-docs docs/rules
for test in "$build"/tests/*_test "$build"/tests/example/example_audit_test; do
  GELINT_UPDATE_GOLDEN=1 GELINT_BINARY=$(realpath "$gelint") "$test" >/dev/null || echo "gelint: $test fails, also with new goldens" >&2
done
git status --short
