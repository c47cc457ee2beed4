// What a shell reads to have cordon complete its own command lines.
#pragma once

#include <string_view>

namespace cordon::cli {

inline constexpr std::string_view kBashCompletion =
    R"sh(# Completion of cordon for bash: the program itself tells what may stand next.
_cordon() {
  local line text names=none nospace=no
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files | :directories) names=${line#:} ;;
      :nospace) nospace=yes ;;
      :*) ;;
      *) text=${line%%$'\t'*}; COMPREPLY+=("$text") ;;
    esac
  done < <("${COMP_WORDS[0]}" completion candidates -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  local cur=${COMP_WORDS[COMP_CWORD]}
  [ "$cur" = "=" ] && cur=
  local -a found=()
  case $names in
    files) mapfile -t found < <(compgen -f -- "$cur") ;;
    directories) mapfile -t found < <(compgen -d -- "$cur") ;;
  esac
  if [ "${#found[@]}" -gt 0 ]; then
    compopt -o filenames
    COMPREPLY+=("${found[@]}")
  fi
  [ "$nospace" = yes ] && compopt -o nospace
  return 0
}
complete -F _cordon cordon
)sh";

inline constexpr std::string_view kZshCompletion = R"sh(#compdef cordon
# Completion of cordon for zsh: the program itself tells what may stand next.
_cordon() {
  local line names=none
  local -a texts shown after
  after=()
  while IFS= read -r line; do
    case $line in
      :files | :directories) names=${line#:} ;;
      :nospace) after=(-S '') ;;
      :*) ;;
      *)
        texts+=("${line%%$'\t'*}")
        if [[ $line == *$'\t'?* ]]; then
          shown+=("${line%%$'\t'*}  -- ${line#*$'\t'}")
        else
          shown+=("${line%%$'\t'*}")
        fi
        ;;
    esac
  done < <("${words[1]}" completion candidates -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  (( ${#texts} )) && compadd -l "${after[@]}" -d shown -a texts
  case $names in
    files) _files ;;
    directories) _files -/ ;;
  esac
}
if [ "$funcstack[1]" = "_cordon" ]; then
  _cordon "$@"
else
  compdef _cordon cordon
fi
)sh";

inline constexpr std::string_view kFishCompletion =
    R"sh(# Completion of cordon for fish: the program itself tells what may stand next.
function __cordon_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l program $words[1]
    set -l current $words[-1]
    for line in ($program completion candidates -- $words[2..-1] 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path $current
            case :directories
                __fish_complete_directories $current
            case ':*'
            case '*'
                echo $line
        end
    end
end
complete -c cordon -f -a '(__cordon_complete)'
)sh";

}  // namespace cordon::cli
