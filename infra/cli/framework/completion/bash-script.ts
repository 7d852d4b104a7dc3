import type { CompletedProgram } from './completed-program.ts';
import {
  argumentValueCases,
  commandCases,
  indented,
  optionValueCases,
  quoted,
  stepCases,
} from './shell-cases.ts';

/** The completion script of bash, 3.2 or newer. */
export function bashScript(program: CompletedProgram): string {
  const longOf = ({ long }: { long: string }) => long;
  return `# Completion of petstore in bash. Load it with: source <(petstore completion bash)
_petstore() {
  local IFS=$' \\t\\n' line=\${COMP_LINE:0:COMP_POINT} at='' option='' position=0 values='' list=''
  local words word current='' typed stem='' given='' breaks='' prefix='' value candidate
  COMPREPLY=()
  # COMP_WORDS is of no use here: bash splits it at = and : as well.
  read -r -a words <<< "$line"
  if [[ $line != *[[:space:]] ]]; then
    current=\${words[\${#words[@]} - 1]}
    unset "words[\${#words[@]} - 1]"
  fi
  for word in "\${words[@]:1}"; do
    if [[ -n $option ]]; then
      option=''
      continue
    fi
    case "$at|$word" in
${indented(stepCases(program), 6)}
    esac
  done
  typed=$current
  if [[ -z $option && $current == --*=* ]]; then
    option=\${current%%=*}
    typed=\${current#*=}
    stem="$option="
  fi
  if [[ -n $option ]]; then
    case "$at|$option" in
${indented(optionValueCases(program), 6)}
    esac
  else
    (( position == 0 )) && case "$at" in
${indented(
  commandCases(
    program,
    ({ commands }) => commands.map(({ names: [name] }) => name),
    names => `values=${quoted(names.join(' '))}`,
  ),
  6,
)}
    esac
    case "$at|$position" in
${indented(argumentValueCases(program), 6)}
    esac
    if [[ $current == -* || -z $values ]]; then
      values=${quoted(program.globalOptions.map(longOf).join(' '))}
      case "$at" in
${indented(
  commandCases(
    program,
    ({ options }) => options.map(longOf),
    flags => `values="${flags.join(' ')} $values"`,
  ),
  8,
)}
      esac
    fi
  fi
  if [[ -n $list ]]; then
    given=\${typed%"\${typed##*,}"}
    stem+=$given
    compopt -o nospace 2> /dev/null
  fi
  # Bash replaces only what follows the last = or : of the word.
  [[ $COMP_WORDBREAKS == *=* ]] && breaks+='='
  [[ $COMP_WORDBREAKS == *:* ]] && breaks+=':'
  [[ -n $breaks ]] && prefix=\${current%"\${current##*[$breaks]}"}
  for value in $values; do
    [[ ,$given == *",$value,"* ]] && continue
    candidate=$stem$value
    [[ $candidate == "$current"* ]] && COMPREPLY+=("\${candidate#"$prefix"}")
  done
}
complete -F _petstore petstore
`;
}
