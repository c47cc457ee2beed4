#!/usr/bin/env bash
# Started by root, many tests give up their rights and run programs of this tree as nobody: says so
# before anything is built if they could not reach it.
set -euo pipefail
[ "$(id -u)" -eq 0 ] || exit 0
place=$(cd "$(dirname "$0")/.." && pwd)
while [ "$place" != / ]; do
  if (( (8#$(stat -c %a "$place") & 1) == 0 )); then
    echo "make: nobody but its owner may enter $place, and tests run as others, too: move this tree" >&2
    echo "      elsewhere, such as /srv, or test as a user who is not root" >&2
    exit 1
  fi
  place=$(dirname "$place")
done
