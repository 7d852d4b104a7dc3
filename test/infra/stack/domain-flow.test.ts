import { describe, expect, test } from 'vitest';
import { ofType, placeOf, type TemplateResource } from '../../../infra/local/template.ts';
import { LOST_AFTER_MS } from '../../../shared/domains/life/due.ts';
import { ENDS, WAITS } from '../../../shared/domains/life/flow-state.ts';
import { LEASE_MS } from '../../../shared/domains/life/lease.ts';
import { STACKS, templateOf } from './templates.ts';

/** A state as a definition has it, or a part of one. */
type StateOfFlow = TemplateResource['Properties'];

/** How long a step is retried in all, apart from its own time. */
function retrySeconds({ IntervalSeconds, BackoffRate, MaxAttempts, MaxDelaySeconds }: StateOfFlow): number {
  const delays = Array.from({ length: MaxAttempts }, (_, retry) =>
    Math.min(IntervalSeconds * BackoffRate ** retry, MaxDelaySeconds),
  );
  return delays.reduce((sum, delay) => sum + delay, 0);
}

describe.each(STACKS)('the flow of domains of %s', stack => {
  const template = templateOf(stack);
  const functions = ofType(template, 'AWS::Lambda::Function');
  const machine = ofType(template, 'AWS::StepFunctions::StateMachine').get('DomainFlowTend');
  const { StartAt, States }: { StartAt: string; States: Record<string, StateOfFlow> } = JSON.parse(
    placeOf(machine?.Properties.DefinitionString),
  );

  test.each(['DomainFlowTendDomain', 'OperatorOperate'])(
    'the lease of a name is longer than %s may take, which may attach a domain or ask for a certificate',
    name => {
      expect(LEASE_MS / 1000).toBeGreaterThan(functions.get(`${name}Function`)?.Properties.Timeout);
    },
  );

  test('after a pass it waits in the state that the pass has named, and begins anew; or it ends', () => {
    const { Next: choice = '' } = States[StartAt] ?? {};
    const { Choices = [], Default } = States[choice] ?? {};
    expect(Choices).toEqual(
      [...WAITS, 'Done', 'Failed'].map(state => ({
        Variable: '$.next',
        StringEquals: state,
        Next: state,
      })),
    );
    expect(Default).toBe('Superseded');
    for (const wait of WAITS)
      expect(States[wait]).toEqual({ Type: 'Wait', SecondsPath: '$.waitSeconds', Next: StartAt });
    expect(ENDS.map(end => States[end]?.Type)).toEqual(['Succeed', 'Fail', 'Succeed']);
    expect(Object.keys(States).toSorted()).toEqual([StartAt, choice, ...WAITS, ...ENDS].toSorted());
  });

  test('a pass that fails is repeated, until shortly before another execution is started', () => {
    const { Retry = [] } = States[StartAt] ?? {};
    expect(Retry).toMatchObject([{ ErrorEquals: ['States.TaskFailed', 'States.Timeout'] }]);
    const seconds = retrySeconds(Retry[0]);
    expect(seconds).toBeGreaterThan(8 * 60);
    expect(seconds).toBeLessThan(LOST_AFTER_MS / 1000);
  });
});
