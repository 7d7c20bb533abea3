#!/usr/bin/env bash
# Installs what is missing of scripts/packages.txt, by name, with apt. Sourced by demo.sh and test.sh.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

gelint_setup() {
  local missing=() package
  if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "gelint: this is not a Debian system; install the equivalents of scripts/packages.txt yourself, then build with" >&2
    echo "gelint:   cmake --preset release && cmake --build --preset release" >&2
    return 0
  fi
  while read -r package; do
    case "$package" in ''|'#'*) continue ;; esac
    # A package that is there under another version is enough.
    if ! dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed; then
      missing+=("$package")
    fi
  done < "$here/packages.txt"
  [ ${#missing[@]} -eq 0 ] && return 0
  echo "gelint: installing ${missing[*]}" >&2
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
      sudo apt-get update -qq && sudo DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
      return
    fi
    echo "gelint: these packages are missing and this user cannot install them: ${missing[*]}" >&2
    echo "gelint: as root, run: apt-get update && apt-get install -y ${missing[*]}" >&2
    return 2
  fi
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}
