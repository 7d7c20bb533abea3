#!/usr/bin/env bash
# Second step of the action: annotations on standard output, SARIF for code scanning, the table in the job summary.
set -euo pipefail
arguments=(audit --fail-on "${GELINT_FAIL_ON:-error}" --format github)
[ -n "${GELINT_CONFIG:-}" ] && arguments+=(--config "$GELINT_CONFIG")
[ -n "${GELINT_SARIF:-}" ] && arguments+=(--format "sarif:$GELINT_SARIF")
table=$(mktemp)
trap 'rm -f "$table"' EXIT
[ "${GELINT_SUMMARY:-true}" = true ] && arguments+=(--format "markdown:$table")
# Split at spaces, without globbing: the input is a list of arguments.
read -r -a further <<<"${GELINT_ARGUMENTS:-}"
arguments+=("${further[@]}")

status=0
gelint "${arguments[@]}" || status=$?
# A job summary takes 1 MiB.
if [ "${GELINT_SUMMARY:-true}" = true ] && [ -s "$table" ]; then
  head -c 1000000 "$table" >>"$GITHUB_STEP_SUMMARY"
fi
{
  echo "status=$status"
  echo "sarif=${GELINT_SARIF:-}"
} >>"$GITHUB_OUTPUT"
exit "$status"
