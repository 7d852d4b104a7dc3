import type { KnownValues } from '../known-values.ts';
import type { CompletedCommand, CompletedOption, CompletedProgram } from './completed-program.ts';

/** The completion script of fish. */
export function fishScript({ commands, globalOptions }: CompletedProgram): string {
  return `# Completion of petstore in fish. Load it with: petstore completion fish | source
# Whether the words before the cursor name this command, followed by this number of arguments if one is given.
function __petstore_at
    set -l at ''
    set -l option ''
    set -l position 0
    for word in (commandline -opc)[2..-1]
        if test -n "$option"
            set option ''
            continue
        end
        switch "$at|$word"
${stepCases(commands, globalOptions)}
            case '*'
                set position (math $position + 1)
        end
    end
    test "$at" = "$argv[1]"; or return 1
    test (count $argv) -eq 1; or test $position -eq $argv[2]
end
complete -c petstore -e
complete -c petstore -f
${[...globalOptions.map(option => optionLine(option)), ...commands.flatMap(commandLines)].join('\n')}
`;
}

function stepCases(commands: readonly CompletedCommand[], globalOptions: readonly CompletedOption[]): string {
  const withValue = [
    ...globalOptions.map(option => ({ path: '*', option })),
    ...commands.flatMap(({ path, options }) => options.map(option => ({ path, option }))),
  ].filter(({ option }) => option.takesValue);
  const flags = withValue.flatMap(({ path, option: { short, long } }) =>
    [...(short ? [short] : []), long].map(flag => quoted(`${path}|${flag}`)),
  );
  const steps = commands.flatMap(({ path, commands: below }) =>
    below.flatMap(child => [
      `case ${child.names.map(name => quoted(`${path}|${name}`)).join(' ')}`,
      `    set at ${quoted(child.path)}`,
    ]),
  );
  const lines = [`case ${flags.join(' ')}`, '    set option $word', "case '*|-*'", ...steps];
  return lines.map(line => `${' '.repeat(12)}${line}`).join('\n');
}

function commandLines({ path, commands, options, arguments: values }: CompletedCommand): string[] {
  return [
    ...commands.map(
      ({ names: [name], summary }) => `${at(path, 0)} -a ${quoted(name)} -d ${quoted(summary)}`,
    ),
    ...values.flatMap((known, position) =>
      known.values.length > 0 ? [`${at(path, position)} -a ${quoted(known.values.join(' '))}`] : [],
    ),
    ...options.map(option => optionLine(option, path)),
  ];
}

function optionLine(option: CompletedOption, path?: string): string {
  const { long, short, takesValue, description } = option;
  return [
    path === undefined ? 'complete -c petstore' : at(path),
    `-l ${long.slice('--'.length)}`,
    ...(short ? [`-s ${short.slice('-'.length)}`] : []),
    ...(takesValue ? ['-x'] : []),
    ...(option.values.length > 0 ? [`-a ${valueArgument(option)}`] : []),
    `-d ${quoted(description)}`,
  ].join(' ');
}

function valueArgument({ values, isList }: KnownValues): string {
  const words = values.join(' ');
  return quoted(isList ? `(__fish_append , ${words})` : words);
}

/** The beginning of a line that holds at a command, or at one of its arguments. */
function at(path: string, position?: number): string {
  const condition = ['__petstore_at', quoted(path), ...(position === undefined ? [] : [position])].join(' ');
  return `complete -c petstore -n ${quoted(condition)}`;
}

/** A text in single quotes for fish, which knows two escapes within them. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
