import { expect, test } from 'vitest';
import { LocalAwsError } from '../../host/local-aws-error.ts';
import { declaredStateMachines } from '../../stepfunctions/state-machines.ts';
import { declared, INVOKE, machineResources } from '../../testing/deployed-machine.ts';

const place = 'Zoo, Flow (AWS::StepFunctions::StateMachine): ';
const WAIT = { Type: 'Wait', SecondsPath: '$.seconds' };
const only = (state: Record<string, unknown>) => ({ StartAt: 'A', States: { A: { End: true, ...state } } });
const choice = (rule: Record<string, unknown>) => ({
  StartAt: 'A',
  States: { A: { Type: 'Choice', Choices: [{ ...rule, Next: 'B' }] }, B: { Type: 'Succeed' } },
});
const unsupported = (property: string) => `the property States.A.${property} is not supported`;

const REFUSED: [what: string, definition: unknown, message: string][] = [
  ['text that is not JSON', '{', 'the definition is not JSON'],
  ['JSONata', { ...only(WAIT), QueryLanguage: 'JSONata' }, 'the property QueryLanguage is not supported'],
  ['JSONata in a state', only({ ...WAIT, QueryLanguage: 'JSONata' }), unsupported('QueryLanguage')],
  ['a time-out', { ...only(WAIT), TimeoutSeconds: 60 }, 'the property TimeoutSeconds is not supported'],
  ['a time-out of a task', only({ ...INVOKE, TimeoutSeconds: 60 }), unsupported('TimeoutSeconds')],
  ['a Pass state', only({ Type: 'Pass' }), unsupported('Type')],
  ['a Map state', only({ Type: 'Map', ItemProcessor: only(WAIT) }), unsupported('Type')],
  ['a wait of a fixed length', only({ ...WAIT, Seconds: 1 }), unsupported('Seconds')],
  ['an assignment of variables', only({ ...WAIT, Assign: { a: 1 } }), unsupported('Assign')],
  ['a wait until a moment', only({ ...WAIT, Timestamp: '2030-01-01T00:00:00Z' }), unsupported('Timestamp')],
  [
    'an integration that is not supported',
    only({ ...INVOKE, Resource: 'arn:aws:states:::sns:publish' }),
    unsupported('Resource'),
  ],
  [
    'an asynchronous invocation',
    only({ ...INVOKE, Parameters: { ...INVOKE.Parameters, InvocationType: 'Event' } }),
    unsupported('Parameters.InvocationType'),
  ],
  [
    'a payload of several expressions',
    only({ ...INVOKE, Parameters: { FunctionName: 'f', Payload: { 'a.$': '$.a' } } }),
    unsupported('Parameters.Payload.$'),
  ],
  [
    'a call of AWS that is not supported',
    only({ Type: 'Task', Resource: 'arn:aws:states:::aws-sdk:dynamodb:deleteTable', Parameters: {} }),
    unsupported('Resource'),
  ],
  [
    'a path within a parameter',
    only({
      Type: 'Task',
      Resource: 'arn:aws:states:::aws-sdk:sns:publish',
      Parameters: { Message: { 'a.$': '$.a' } },
    }),
    unsupported('Parameters.Message'),
  ],
  ...[
    "States.Format('{}')",
    "States.Format('it\\\\'s {}', $.a)",
    'States.UUID()',
    "States.Format($.a, '')",
    "States.Format('{}', $.detail-type)",
    "States.Format('{}', $['a)",
  ].map((expression): [string, unknown, string] => [
    `the expression ${expression}`,
    only({
      Type: 'Task',
      Resource: 'arn:aws:states:::aws-sdk:sns:publish',
      Parameters: { 'Message.$': expression },
    }),
    `${unsupported('Parameters.Message.$')} by the local AWS (only $, paths such as $.a.b and States.Format`,
  ]),
  ['a selected result', only({ ...INVOKE, ResultSelector: { 'a.$': '$.a' } }), unsupported('ResultSelector')],
  [
    'jitter of retries',
    only({ ...INVOKE, Retry: [{ ErrorEquals: ['Busy'], JitterStrategy: 'FULL' }] }),
    unsupported('Retry.0.JitterStrategy'),
  ],
  ...['$$.Execution.Name', '$.a[*]', '$.a[0]', "States.Format('{}', $.a)", 'a'].map(
    (path): (typeof REFUSED)[number] => [
      `the path ${path}`,
      only({ Type: 'Wait', SecondsPath: path }),
      `${unsupported('SecondsPath')} by the local AWS (only $ and paths of fields such as $.a['b-c']`,
    ],
  ),
  [
    'another comparison',
    choice({ Variable: '$.a', NumericEquals: 1 }),
    unsupported('Choices.0.StringEquals'),
  ],
  [
    'a test for presence',
    choice({ Variable: '$.a', IsPresent: true }),
    unsupported('Choices.0.StringEquals'),
  ],
  [
    'an operand of another type',
    choice({ Variable: '$.a', StringEquals: 1 }),
    unsupported('Choices.0.StringEquals'),
  ],
  [
    'a combined rule',
    choice({ Not: { Variable: '$.a', StringEquals: '1' } }),
    unsupported('Choices.0.Variable'),
  ],
  [
    'a Choice state without choices',
    only({ Type: 'Choice', End: undefined, Choices: [] }),
    unsupported('Choices'),
  ],
  [
    'a transition to a state that does not exist',
    only({ ...WAIT, End: undefined, Next: 'B' }),
    'the definition is not valid: A leads to B, which is not a state',
  ],
  [
    'a start at a state that does not exist',
    { ...only(WAIT), StartAt: 'B' },
    'the definition is not valid: StartAt leads to B',
  ],
  [
    'a state with neither Next nor End',
    only({ ...WAIT, End: undefined }),
    'the definition is not valid: A has neither Next nor End',
  ],
  [
    'a state with both Next and End',
    only({ ...WAIT, Next: 'A' }),
    'the definition is not valid: A has Next and End',
  ],
  ['a Wait state without a duration', only({ Type: 'Wait' }), unsupported('SecondsPath')],
  [
    'a state that cannot be reached',
    { StartAt: 'A', States: { A: { Type: 'Succeed' }, B: { Type: 'Succeed' } } },
    'the definition is not valid: nothing leads to B',
  ],
  [
    'a machine without an end',
    only({ ...WAIT, End: undefined, Next: 'A' }),
    'the definition is not valid: it has no end',
  ],
  [
    'a catcher that leads to a state that does not exist',
    only({ ...INVOKE, Catch: [{ ErrorEquals: ['Busy'], Next: 'B' }] }),
    'the definition is not valid: A leads to B, which is not a state',
  ],
  ...['States.ALL', 'States.DataLimitExceeded', 'States.TaskFailedToo'].map(
    (error): (typeof REFUSED)[number] => [
      `the error ${error}`,
      only({ ...INVOKE, Retry: [{ ErrorEquals: [error] }] }),
      unsupported('Retry.0.ErrorEquals.0'),
    ],
  ),
];

test.each(REFUSED)('refuses in one line: %s', (_, definition, message) => {
  const attempt = () => declared(definition);
  expect(attempt).toThrow(LocalAwsError);
  expect(attempt).toThrow(place + message);
  expect(attempt).not.toThrow('\n');
});

test('refuses a role that no stack declares', () => {
  const [, machine] = machineResources(only(WAIT));
  const attempt = () => declaredStateMachines(machine ? [machine] : [], new Map());
  expect(attempt).toThrow(`${place}no stack declares its role arn:aws:iam::000000000000:role/FlowRole`);
});
