#!/bin/sh
# Shows the main job working: demo/run.sh [CORDON]. Ends with a status other than
# 0 if anything is not as claimed. Everything happens in a scratch directory.
set -u

cordon=$(realpath -- "${1:-build/cordon}") || exit 2
race=$(dirname -- "$cordon")/demo/cordon_demo_race
[ -x "$cordon" ] || { echo "demo: $cordon is not there; run make build" >&2; exit 2; }

scratch=$(mktemp -d) || exit 2
trap 'rm -rf -- "$scratch"' EXIT
trap 'exit 130' INT TERM

# Nothing of this machine's own configuration plays a part.
export HOME="$scratch/home" XDG_CONFIG_HOME="$scratch/home/.config"
unset ALLOWED_ROOT_DIRECTORY DATA_DIR CORDON_RESOLVER

green= red= bold= plain=
if [ -t 1 ]; then
  green=$(printf '\033[32m') red=$(printf '\033[31m') bold=$(printf '\033[1m')
  plain=$(printf '\033[0m')
fi
failures=0

say() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }

# field NAME: one line of what `cordon check` said.
field() { printf '%s\n' "$answer" | sed -n "s/^  $1  *//p" | head -n 1; }

# try WANT DESCRIPTION ARGUMENT...: WANT is "allowed" or the code of the refusal.
try() {
  want=$1 description=$2
  shift 2
  answer=$(cd "$scratch/w" && "$cordon" check --root "$scratch/w" "$@")
  status=$?
  case $answer in
    allowed:*) got=allowed stopped="really $(field really)" ;;
    refused:*)
      got=$(printf '%s\n' "$answer" | sed -n '1s/.*(\([A-Z_]*\))$/\1/p')
      rule=$(field rule)
      stopped="${rule:+$rule: }$(field reason)" ;;
    *) got="no answer, status $status" stopped= ;;
  esac
  if [ "$got" = "$want" ] && { [ "$want" = allowed ] && [ $status = 0 ] || [ $status = 1 ]; }; then
    mark="${green}ok${plain}"
  else
    mark="${red}NOT AS CLAIMED (wanted $want)${plain}"
    failures=$((failures + 1))
  fi
  printf '  %-44s %-20s %s  [%s]\n' "$description" "$got" "$stopped" "$mark"
}

# --- the scene -----------------------------------------------------------------
w=$scratch/w
mkdir -p "$w/src" "$w/notes" "$w-evil" "$HOME"
echo 'int main() {}' >"$w/src/main.cc"
echo 'API_KEY=secret' >"$w/.env"
echo 'API_KEY=' >"$w/.env.example"
echo secret >"$scratch/secret"
echo secret >"$w-evil/file"
ln -s main.cc "$w/src/same.cc"               # inside: fine
ln -s "$w/src" "$w/code"                     # absolute, but inside: fine
ln -s "$scratch/secret" "$w/shortcut"        # outside
ln -s hop2 "$w/hop1"; ln -s hop3 "$w/hop2"; ln -s ../w-evil "$w/hop3"
ln -s "$scratch/planted" "$w/new.txt"        # to nothing, yet: creating would plant it
ln -s .env "$w/settings"                     # a denied name under another
mkfifo "$w/pipe"
touch "$w/..%2fsecret"                       # an odd but honest name
snapshot() { (cd "$scratch" && find . -printf '%p %y %m %s %T@ %l\n' | LC_ALL=C sort); }
before=$(snapshot)

say "Work inside the line goes on:"
try allowed 'read a file' --op read src/main.cc
try allowed 'write it' --op write src/main.cc
try allowed 'create a new one' --op create notes/today.md
try allowed 'through a link that stays inside' --op read src/same.cc
try allowed 'through an absolute link to inside' --op write code/main.cc
try allowed 'its absolute path' --op read "$w/src/main.cc"
try allowed 'rename' --op rename src/main.cc --to src/start.cc
try allowed 'the sample is no secret' --op read .env.example
try allowed 'a name that only looks like "../"' --op read '..%2fsecret'

say "The classic ways out do not:"
try PATH_OUTSIDE_PROJECT '../secret' --op read ../secret
try PATH_OUTSIDE_PROJECT 'src/../../secret' --op read src/../../secret
try PATH_OUTSIDE_PROJECT '/etc/passwd' --op read /etc/passwd
try PATH_OUTSIDE_PROJECT "a sibling that begins alike: $(basename "$w")-evil" --op read "$w-evil/file"
try PATH_OUTSIDE_PROJECT 'a link to outside' --op read shortcut
try PATH_OUTSIDE_PROJECT 'a link to a link to a link to outside' --op read hop1/file
try PATH_OUTSIDE_PROJECT 'create through a dangling link' --op create new.txt
try PATH_OUTSIDE_PROJECT 'move something out' --op rename src/main.cc --to ../main.cc
try PATH_DENIED '.env' --op read .env
try PATH_DENIED './src/..//.env' --op read './src/..//.env'
try PATH_DENIED '.env through a link' --op read settings
try PATH_DENIED 'move .env to another name' --op rename .env --to env.txt
try PATH_DENIED 'plant a git hook' --op create .git/hooks/pre-commit
try NOT_A_REGULAR_FILE 'a FIFO, without blocking' --op read pipe
try INVALID_PATH 'a NUL byte: src%00/../../secret' --percent --op read 'src%00/../../secret'
try NOT_FOUND 'Unicode look-alike of ".": U+2024 U+2024' --op read "$(printf '\342\200\244\342\200\244/secret')"
try NOT_FOUND '~ is a name like any other' --op read '~/secret'

say "Asked why (cordon why --op write code/../settings):"
(cd "$w" && "$cordon" why --root "$w" --op write code/../settings) | sed 's/^/  /'

if [ "$before" = "$(snapshot)" ]; then
  printf '\n  After all these questions nothing in the scene has changed. [%sok%s]\n' "$green" "$plain"
else
  printf '\n  %sNOT AS CLAIMED: the scene has changed%s\n' "$red" "$plain"
  failures=$((failures + 1))
fi

say "A race: another process swaps a directory for a link to outside, as fast as it can, for 3 s:"
mkdir "$scratch/race"
if "$race" "$scratch/race" 3; then
  printf '  The check and the use are one step, so there is nothing to race. [%sok%s]\n' "$green" "$plain"
else
  printf '  %sNOT AS CLAIMED%s\n' "$red" "$plain"
  failures=$((failures + 1))
fi

if [ "$failures" -gt 0 ]; then
  printf '\n%s%s not as claimed%s\n' "$red" "$failures" "$plain"
  exit 1
fi
say "Everything as claimed."
