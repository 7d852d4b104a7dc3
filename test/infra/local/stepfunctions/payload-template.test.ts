import { expect, test } from 'vitest';
import { read, runVirtually } from './virtual-execution.ts';

const input = { name: 'www', count: 2, list: [{ 'a b': 1 }], none: null };

/** What a Pass state makes of an expression. */
async function evaluated(expression: string) {
  const definition = read({
    StartAt: 'A',
    States: { A: { Type: 'Pass', Parameters: { in: [{ 'value.$': expression }] }, End: true } },
  });
  const { output, error, cause } = await runVirtually({ definition, input });
  return error === undefined ? output.in[0].value : `${error}: ${cause}`;
}

test.each([
  ['$', input],
  ['$.name', 'www'],
  ['$.none', null],
  ["$.list[0]['a b']", 1],
  ['$["count"]', 2],
  ['$$.Execution.Name', 'one'],
  ['$$.StateMachine.Name', 'Flow'],
])('the path %s is %j', async (path, value) => {
  expect(await evaluated(path)).toEqual(value);
});

test.each([
  ["States.Format('{} of {}', $.name, $$.Execution.Name)", 'www of one'],
  ["States.Format('{} {} {} {}', $.count, true, null, -1.5)", '2 true null -1.5'],
  ["States.Format('It\\'s \\{\\}, not {}', 'a, (b)')", "It's {}, not a, (b)"],
  ["States.Format('<{}>', States.Format('{}', $.list))", '<[{"a b":1}]>'],
])('%s is %j', async (expression, value) => {
  expect(await evaluated(expression)).toBe(value);
});

test.each([
  [
    '$.list.name',
    `The JSONPath '$.list.name' specified for the field 'value.$' could not be found in the input '${JSON.stringify(input)}'`,
  ],
  ["States.Format('{}', $.name, $.count)", "States.Format has 2 values for 1 placeholders in '{}'"],
  ['States.Format($.count)', 'The first argument of States.Format is not a string'],
])('%s fails the execution as AWS says it', async (expression, message) => {
  expect(await evaluated(expression)).toBe(
    `States.Runtime: An error occurred while executing the state 'A' (entered at the event id #2). ${message}`,
  );
});
