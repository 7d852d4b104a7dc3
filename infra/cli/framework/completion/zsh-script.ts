import type { CompletedCommand, CompletedOption, CompletedProgram } from './completed-program.ts';
import {
  argumentValueCases,
  commandCases,
  indented,
  optionValueCases,
  quoted,
  stepCases,
} from './shell-cases.ts';

/** The completion script of zsh. It can be sourced, or be a file _petstore in a folder of fpath. */
export function zshScript(program: CompletedProgram): string {
  return `#compdef petstore
# Completion of petstore in zsh. Load it with: source <(petstore completion zsh)
_petstore() {
  local at='' option='' word values='' list='' given=''
  local -a described
  integer position=0
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $option ]]; then
      option=''
      continue
    fi
    case "$at|$word" in
${indented(stepCases(program), 6)}
    esac
  done
  if [[ -z $option && $PREFIX == --*=* ]]; then
    option=\${PREFIX%%=*}
    compset -P '*='
  fi
  if [[ -n $option ]]; then
    case "$at|$option" in
${indented(optionValueCases(program), 6)}
    esac
    if [[ -n $list ]]; then
      given=",\${PREFIX%\${PREFIX##*,}}"
      compset -P '*,'
      for word in \${(s: :)values}; do
        [[ $given == *",$word,"* ]] || compadd -S '' -- $word
      done
    else
      compadd -- \${(s: :)values}
    fi
    return
  fi
  case "$at|$position" in
${indented(argumentValueCases(program), 4)}
  esac
  compadd -- \${(s: :)values}
  (( position == 0 )) && case "$at" in
${indented(
  commandCases(
    program,
    ({ commands }) => commands,
    commands => `described=(${commands.map(commandItem).join(' ')})`,
  ),
  4,
)}
  esac
  if [[ $PREFIX != -* && -n $values$described ]]; then
    _describe -t commands command described
    return
  fi
  described=(${program.globalOptions.map(optionItem).join(' ')})
  case "$at" in
${indented(
  commandCases(
    program,
    ({ options }) => options,
    options => `described+=(${options.map(optionItem).join(' ')})`,
  ),
  4,
)}
  esac
  _describe -o -t options option described
}
if [[ $funcstack[1] == _petstore ]]; then
  _petstore "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _petstore petstore
fi
`;
}

const commandItem = ({ names: [name], summary }: CompletedCommand) => item(name, summary);
const optionItem = ({ long, description }: CompletedOption) => item(long, description);

/** The first colon separates a word from its description. */
const item = (word: string, description: string) => quoted(`${word.replaceAll(':', '\\:')}:${description}`);
