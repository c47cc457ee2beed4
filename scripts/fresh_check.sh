#!/usr/bin/env bash
# The first two commands of README.md on a fresh Debian 12 that has nothing but apt, make and git.
# Usage: fresh_check.sh WORK_DIR [COMMAND...]; without commands, those of README.md. Needs root and
# debootstrap. Takes as long as a build and all tests do.
set -euo pipefail
work=$(realpath -m "$1")
shift
tree=$(cd "$(dirname "$0")/.." && pwd)
[ "$(id -u)" -eq 0 ] || { echo "fresh_check.sh: needs root, for debootstrap" >&2; exit 1; }

commands=("$@")
if [ ${#commands[@]} -eq 0 ]; then
  mapfile -t commands < <(sed -n '/^```sh$/,/^```$/{/^```/d;s/ *#.*//;p}' "$tree/README.md" | head -n 2)
fi
[ ${#commands[@]} -gt 0 ] || { echo "fresh_check.sh: README.md names no commands" >&2; exit 1; }

rm -rf "$work/root"
mkdir -p "$work"
"$tree/scripts/fresh_root.sh" make "$work/root" make git
# A clone, so that only what is committed counts.
# Where tests that give up their rights can still go, which is not below /root.
git clone -q "file://$tree" "$work/root/srv/cordon"
status=0
for command in "${commands[@]}"; do
  echo "== $command"
  begin=$SECONDS
  if "$tree/scripts/fresh_root.sh" enter "$work/root" sh -c "cd /srv/cordon && $command"; then
    echo "== $command: passed after $((SECONDS - begin)) s"
  else
    echo "== $command: FAILED after $((SECONDS - begin)) s" >&2
    status=1
    break
  fi
done
[ "$status" -eq 0 ] && rm -rf "$work/root"
exit "$status"
