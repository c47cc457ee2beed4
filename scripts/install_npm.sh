#!/usr/bin/env bash
# What is tried against but not shipped, from npm: tests/mcp/package.json into DIR (default
# out/npm). Prints the directory of the packages. Fails, and says so, where npm is missing
# or cannot get them.
set -euo pipefail
cd "$(dirname "$0")/.."
directory=${1:-out/npm}
wanted=tests/mcp/package.json

command -v npm >/dev/null || { echo "install_npm: npm is missing" >&2; exit 1; }
mkdir -p "$directory"
if ! cmp -s "$wanted" "$directory/installed.json"; then
  cp "$wanted" "$directory/package.json"
  # The one script that is run fetches the Node that the packages want.
  if ! npm install --prefix "$directory" --no-audit --no-fund --ignore-scripts --loglevel=error >&2 ||
      ! npm rebuild --prefix "$directory" node --loglevel=error >&2; then
    echo "install_npm: npm cannot get what $wanted names" >&2
    exit 1
  fi
  "$directory/node_modules/node/bin/node" --version >/dev/null
  cp "$wanted" "$directory/installed.json"
fi
echo "$directory/node_modules"
