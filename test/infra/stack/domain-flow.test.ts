import { describe, expect, test } from 'vitest';
import { ofType, placeOf, type TemplateResource } from '../../../infra/local/template.ts';
import { LEASE_MS } from '../../../shared/domains/steps/removal.ts';
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

/** The states that go on to this one. */
function leadingTo(states: Record<string, StateOfFlow>, name = ''): string[] {
  return Object.entries(states)
    .filter(([, state]) =>
      ['Next', 'Default'].some(transition => JSON.stringify(state).includes(`"${transition}":"${name}"`)),
    )
    .map(([from]) => from);
}

describe.each(STACKS)('the flows of domains of %s', stack => {
  const template = templateOf(stack);
  const functions = ofType(template, 'AWS::Lambda::Function');
  const flow = (name: string): { StartAt: string; States: Record<string, StateOfFlow> } => {
    const machine = ofType(template, 'AWS::StepFunctions::StateMachine').get(`DomainFlow${name}`);
    return JSON.parse(placeOf(machine?.Properties.DefinitionString));
  };
  const timeoutOf = (name: string) => functions.get(`${name}Function`)?.Properties.Timeout;

  test('a removal waits until every function that creates something for the domain has timed out', () => {
    const { StartAt, States } = flow('Remove');
    const first = States[StartAt];
    expect(first?.Type).toBe('Wait');
    const steps = ['DomainFlowCheckDns', 'DomainFlowCheckCertificate', 'DomainFlowAttachDomain'];
    for (const step of [...steps, 'OperatorOperate', 'DomainChecksReconcileDomains']) {
      expect(first?.Seconds, step).toBeGreaterThan(timeoutOf(step));
    }
    expect(States[first?.Next ?? '']?.Parameters?.FunctionName).toBe('DomainFlowTakeDownFunction');
  });

  test('the lease of a delivery that takes a domain down is longer than its function may take', () => {
    expect(LEASE_MS / 1000).toBeGreaterThan(timeoutOf('DomainFlowTakeDown'));
  });

  test('a removal forgets the domain when every function that deletes something for it has timed out', () => {
    const { States } = flow('Remove');
    const forgetting = Object.keys(States).find(
      state => States[state]?.Parameters?.FunctionName === 'DomainFlowForgetDomainFunction',
    );
    const waits = leadingTo(States, forgetting).filter(from => !from.startsWith('Wait to'));
    expect(waits).toHaveLength(1);
    const [wait = ''] = waits;
    expect(States[wait]?.Type).toBe('Wait');
    for (const taker of ['DomainFlowTakeDown', 'OperatorOperate', 'DomainChecksReconcileDomains']) {
      expect(States[wait]?.Seconds, taker).toBeGreaterThan(timeoutOf(taker));
    }
    expect(leadingTo(States, wait)).toEqual(['Everything taken down?']);
  });

  test('a verification checks DNS first, and attaches the domain only after the certificate is issued', () => {
    const { StartAt, States } = flow('Verify');
    const functionOf = (state = '') => States[state]?.Parameters?.FunctionName;
    expect(functionOf(StartAt)).toBe('DomainFlowCheckDnsFunction');
    const attaching = Object.keys(States).find(
      state => functionOf(state) === 'DomainFlowAttachDomainFunction',
    );
    expect(leadingTo(States, attaching).toSorted()).toEqual([
      'Certificate issued?',
      'Wait to attach the domain again',
    ]);
  });

  test.each(['Verify', 'Remove'])('%s ends in a Fail state when a step fails or keeps failing', name => {
    const { States } = flow(name);
    expect(States.Failed).toMatchObject({ Type: 'Fail' });
    const choices = Object.keys(States).filter(state => States[state]?.Type === 'Choice');
    expect(leadingTo(States, 'Failed').toSorted()).toEqual([...choices, 'Record the failure'].toSorted());
    expect(leadingTo(States, 'Superseded').toSorted()).toEqual(choices.toSorted());
  });

  test.each(['Verify', 'Remove'])('every step of %s goes on, waits and repeats, or fails', name => {
    const { States } = flow(name);
    const steps = Object.entries(States).filter(([, { Next = '' }]) => States[Next]?.Type === 'Choice');
    expect(steps.length).toBeGreaterThan(1);
    for (const [step, { Next = '' }] of steps) {
      const { Choices = [], Default } = States[Next] ?? {};
      expect(Choices.map(({ Variable, StringEquals }: StateOfFlow) => `${Variable} ${StringEquals}`)).toEqual(
        ['$.outcome done', '$.outcome waiting', '$.outcome failed'],
      );
      const [done, waiting, failed] = Choices.map(({ Next: next }: StateOfFlow) => next);
      expect(States[done ?? '']?.Type, step).not.toBe('Fail');
      expect(States[waiting ?? ''], step).toEqual({ Type: 'Wait', SecondsPath: '$.waitSeconds', Next: step });
      expect([failed, Default], step).toEqual(['Failed', 'Superseded']);
    }
    expect(States.Superseded).toEqual({ Type: 'Succeed' });
  });

  test.each(['Verify', 'Remove'])(
    'every step of %s is retried for an hour, then its failure is recorded, which is retried for over two hours',
    name => {
      const steps = Object.entries(flow(name).States).filter(([, { Type }]) => Type === 'Task');
      for (const [step, { Retry = [], Catch = [], Parameters }] of steps) {
        expect(Retry, step).toMatchObject([{ ErrorEquals: ['States.TaskFailed', 'States.Timeout'] }]);
        const isRecord = Parameters?.FunctionName === 'DomainFlowRecordFailureFunction';
        expect(retrySeconds(Retry[0]) / 3600, step).toBeGreaterThan(isRecord ? 2 : 1);
        if (isRecord) continue;
        expect(Catch, step).toMatchObject([{ ErrorEquals: ['States.ALL'] }]);
        const next = flow(name).States[Catch[0]?.Next ?? ''];
        expect(next?.Parameters?.FunctionName, step).toBe('DomainFlowRecordFailureFunction');
      }
      expect(steps.length).toBeGreaterThan(1);
    },
  );
});
