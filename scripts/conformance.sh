#!/usr/bin/env bash
# The protocol's own conformance suite against the fixture server: every required server
# scenario of both revisions. Usage: conformance.sh SERVER [OUT]
# Fails where the suite cannot be had or a required scenario fails.
set -euo pipefail
server=$(realpath "$1")
cd "$(dirname "$0")/.."
out=${2:-out/conformance}
packages=$(scripts/install_npm.sh)
node=$packages/node/bin/node
suite=$packages/@modelcontextprotocol/conformance/dist/index.js

mkdir -p "$out"
coproc fixture { "$server"; }
trap 'exec {fixture[1]}>&- 2>/dev/null || true' EXIT
read -r -t 20 -u "${fixture[0]}" url
failed=0
for revision in 2025-11-25 2026-07-28; do
  echo "== conformance, requirements of $revision"
  "$node" "$suite" server --url "$url" --requirements "$revision" -o "$out/$revision" || failed=1
done
exit "$failed"
