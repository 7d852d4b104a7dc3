import type { CompletedCommand, CompletedOption, CompletedProgram } from './completed-program.ts';

/**
 * Branches of `case` in bash and zsh. Their scripts walk over the words before the cursor: `at` is the path of the
 * command that these name, `option` the option that waits for its value, `position` the number of arguments so far.
 */

/** Branches of `case "$at|$word"`. */
export function stepCases(program: CompletedProgram): string[] {
  return [
    ...optionPatterns(program)
      .filter(({ option }) => option.takesValue)
      .map(({ pattern }) => `${pattern}) option=$word ;;`),
    "*'|-'*) ;;",
    ...program.commands.flatMap(({ path, commands }) =>
      commands.map(child => {
        const patterns = child.names.map(name => quoted(`${path}|${name}`));
        return `${patterns.join(' | ')}) at=${quoted(child.path)} ;;`;
      }),
    ),
    '*) position=$((position + 1)) ;;',
  ];
}

/** Branches of `case "$at|$option"`. They set `values`, and `list` where several values are separated by commas. */
export function optionValueCases(program: CompletedProgram): string[] {
  return optionPatterns(program)
    .filter(({ option }) => option.values.length > 0)
    .map(({ pattern, option: { values, isList } }) => {
      return `${pattern}) values=${quoted(values.join(' '))}${isList ? ' list=1' : ''} ;;`;
    });
}

/** Branches of `case "$at|$position"`. They set `values`. */
export function argumentValueCases({ commands }: CompletedProgram): string[] {
  return commands.flatMap(command =>
    command.arguments.flatMap(({ values }, position) =>
      values.length > 0
        ? [`${quoted(`${command.path}|${position}`)}) values=${quoted(values.join(' '))} ;;`]
        : [],
    ),
  );
}

/** Branches of `case "$at"` for the commands that have some of what is listed. */
export function commandCases<Item>(
  { commands }: CompletedProgram,
  itemsOf: (command: CompletedCommand) => readonly Item[],
  assignment: (items: readonly Item[]) => string,
): string[] {
  return commands
    .filter(command => itemsOf(command).length > 0)
    .map(command => `${quoted(command.path)}) ${assignment(itemsOf(command))} ;;`);
}

/** The options with the patterns that they are found by. Those of every command follow any path. */
function optionPatterns({ commands, globalOptions }: CompletedProgram) {
  const ofCommands = commands.flatMap(({ path, options }) =>
    options.map(option => ({ option, pattern: alternatives(option, flag => quoted(`${path}|${flag}`)) })),
  );
  const ofEveryCommand = globalOptions.map(option => ({
    option,
    pattern: alternatives(option, flag => `*${quoted(`|${flag}`)}`),
  }));
  return [...ofEveryCommand, ...ofCommands];
}

function alternatives({ short, long }: CompletedOption, patternOf: (flag: string) => string): string {
  return [...(short ? [short] : []), long].map(patternOf).join(' | ');
}

/** A text in single quotes for bash and zsh. */
export const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export const indented = (lines: readonly string[], spaces: number) =>
  lines.map(line => `${' '.repeat(spaces)}${line}`).join('\n');
