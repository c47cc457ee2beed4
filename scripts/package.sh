#!/usr/bin/env bash
# Builds the packages. Usage: package.sh BUILD_DIR PACKAGE_DIR [JOBS]
# The same source gives the same bytes: times are those of the last commit.
set -euo pipefail
build=$(realpath -m "$1") packages=$(realpath -m "$2") jobs=${3:-$(nproc)}
cd "$(dirname "$0")/.."
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
fi
export SOURCE_DATE_EPOCH
umask 022
cmake --preset package -B "$build" >/dev/null
cmake --build "$build" -j "$jobs"
rm -rf "$build/packages"
(cd "$build" && cpack --config CPackConfig.cmake)
mkdir -p "$packages"
rm -f "$packages"/*.deb "$packages"/*.tar.gz
# gzip notes the time, too.
for archive in "$build"/packages/*.tar.gz; do
  gzip -dc "$archive" | gzip -9n > "$packages/$(basename "$archive")"
done
cp "$build"/packages/*.deb "$packages/"
(cd "$packages" && sha256sum -- *.deb *.tar.gz | tee SHA256SUMS)
