#!/usr/bin/env bash
# Installs what one part of the work needs and is not there yet.
# Usage: install_deps.sh build|demo|test|docker|package|lint|fuzz|bench|all
# docker: what the tests of sandboxes in containers need besides; without it they are skipped.
# Debian 12 and Ubuntu 24.04, as root or with sudo; elsewhere it names what is missing.
set -euo pipefail

usage() { echo "usage: $0 build|demo|test|docker|package|lint|fuzz|bench|all" >&2; exit 2; }
[ $# -eq 1 ] || usage

id="" version=""
if [ -r /etc/os-release ]; then
  id=$(. /etc/os-release; echo "${ID:-}")
  version=$(. /etc/os-release; echo "${VERSION_ID:-}")
fi
case "$id $version" in
  "debian 12") known=yes boost=1.81 ;;
  "ubuntu 24.04") known=yes boost=1.83 ;;
  *) known=no boost="" ;;
esac

# package|how to tell without a package manager: a program, or a header. A tool is a program
# that serves as well if it came some other way.
build=(
  "g++|program g++" "cmake|program cmake" "ninja-build|program ninja" "pkgconf|program pkg-config"
  "libexpected-dev|header tl/expected.hpp" "libcli11-dev|header CLI/CLI.hpp"
  "libtomlplusplus-dev|header toml++/toml.h" "libutf8proc-dev|header utf8proc.h"
  "libssl-dev|header openssl/evp.h" "libre2-dev|header re2/re2.h"
  "zlib1g-dev|header zlib.h"  # of sqlite's archive
  "libcjose-dev|header cjose/cjose.h" "libjansson-dev|header jansson.h"
  "libtree-sitter-dev|header tree_sitter/api.h" "npm|tool npm"
  "libseccomp-dev|header seccomp.h" "libsqlite3-dev|header sqlite3.h"
  "libboost-json${boost}-dev|header boost/json.hpp" "libboost${boost}-dev|header boost/asio.hpp"
)
demo=("python3|program python3" "git|program git")
test=(
  "python3|program python3"
  "libgtest-dev|header gtest/gtest.h" "libgmock-dev|header gmock/gmock.h"
  "strace|program strace" "patch|program patch"
  "curl|program curl" "openssl|program openssl"
  "chromium|program chromium"  # the dashboard is tried in it; without it those tests are skipped
  "git|program git" "make|program make" "rsync|program rsync" "sqlite3|program sqlite3"  # run behind the line
  "python3-pytest|program pytest-3" "python3-venv|program python3" "python3-pip|program pip3" "vim-tiny|tool vi" "less|program less"
  "ripgrep|program rg" "fd-find|program fdfind"  # what searches are held against
  "zsh|program zsh" "fish|program fish" "man-db|program man"  # what completion and manual are held against
  "chromium|tool chromium"  # looks at previews
)
docker=(
  "docker.io|program dockerd" "runc|program runc" "runsc|program runsc" "busybox-static|program busybox"
)
package=(
  "dpkg-dev|program dpkg-shlibdeps" "file|program file" "fakeroot|program fakeroot"
  "binutils|program strip" "debootstrap|program debootstrap" "git|program git"
)
lint=(
  "python3|program python3" "clang-14|program clang++-14"
  "clang-tidy-14|program clang-tidy-14" "clang-format-14|program clang-format-14"
)
fuzz=("clang-14|program clang++-14" "libclang-rt-14-dev|program clang++-14")
bench=(
  "ripgrep|program rg" "fd-find|program fdfind" "python3|program python3"
  "bubblewrap|program bwrap" "socat|program socat"  # socat: without it one contestant does not start
  "git|program git" "make|program make"
  "nginx-light|program nginx" "wrk|program wrk"  # what previews are held against
)
case "$1" in
  build) wanted=("${build[@]}") ;;
  demo) wanted=("${build[@]}" "${demo[@]}") ;;
  test) wanted=("${build[@]}" "${test[@]}") ;;
  docker) wanted=("${build[@]}" "${test[@]}" "${docker[@]}") ;;
  package) wanted=("${build[@]}" "${package[@]}") ;;
  lint) wanted=("${build[@]}" "${lint[@]}") ;;
  fuzz) wanted=("${build[@]}" "${test[@]}" "${fuzz[@]}") ;;
  bench) wanted=("${build[@]}" "${docker[@]}" ${bench[@]+"${bench[@]}"}) ;;
  all) wanted=("${build[@]}" "${test[@]}" "${lint[@]}" "${fuzz[@]}" ${bench[@]+"${bench[@]}"}) ;;
  *) usage ;;
esac

has_package() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}
has_probe() {  # KIND NAME
  case "$1" in
    program | tool) command -v "$2" >/dev/null ;;
    header) echo "#include <$2>" | "${CXX:-c++}" -std=c++20 -E -x c++ - >/dev/null 2>&1 ;;
  esac
}

missing=()
for entry in "${wanted[@]}"; do
  package=${entry%%|*}
  [[ " ${missing[*]-} " == *" $package "* ]] && continue
  if [ "$known" = yes ] && [[ ${entry#*|} != tool\ * ]]; then
    has_package "$package" || missing+=("$package")
  else
    # shellcheck disable=SC2086 # two words on purpose
    has_probe ${entry#*|} || missing+=("$package")
  fi
done
[ ${#missing[@]} -eq 0 ] && exit 0

refuse() {
  echo "$1" >&2
  echo "Missing (Debian's names): ${missing[*]}" >&2
  exit 1
}
[ "$known" = yes ] || refuse "Packages are installed by hand on this system."
if [ "$(id -u)" -eq 0 ]; then
  as_root=(env)
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
  as_root=(sudo env)
else
  refuse "Neither root nor sudo: install the packages by hand."
fi

echo "Installing: ${missing[*]}"
apt=("${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
"${apt[@]}" -q update || refuse "apt-get update failed."
"${apt[@]}" -qy install --no-install-recommends "${missing[@]}" || refuse "apt-get install failed."
