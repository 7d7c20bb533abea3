#!/usr/bin/env bash
# Installs what is missing of a list of Debian packages, by name, with apt. Sourced by demo.sh and test.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# gelint_missing LIST: prints the packages of the list that are not installed; the version does not matter.
gelint_missing() {
  local package
  while read -r package; do
    case "$package" in ''|'#'*) continue ;; esac
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || echo "$package"
  done < "$1"
}

# gelint_install PACKAGE...: fails when this user cannot install them.
gelint_install() {
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null || return 1
    sudo=(sudo)
  fi
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# What the build and the tests cannot do without.
gelint_setup() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "gelint: this is not a Debian system; install the equivalents of scripts/packages.txt yourself, then build with" >&2
    echo "gelint:   cmake --preset release && cmake --build --preset release" >&2
    return 0
  fi
  local missing
  mapfile -t missing < <(gelint_missing "$here/packages.txt")
  [ ${#missing[@]} -eq 0 ] && return 0
  echo "gelint: installing ${missing[*]}" >&2
  gelint_install "${missing[@]}" && return 0
  echo "gelint: these packages are missing and could not be installed: ${missing[*]}" >&2
  echo "gelint: as root, run: apt-get update && apt-get install -y ${missing[*]}" >&2
  return 2
}

# The programs that some tests run gelint's output in. Without one its tests are skipped, and say so.
gelint_setup_tests() {
  command -v dpkg-query >/dev/null 2>&1 || return 0
  local missing
  mapfile -t missing < <(gelint_missing "$here/test-packages.txt")
  [ ${#missing[@]} -eq 0 ] && return 0
  echo "gelint: installing for the tests ${missing[*]}" >&2
  gelint_install "${missing[@]}" 2>/dev/null || echo "gelint: not installed; the tests that need them are skipped: ${missing[*]}" >&2
}
