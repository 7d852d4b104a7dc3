import { expect, test } from 'vitest';
import { LocalRuntimeError } from '../../../../infra/local/host/local-runtime-error.ts';
import { declaredStateMachines } from '../../../../infra/local/stepfunctions/state-machines.ts';
import { declared, INVOKE, machineResources } from './deployed-machine.ts';

const place = 'Zoo, Flow (AWS::StepFunctions::StateMachine): ';
const choice = (rule: Record<string, unknown>) => ({
  StartAt: 'A',
  States: { A: { Type: 'Choice', Choices: [{ ...rule, Next: 'B' }] }, B: { Type: 'Succeed' } },
});
const only = (state: Record<string, unknown>) => ({ StartAt: 'A', States: { A: { End: true, ...state } } });

test.each([
  ['text that is not JSON', '{', 'the definition is not JSON'],
  ['JSONata', { ...only({ Type: 'Pass' }), QueryLanguage: 'JSONata' }, 'the definition is in JSONata'],
  ['JSONata in a state', only({ Type: 'Pass', QueryLanguage: 'JSONata' }), 'the definition is in JSONata'],
  [
    'a transition to a state that does not exist',
    only({ Type: 'Pass', End: undefined, Next: 'B' }),
    'the definition is not valid: A leads to B, which is not a state',
  ],
  [
    'a start at a state that does not exist',
    { ...only({ Type: 'Pass' }), StartAt: 'B' },
    'the definition is not valid: StartAt leads to B',
  ],
  [
    'a state with neither Next nor End',
    only({ Type: 'Pass', End: undefined }),
    'the definition is not valid: A has neither Next nor End',
  ],
  [
    'a state with both Next and End',
    only({ Type: 'Pass', Next: 'A' }),
    'the definition is not valid: A has Next and End',
  ],
  [
    'a Choice state without choices',
    only({ Type: 'Choice', End: undefined, Choices: [] }),
    'the definition is not valid: A has no choices',
  ],
  [
    'a Wait state without a duration',
    only({ Type: 'Wait' }),
    'the definition is not valid: A needs either Seconds or SecondsPath',
  ],
  [
    'a state that cannot be reached',
    { StartAt: 'A', States: { A: { Type: 'Succeed' }, B: { Type: 'Succeed' } } },
    'the definition is not valid: nothing leads to B',
  ],
  [
    'a machine without an end',
    only({ Type: 'Wait', End: undefined, Seconds: 1, Next: 'A' }),
    'the definition is not valid: it has no end',
  ],
  [
    'a catcher that leads to a state that does not exist',
    only({ ...INVOKE, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'B' }] }),
    'the definition is not valid: A leads to B, which is not a state',
  ],
  ['a Map state', only({ Type: 'a Map state' }), 'the property States.A.Type is not supported'],
  [
    'an assignment of variables',
    only({ Type: 'Pass', Assign: { a: 1 } }),
    'the property States.A.Assign is not supported',
  ],
  [
    'a wait until a moment',
    only({ Type: 'Wait', Timestamp: '2030-01-01T00:00:00Z' }),
    'the property States.A.Timestamp',
  ],
  [
    'an integration other than Lambda',
    only({ Type: 'Task', Resource: 'arn:aws:states:::sns:publish' }),
    'the property States.A.Resource',
  ],
  [
    'an asynchronous invocation',
    only({ ...INVOKE, Parameters: { FunctionName: 'f', InvocationType: 'Event' } }),
    'the property States.A.Parameters.InvocationType',
  ],
  [
    'the context of a task',
    only({ Type: 'Pass', Parameters: { 'a.$': '$$.Task.Token' } }),
    'the property States.A.Parameters.a.$ is not supported by the local runtime (the context object has only',
  ],
  [
    'an intrinsic function other than States.Format',
    only({ Type: 'Pass', Parameters: { in: [{ 'a.$': 'States.JsonToString($)' }] } }),
    'the property States.A.Parameters.in.0.a.$ is not supported by the local runtime (the intrinsic function States.JsonToString',
  ],
  [
    'the context of a task in an intrinsic function',
    only({ Type: 'Pass', Parameters: { 'a.$': "States.Format('{}', $$.Task.Token)" } }),
    'the property States.A.Parameters.a.$ is not supported by the local runtime (the context object has only',
  ],
  [
    'a malformed intrinsic function',
    only({ Type: 'Pass', Parameters: { 'a.$': "States.Format('{}' $.a)" } }),
    'the property States.A.Parameters.a.$',
  ],
  [
    'a template field that is no expression',
    only({ Type: 'Pass', Parameters: { 'a.$': 1 } }),
    'the property States.A.Parameters.a.$',
  ],
  [
    'a path that is no reference path',
    only({ Type: 'Pass', InputPath: '$.a[*]' }),
    'the property States.A.InputPath is not supported by the local runtime (only reference paths',
  ],
  [
    'an index in a result path',
    only({ Type: 'Pass', ResultPath: '$.a[0]' }),
    'the property States.A.ResultPath is not supported',
  ],
  ['an unknown operator', choice({ Variable: '$.a', StringIs: 'a' }), 'the property States.A.Choices.0'],
  [
    'an operand of another type',
    choice({ Not: { Variable: '$.a', NumericEquals: '1' } }),
    'the property States.A.Choices.0',
  ],
  ['a rule that is not an object', choice({ And: [null] }), 'the property States.A.Choices.0'],
  [
    'two operators',
    choice({ Variable: '$.a', IsNull: true, IsString: true }),
    'the property States.A.Choices.0',
  ],
  [
    'States.ALL together with other errors',
    only({ ...INVOKE, Retry: [{ ErrorEquals: ['Busy', 'States.ALL'] }] }),
    'the definition is not valid: A has States.ALL together with other errors',
  ],
  [
    'States.ALL before other errors',
    only({ ...INVOKE, Retry: [{ ErrorEquals: ['States.ALL'] }, { ErrorEquals: ['Busy'] }] }),
    'the definition is not valid: A has States.ALL before other errors',
  ],
])('rejects in one line: %s', (_, definition, message) => {
  const attempt = () => declared(definition);
  expect(attempt).toThrow(LocalRuntimeError);
  expect(attempt).toThrow(place + message);
  expect(attempt).not.toThrow('\n');
});

test('rejects a role that no stack declares', () => {
  const [, machine] = machineResources(only({ Type: 'Pass' }));
  const attempt = () => declaredStateMachines(machine ? [machine] : [], new Map());
  expect(attempt).toThrow(`${place}no stack declares its role arn:aws:iam::000000000000:role/FlowRole`);
});
