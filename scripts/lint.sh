#!/usr/bin/env bash
# Format, include directions, sizes, claims, then clang-tidy. Usage: lint.sh [JOBS]
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}

echo "== format"
find include src tests bench demo examples \( -name "*.h" -o -name "*.cc" \) 2>/dev/null | sort |
  xargs clang-format-14 --dry-run -Werror
echo "== layers"
scripts/check_layers.py
echo "== sizes"
scripts/check_size.py
echo "== claims of the threat model"
scripts/check_claims.py
echo "== clang-tidy"
# As a build, so that only what changed is looked at again; also the clang build of src/.
cmake --preset tidy >/dev/null
cmake --build --preset tidy -j "$jobs"
