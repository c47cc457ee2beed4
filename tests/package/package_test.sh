#!/usr/bin/env bash
# Builds the packages, installs them into a fresh Debian 12 and uses them there.
# Usage: package_test.sh WORK_DIR [PACKAGE_DIR]; with PACKAGE_DIR those are used, none built.
set -euo pipefail
work=$(realpath -m "$1")
tree=$(cd "$(dirname "$0")/../.." && pwd)

if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap >/dev/null; then
  echo "skipped: needs root and debootstrap"
  exit 77
fi
packages=$(realpath -m "${2:-$work/packages}")
[ $# -ge 2 ] || "$tree/scripts/package.sh" "$work/build" "$packages"

root=$work/root
rm -rf "$root"
mkdir -p "$work"
"$tree/scripts/fresh_root.sh" make "$root"
trap 'rm -rf "$root"' EXIT
cp "$packages"/*.deb "$packages"/*.tar.gz "$root/root/"

inside() {
  echo "-- $*"
  "$tree/scripts/fresh_root.sh" enter "$root" sh -euc "cd /root; $*"
}
inside 'apt-get -q update >/dev/null; apt-get -qy install --no-install-recommends ./cordon_*.deb'

# The programs, and what they are for.
inside 'cordon --version'
inside 'cordon doctor'
inside 'mkdir project; echo "int main() {}" > project/main.cc; echo "K=secret" > project/.env
        cordon check --root project --op write main.cc
        cordon check --root project .env && exit 1; test $? -eq 1'
inside 'cd project; cordon run --ask none -- true'
inside 'cd project; cordon run --ask none -- sh -c "cat main.cc; cat .env" 2>&1 | grep "rule deny:.env"'
inside 'cordon serve --listen 127.0.0.1:0 > address & server=$!
        until cordon sandbox list -q 2>/dev/null; do sleep 0.2; done
        id=$(cordon sandbox create)
        test "$(cordon sandbox exec "$id" -- echo hello)" = hello
        cordon sandbox rm "$id"; kill "$server"; wait "$server" || true'

# What is beside them.
inside 'test -s /usr/share/man/man1/cordon-sandbox-exec.1 -o -s /usr/share/man/man1/cordon-sandbox-exec.1.gz ||
        grep -q "path-exclude=/usr/share/man" /etc/dpkg/dpkg.cfg.d/* '
inside 'test -x /usr/libexec/cordon/cordon-launch -a -x /usr/libexec/cordon/cordon-all
        test -s /usr/share/bash-completion/completions/cordon
        test -s /usr/share/zsh/vendor-completions/_cordon
        test -s /usr/share/fish/vendor_completions.d/cordon.fish
        test -s /usr/share/doc/cordon/copyright
        grep -q "ExecStart=/usr/bin/cordon serve" /usr/lib/systemd/system/cordon.service'
for deb in "$packages"/cordon_*.deb; do
  # To the end: who stops reading kills the one who writes, and pipefail tells.
  dpkg-deb --contents "$deb" | grep 'usr/share/man/man1/cordon-run.1' >/dev/null
done

# Nothing but the C library is needed.
inside 'dpkg-query -W -f "\${Depends}\n" cordon; dpkg-query -W -f "\${Depends}" cordon | grep -q libc6'

# Gone when it is removed.
inside 'apt-get -qy purge cordon >/dev/null; test ! -e /usr/bin/cordon; test ! -e /usr/libexec/cordon'

# The tarball, somewhere else.
inside 'mkdir /opt/cordon; tar -xzf cordon-[0-9]*.tar.gz -C /opt/cordon --strip-components=1
        find /opt/cordon -name cordon -path "*/bin/*" -exec ln -s {} /usr/local/bin/cordon \;
        cordon check --root project --op write main.cc; cd project; cordon run --ask none -- true'
echo "package_test: passed"
