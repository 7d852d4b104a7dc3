import { describe, expect, test } from 'vitest';
import { ofType, placeOf, type TemplateResource } from '../../../infra/local/template.ts';
import { LEASE_MS } from '../../../shared/domains/life/lease.ts';
import { LOST_AFTER_MS } from '../../../shared/domains/life/reconciliation.ts';
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

  test('the lease of a name is longer than a step or a command may take', () => {
    const steps = ['CheckDns', 'CheckCertificate', 'AttachDomain', 'TakeDown'].map(
      step => `DomainFlow${step}`,
    );
    for (const name of [...steps, 'OperatorOperate']) {
      expect(LEASE_MS / 1000, name).toBeGreaterThan(timeoutOf(name));
    }
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

  test.each(['Verify', 'Remove'])('%s ends in a Fail state when a step has given the domain up', name => {
    const { States } = flow(name);
    expect(States.Failed).toMatchObject({ Type: 'Fail' });
    const choices = Object.keys(States).filter(state => States[state]?.Type === 'Choice');
    expect(leadingTo(States, 'Failed').toSorted()).toEqual(choices.toSorted());
    expect(leadingTo(States, 'Superseded').toSorted()).toEqual(choices.toSorted());
  });

  test.each(['Verify', 'Remove'])('every step of %s goes on, waits and repeats, or fails', name => {
    const { States } = flow(name);
    const steps = Object.entries(States).filter(([, { Next = '' }]) => States[Next]?.Type === 'Choice');
    expect(steps).not.toEqual([]);
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
    '%s repeats a step that fails, until shortly before it is restarted',
    name => {
      const steps = Object.entries(flow(name).States).filter(([, { Type }]) => Type === 'Task');
      expect(steps).not.toEqual([]);
      for (const [step, { Retry = [] }] of steps) {
        expect(Retry, step).toMatchObject([{ ErrorEquals: ['States.TaskFailed', 'States.Timeout'] }]);
        const seconds = retrySeconds(Retry[0]);
        expect(seconds, step).toBeGreaterThan(8 * 60);
        expect(seconds, step).toBeLessThan(LOST_AFTER_MS / 1000);
      }
    },
  );
});
