#!/usr/bin/env bash
# Builds the packages twice, from two copies of the tree at different places, and compares.
# Usage: reproducible.sh WORK_DIR [JOBS]; exits 1 if a byte differs.
# Without ccache, which would give the second build what the first one made.
set -euo pipefail
work=$(realpath -m "$1") jobs=${2:-$(nproc)}
tree=$(cd "$(dirname "$0")/.." && pwd)
SOURCE_DATE_EPOCH=$(git -C "$tree" log -1 --format=%ct)
export SOURCE_DATE_EPOCH CCACHE_DISABLE=1
rm -rf "$work"
for place in one two/in/another/place; do
  mkdir -p "$work/$place"
  git -C "$tree" archive HEAD | tar -x -C "$work/$place"
  # The build directories have different names and depths, too.
  "$work/$place/scripts/package.sh" "$work/$place/build-$(basename "$place")" "$work/$place/out/packages" "$jobs"
done
if cmp "$work/one/out/packages/SHA256SUMS" "$work/two/in/another/place/out/packages/SHA256SUMS"; then
  echo "reproducible: the same bytes from both places"
else
  diff "$work/one/out/packages/SHA256SUMS" "$work/two/in/another/place/out/packages/SHA256SUMS" || true
  echo "NOT reproducible; 'diffoscope' on the packages in $work tells where" >&2
  exit 1
fi
