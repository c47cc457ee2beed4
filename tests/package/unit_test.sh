#!/usr/bin/env bash
# systemd reads the unit without a complaint. Usage: unit_test.sh UNIT_TEMPLATE
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# With a program and a page that every machine has.
sed -e 's#@CMAKE_INSTALL_FULL_BINDIR@/cordon #/bin/true #' -e '/^Documentation=/d' "$1" > "$scratch/cordon.service"
! grep -n '@' "$scratch/cordon.service"
said=$(systemd-analyze verify "$scratch/cordon.service" 2>&1)
[ -z "$said" ] || { echo "$said"; exit 1; }
