#!/usr/bin/env bash
# A Debian 12 with nothing but apt, and a command in it.
# Usage: fresh_root.sh make DIR [PACKAGE...]   makes it, from the mirror this machine's apt uses
#        fresh_root.sh enter DIR COMMAND...    runs a command in it as root
# Needs root and debootstrap. A command sees the network, /proc, /sys and /dev of this machine, and
# its mounts end with it. The root is changed to, not only pretended (pivot_root): the kernel makes
# no user namespaces in a chroot.
set -euo pipefail

suite=bookworm

usage() { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }

mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $suite" | sort -u | head -n 1
}

make_root() {
  local root=$1 from
  shift
  from=$(mirror)
  [ -n "$from" ] || { echo "apt on this machine knows no mirror of Debian $suite" >&2; exit 1; }
  local include
  include=$(IFS=,; echo "ca-certificates${*:+,$*}")
  debootstrap --variant=minbase --include="$include" "$suite" "$root" "$from"
  # What lets this machine reach its registries lets the fresh one, too.
  rm -f "$root/etc/apt/sources.list"
  cp -a /etc/apt/sources.list* "$root/etc/apt/"
  rm -f "$root"/etc/apt/sources.list.d/*.disabled*
  for file in /etc/apt/apt.conf.d/*; do
    if grep -q '^Acquire::[A-Za-z-]*\( \|::Proxy\)' "$file"; then cp "$file" "$root/etc/apt/apt.conf.d/"; fi
  done
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  for file in /etc/npmrc "$HOME/.npmrc" "${NODE_EXTRA_CA_CERTS:-}"; do
    [ -n "$file" ] && [ -r "$file" ] && install -D -m 600 "$file" "$root$file"
  done
  if [ -d /usr/local/share/ca-certificates ]; then
    cp -a /usr/local/share/ca-certificates "$root/usr/local/share/"
    chroot "$root" update-ca-certificates >/dev/null
  fi
}

enter() {
  local root
  root=$(realpath "$1")
  shift
  # shellcheck disable=SC2016 # for the inner shell
  exec unshare --mount --propagation private -- bash -euc '
    root=$1; shift
    mount --bind "$root" "$root"
    for place in proc sys dev; do mount --rbind "/$place" "$root/$place"; done
    mkdir -p "$root/.outside"
    cd "$root"
    pivot_root . .outside
    cd /
    umount -l /.outside
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
      LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive ${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS"} "$@"
  ' enter "$root" "$@"
}

[ $# -ge 2 ] || usage
case "$1" in
  make) shift; make_root "$@" ;;
  enter) shift; enter "$@" ;;
  *) usage ;;
esac
