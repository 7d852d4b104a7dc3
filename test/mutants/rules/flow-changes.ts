import type { Rules } from '../template-mutants.ts';
import { type Change, type Data, withValue } from '../template-mutant.ts';

/** Stands for a reference in the text of a definition while that is parsed as JSON. */
const REFERENCE = /«(\d+)»/;

const DEFINITION = ['Properties', 'DefinitionString'];

/** The state machines: what becomes of failures, waits and choices. */
export const flowChanges: Rules = {
  'AWS::StepFunctions::StateMachine': ({ Properties }) => {
    const parts: Data[] = Properties.DefinitionString['Fn::Join'][1];
    const text = parts.map((part, index) => (typeof part === 'string' ? part : `«${index}»`)).join('');

    const changed = (what: string, edit: (states: Data, definition: Data) => void): Change => {
      const definition = JSON.parse(text);
      edit(definition.States, definition);
      const pieces = JSON.stringify(definition)
        .split(/(«\d+»)/)
        .map(piece => {
          const [, index] = REFERENCE.exec(piece) ?? [];
          return index === undefined ? piece : parts[Number(index)];
        });
      return withValue(what, { 'Fn::Join': ['', pieces] }, ...DEFINITION);
    };

    const states = Object.entries<Data>(JSON.parse(text).States);
    return states.flatMap(([name, { Type, Retry, Catch, Seconds, Choices = [] }]) => [
      ...(Retry
        ? [
            changed(`${name} is not retried`, all => delete all[name].Retry),
            changed(`${name} is retried once`, all => {
              all[name].Retry[0].MaxAttempts = 1;
            }),
            changed(`${name} is retried for one error`, all => all[name].Retry[0].ErrorEquals.pop()),
          ]
        : []),
      ...(Catch ? [changed(`the failure of ${name} is not caught`, all => delete all[name].Catch)] : []),
      ...(Seconds
        ? [
            changed(`${name} takes a second`, all => {
              all[name].Seconds = 1;
            }),
          ]
        : []),
      ...(Type === 'Choice'
        ? [
            changed(`${name} has no default`, all => delete all[name].Default),
            ...Choices.map(({ StringEquals }: Data, index: number) =>
              changed(`${name} does not know ${StringEquals}`, all => all[name].Choices.splice(index, 1)),
            ),
          ]
        : []),
      ...(Type === 'Fail'
        ? [
            changed(`${name} is a success`, all => {
              all[name] = { Type: 'Succeed' };
            }),
          ]
        : []),
    ]);
  },
};
