// The scripts by which bash, zsh and fish ask `understudy completion words` at each TAB: what may stand there is known
// in one place, the tree of commands itself.
#include "app/cli/completion.h"

namespace understudy::app {
namespace {

constexpr std::string_view bash = R"SH(# bash completion for understudy; from `understudy completion bash`
_understudy() {
    local line=${COMP_LINE:0:COMP_POINT} cur='' words=() out=() reply=() word
    # Bash itself also splits at : and =, which stand in URLs and settings.
    read -ra words <<<"$line"
    if [[ $line != *[[:space:]] ]]; then cur=${words[-1]}; unset 'words[-1]'; fi
    mapfile -t out < <("${words[0]:-understudy}" completion words -- "${words[@]:1}" "$cur" 2>/dev/null)
    COMPREPLY=()
    for word in "${out[@]}"; do
        case $word in
            :files) compopt -o filenames 2>/dev/null; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur") ;;
            :folders) compopt -o filenames 2>/dev/null; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$cur") ;;
            :programs) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -c -- "$cur") ;;
            *) reply+=("${word%%$'\t'*}") ;;
        esac
    done
    # What stands before the last : or = is, to bash, a word of its own already.
    local before=''
    [[ $cur == *[:=]* ]] && before=${cur%"${cur##*[:=]}"}
    for word in "${reply[@]}"; do COMPREPLY+=("$(printf %q "${word#"$before"}")"); done
}
complete -F _understudy understudy
)SH";

constexpr std::string_view zsh = R"SH(#compdef understudy
# zsh completion for understudy; from `understudy completion zsh`
_understudy() {
    local -a out described
    local line
    out=("${(@f)$("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    for line in $out; do
        case $line in
            :files) _files ;;
            :folders) _files -/ ;;
            :programs) _command_names -e ;;
            ?*) described+=("${${line%%$'\t'*}//:/\\:}${${line#*$'\t'}:+:${line#*$'\t'}}") ;;
        esac
    done
    (( $#described )) && _describe understudy described
    return 0
}
if [ "$funcstack[1]" = _understudy ]; then _understudy "$@"; else compdef _understudy understudy; fi
)SH";

constexpr std::string_view fish = R"SH(# fish completion for understudy; from `understudy completion fish`
function __understudy_words
    set -l typed (commandline -opc) (commandline -ct)
    for line in (command $typed[1] completion words -- $typed[2..-1] 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case :programs
                __fish_complete_command
            case '*'
                echo $line
        end
    end
end
complete -c understudy -f -a '(__understudy_words)'
)SH";

}  // namespace

std::optional<std::string_view> completion_script(std::string_view shell) {
    if (shell == "bash") return bash;
    if (shell == "zsh") return zsh;
    if (shell == "fish") return fish;
    return std::nullopt;
}

}  // namespace understudy::app
