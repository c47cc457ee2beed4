#!/usr/bin/env bash
# The dashboard in headless Chromium. Usage: run.sh WORK CORDON
# Packages, copies of the tests and screenshots are in WORK. 77: it cannot be tried here, and why.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$1
export CORDON_BINARY=$2 CORDON_SCREENSHOTS=$work/screenshots

skip() { echo "SKIPPED: $1"; exit 77; }
CORDON_CHROMIUM=${CORDON_CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}
[ -n "$CORDON_CHROMIUM" ] || skip "chromium is missing (scripts/install_deps.sh test)"
command -v npm >/dev/null || skip "npm is missing"
export CORDON_CHROMIUM
# What drives the browser wants a newer node than Debian 12 has: then the tests' own.
if [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 20 ]; then
  packages=$(cd "$here/../.." && realpath "$(scripts/install_npm.sh)") || skip "no node of version 20 can be had"
  PATH=$packages/node/bin:$PATH
fi

mkdir -p "$work"
if ! cmp -s "$here/package-lock.json" "$work/installed.json"; then
  cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$work/"
  (cd "$work" && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error) ||
    skip "npm cannot get what tests/web/package.json names"
  cp "$here/package-lock.json" "$work/installed.json"
fi
rm -rf "$work"/*.mjs "$work/screenshots"
cp "$here"/*.mjs "$work/"
cd "$work"
exec node --test --test-concurrency=1 ${CORDON_WEB_TESTS:-*_test.mjs}
