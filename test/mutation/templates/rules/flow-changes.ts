import type { Rules } from '../template-mutant.ts';
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
            changed(`not retried (${name})`, all => delete all[name].Retry),
            changed(`retried once (${name})`, all => {
              all[name].Retry[0].MaxAttempts = 1;
            }),
            changed(`retried for one error only (${name})`, all => all[name].Retry[0].ErrorEquals.pop()),
          ]
        : []),
      ...(Catch ? [changed(`failure not caught (${name})`, all => delete all[name].Catch)] : []),
      ...(Seconds
        ? [
            changed(`a wait of a second (${name})`, all => {
              all[name].Seconds = 1;
            }),
          ]
        : []),
      ...(Type === 'Choice'
        ? [
            changed(`no default (${name})`, all => delete all[name].Default),
            ...Choices.map(({ StringEquals }: Data, index: number) =>
              changed(`a choice less (${name}, ${StringEquals})`, all => all[name].Choices.splice(index, 1)),
            ),
          ]
        : []),
      ...(Type === 'Fail'
        ? [
            changed(`a failure that is a success (${name})`, all => {
              all[name] = { Type: 'Succeed' };
            }),
          ]
        : []),
    ]);
  },
};
