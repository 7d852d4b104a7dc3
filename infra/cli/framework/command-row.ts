import { Option } from 'commander';
import type * as z from 'zod/mini';
import type { ChangeName, CommandName, ResultOf } from '../../../shared/operator/contract.ts';
import { INPUTS, type InputOf } from '../../../shared/operator/inputs.ts';
import type { PetstoreCommand } from './petstore-command.ts';
import { Session } from './session.ts';
import type { Style } from './style.ts';

/**
 * How a field is given, as commander takes it: such as `<id>` or `--limit <n>`, what it is, and how it's read. Choices and
 * default are those of INPUTS: `{choices}` and `{default}` in the text of an option; an argument with choices needs no text.
 */
type Term = readonly [term: string, text?: string, read?: (text: string) => unknown];

/** A command that asks the operator function for one thing and prints the result. */
interface Row<Name extends CommandName, Of extends Session> {
  readonly command: Name;
  readonly description: string;
  /** In the order of the help. */
  readonly fields?: { readonly [Field in keyof InputOf<Name>]?: Term };
  /** Options that are no fields, and the input that follows from them. */
  readonly flags?: readonly (readonly [flag: string, text: string])[];
  // biome-ignore lint/suspicious/noExplicitAny: what was given is of the types that its readers return.
  input?(given: any): InputOf<Name>;
  readonly examples: readonly string[];
  /** What is asked before production is changed. */
  question?(input: InputOf<Name>, session: Of): string;
  /** The result as it is shown; advice for an error. */
  response?(sent: Promise<ResultOf<Name>>, session: Of): Promise<ResultOf<Name>>;
  done(result: ResultOf<Name>, session: Of, input: InputOf<Name>): string | ((style: Style) => string);
}

/** A change has a question. */
type CommandRow<Name extends CommandName, Of extends Session = Session> = Row<Name, Of> &
  (Name extends ChangeName ? Required<Pick<Row<Name, Of>, 'question'>> : unknown);

export type SubcommandRow<Name extends CommandName, Of extends Session = Session> = CommandRow<Name, Of> & {
  readonly summary: string;
  readonly aliases?: readonly string[];
};

/** Adds a command to its group, under its last word. */
export function addRow<Name extends CommandName>(group: PetstoreCommand, row: SubcommandRow<Name>): void;
export function addRow<Name extends CommandName, Of extends Session>(
  group: PetstoreCommand,
  row: SubcommandRow<Name, Of>,
  sessionOf: (command: PetstoreCommand) => Of,
): void;
export function addRow(
  group: PetstoreCommand,
  row: SubcommandRow<CommandName>,
  sessionOf?: (command: PetstoreCommand) => Session,
): void {
  const { command: name, summary, aliases = [] } = row;
  const command = group.command(name.slice(name.indexOf('.') + 1));
  declareRow(command.summary(summary).aliases(aliases), row, sessionOf);
}

export function declareRow<Name extends CommandName>(
  command: PetstoreCommand,
  row: CommandRow<Name>,
  sessionOf = (of: PetstoreCommand) => new Session(of),
): void {
  const terms = Object.entries((row.fields ?? {}) as Readonly<Record<string, Term>>);
  const schemas = INPUTS[row.command].shape as Readonly<Record<string, z.ZodMiniType>>;
  for (const [field, term] of terms) addTerm(command, term, schemas[field]);
  for (const flag of row.flags ?? []) command.option(...flag);
  command.description(row.description).examples(...row.examples);

  command.action(async () => {
    const [options, words] = [command.opts(), command.processedArgs.values()];
    const fields = Object.fromEntries(
      terms.map(([field, [term]]) => [field, isOption(term) ? options[keyOf(term)] : words.next().value]),
    );
    const input = row.input?.({ ...options, ...fields }) ?? (fields as InputOf<Name>);
    const session = sessionOf(command);
    const sent = session.carryOut(row.command, input, row.question?.(input, session) ?? '');
    const result = await (row.response?.(sent, session) ?? sent);
    session.show(result, row.done(result, session, input));
  });
}

const isOption = (term: string) => term.startsWith('-');
const keyOf = (flags: string) => new Option(flags).attributeName();

const same = (text: string) => text;

function addTerm(
  command: PetstoreCommand,
  [term, text = '', read = same]: Term,
  schema: z.ZodMiniType | undefined,
) {
  const choices = [...(schema?._zod.values ?? [])].filter(
    choice => typeof choice === 'string' || typeof choice === 'number',
  );
  const { defaultValue } = (schema?._zod.def ?? {}) as { readonly defaultValue?: unknown };
  const said = text.replace('{choices}', choices.join(', ')).replace('{default}', String(defaultValue));
  if (!isOption(term)) {
    if (choices.length > 0) command.choiceArgument(term, choices.map(String));
    else command.argument(term, said, read);
  } else if (choices.length > 0) command.choiceOption(term, said, choices);
  else command.option(term, said, read);
}
