#!/usr/bin/env bash
# What is tried against but not shipped, from npm: what LIST names (default tests/mcp/package.json)
# into DIR (default out/npm). Prints the directory of the packages. Fails, and says so, where npm
# is missing or cannot get them. Usage: install_npm.sh [DIR [LIST]]
set -euo pipefail
cd "$(dirname "$0")/.."
directory=${1:-out/npm}
wanted=${2:-tests/mcp/package.json}

command -v npm >/dev/null || { echo "install_npm: npm is missing" >&2; exit 1; }
mkdir -p "$directory"
if ! cmp -s "$wanted" "$directory/installed.json"; then
  cp "$wanted" "$directory/package.json"
  if ! npm install --prefix "$directory" --no-audit --no-fund --ignore-scripts --loglevel=error >&2; then
    echo "install_npm: npm cannot get what $wanted names" >&2
    exit 1
  fi
  # The one script that is run fetches the Node that the packages want, if they do.
  if [ -d "$directory/node_modules/node" ]; then
    npm rebuild --prefix "$directory" node --loglevel=error >&2
    "$directory/node_modules/node/bin/node" --version >/dev/null
  fi
  cp "$wanted" "$directory/installed.json"
fi
echo "$directory/node_modules"
