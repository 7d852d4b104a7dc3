import { expect, test } from 'vitest';
import { LocalRuntimeError } from '../../../../infra/local/local-runtime-error.ts';
import { declaredStateMachines } from '../../../../infra/local/stepfunctions/state-machines.ts';
import { declared, INVOKE, machineResources } from './deployed-machine.ts';

const place = 'Zoo, Flow (AWS::StepFunctions::StateMachine): ';
const only = (state: Record<string, unknown>) => ({ StartAt: 'A', States: { A: { End: true, ...state } } });

test.each([
  ['no JSON', '{', 'the definition is not JSON'],
  ['JSONata', { ...only({ Type: 'Pass' }), QueryLanguage: 'JSONata' }, 'the definition is in JSONata'],
  ['JSONata in a state', only({ Type: 'Pass', QueryLanguage: 'JSONata' }), 'the definition is in JSONata'],
  [
    'a target that is not there',
    only({ Type: 'Pass', End: undefined, Next: 'B' }),
    'the definition is not valid: A leads to B, which is not a state',
  ],
  [
    'a start that is not there',
    { ...only({ Type: 'Pass' }), StartAt: 'B' },
    'the definition is not valid: StartAt leads to B',
  ],
  [
    'no advice',
    only({ Type: 'Pass', End: undefined }),
    'the definition is not valid: A has neither Next nor End',
  ],
  ['two ways on', only({ Type: 'Pass', Next: 'A' }), 'the definition is not valid: A has Next and End'],
  [
    'no choices',
    only({ Type: 'Choice', End: undefined, Choices: [] }),
    'the definition is not valid: A has no choices',
  ],
  [
    'a wait for nothing',
    only({ Type: 'Wait' }),
    'the definition is not valid: A wants either Seconds or SecondsPath',
  ],
  [
    'a state that nothing leads to',
    { StartAt: 'A', States: { A: { Type: 'Succeed' }, B: { Type: 'Succeed' } } },
    'the definition is not valid: nothing leads to B',
  ],
  [
    'no end',
    only({ Type: 'Wait', End: undefined, Seconds: 1, Next: 'A' }),
    'the definition is not valid: it has no end',
  ],
  [
    'a caught error that leads nowhere',
    only({ ...INVOKE, Catch: [{ ErrorEquals: ['States.ALL'], Next: 'B' }] }),
    'the definition is not valid: A leads to B, which is not a state',
  ],
  ['Map', only({ Type: 'Map' }), 'the property States.A.Type cannot be honoured'],
  ['variables', only({ Type: 'Pass', Assign: { a: 1 } }), 'the property States.A.Assign is not known'],
  ['a moment', only({ Type: 'Wait', Timestamp: '2030-01-01T00:00:00Z' }), 'the property States.A.Timestamp'],
  [
    'another service',
    only({ Type: 'Task', Resource: 'arn:aws:states:::sns:publish' }),
    'the property States.A.Resource',
  ],
  [
    'an event',
    only({ ...INVOKE, Parameters: { FunctionName: 'f', InvocationType: 'Event' } }),
    'the property States.A.Parameters.InvocationType',
  ],
  ['a result that is nothing', only({ Type: 'Pass', Result: false }), 'the property States.A.Result'],
  [
    'the context of the state',
    only({ Type: 'Pass', Parameters: { 'a.$': '$$.State.Name' } }),
    '$$.State of the context object',
  ],
  [
    'a function that differs',
    only({ Type: 'Pass', Parameters: { 'a.$': 'States.JsonToString($)' } }),
    'the intrinsic function States.JsonToString',
  ],
  [
    'more wildcards',
    {
      StartAt: 'A',
      States: {
        A: { Type: 'Choice', Choices: [{ Variable: '$.a', StringMatches: 'a?', Next: 'B' }] },
        B: { Type: 'Succeed' },
      },
    },
    'StringMatches knows only the wildcard *',
  ],
])('refused in one line: %s', (_, definition, message) => {
  const attempt = () => declared(definition);
  expect(attempt).toThrow(LocalRuntimeError);
  expect(attempt).toThrow(place + message);
  expect(attempt).not.toThrow('\n');
});

test('a role that no stack declares is refused', () => {
  const [, machine] = machineResources(only({ Type: 'Pass' }));
  const attempt = () => declaredStateMachines(machine ? [machine] : [], new Map());
  expect(attempt).toThrow(`${place}no stack declares its role arn:aws:iam::000000000000:role/FlowRole`);
});
