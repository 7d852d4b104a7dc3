import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { expect, test, vi } from 'vitest';
import type { Resource } from '../../cloudformation/resource-type.ts';
import { EventBus } from '../../events/event-bus.ts';
import { AsynchronousInvocations } from '../../lambda/asynchronous-invocations.ts';
import { serveEvents } from '../../testing/served-events.ts';

const CERTIFICATE = 'arn:aws:acm:us-east-1:000000000000:certificate/1';
const EVENT = {
  source: 'aws.acm',
  'detail-type': 'ACM Certificate Renewal Action Required',
  resources: [CERTIFICATE],
  detail: {
    CommonName: 'www.zoo.example',
    DaysToExpiry: 45,
    'owner.team': 'zoo',
    names: [{ a: 1 }, { b: 2 }],
  },
};

function rule(EventPattern: unknown, State = 'ENABLED'): Resource {
  const properties = { EventPattern, State, Targets: [{ Id: 'T', Arn: 'fn' }] };
  return { stack: 'Zoo', logicalId: 'Rule', type: 'AWS::Events::Rule', physicalId: 'rule', properties };
}

function bus() {
  const invoke = vi.fn(async () => ({ payload: 'null' }));
  const startExecution = vi.fn();
  const reports: string[] = [];
  const asynchronous = new AsynchronousInvocations(0);
  const report = (line: string) => reports.push(line);
  const recorded: string[] = [];
  const record = (line: string) => recorded.push(line);
  const events = new EventBus({ invoke, startExecution, asynchronous, report, record });
  return { invoke, startExecution, asynchronous, reports, recorded, bus: events };
}

test.each([
  ['its source', { source: ['aws.acm'] }],
  ['one of several types', { 'detail-type': ['Another', EVENT['detail-type']] }],
  ['one of its resources', { resources: [CERTIFICATE] }],
  ['its detail', { detail: { DaysToExpiry: [45, 30] } }],
  ['a path', { 'detail.DaysToExpiry': [45], detail: { owner: { team: ['zoo'] } } }],
  ['an object in a list', { detail: { names: { b: [2] } } }],
])('a rule that matches an event by %s invokes its function', async (_, pattern) => {
  const { bus: events, invoke } = bus();
  events.deploy([rule(pattern)]);
  await events.put(EVENT);
  expect(invoke).toHaveBeenCalledExactlyOnceWith(
    'fn',
    {
      version: '0',
      id: expect.any(String),
      account: '000000000000',
      region: 'us-east-1',
      time: expect.stringMatching(/^[\d-]{10}T[\d:]{8}Z$/),
      ...EVENT,
    },
    {
      principal: 'events.amazonaws.com',
      sourceArn: 'arn:aws:events:us-east-1:000000000000:rule/rule',
    },
  );
});

test.each([
  ['of another source', rule({ source: ['aws.cloudformation'] })],
  ['of other resources', rule({ resources: [`${CERTIFICATE}2`] })],
  ['of another detail', rule({ source: ['aws.acm'], detail: { DaysToExpiry: ['45'] } })],
  ['of another path', rule({ 'detail.DaysToExpiry': [45], detail: { CommonName: ['zoo.example'] } })],
  ['of several objects in a list', rule({ detail: { names: { a: [1], b: [2] } } })],
  ['that is disabled', rule({ source: ['aws.acm'] }, 'DISABLED')],
])('a rule %s does not invoke its function', async (_, declared) => {
  const { bus: events, invoke } = bus();
  events.deploy([declared]);
  await events.put(EVENT);
  expect(invoke).not.toHaveBeenCalled();
});

test('an event before the first deployment waits for it, and the latest rules apply', async () => {
  const { bus: events, invoke } = bus();
  const early = events.put(EVENT);
  expect(invoke).not.toHaveBeenCalled();
  events.deploy([rule({ source: ['aws.acm'] })]);
  await early;
  expect(invoke).toHaveBeenCalledTimes(1);
  events.deploy([]);
  await events.put(EVENT);
  expect(invoke).toHaveBeenCalledTimes(1);
});

test('every event is recorded, whether or not a rule matches it, before the first deployment too', async () => {
  const { bus: events, recorded } = bus();
  const early = events.put(EVENT);
  expect(recorded.map(line => JSON.parse(line))).toMatchObject([EVENT]);
  events.deploy([]);
  await early;
  await events.put({ ...EVENT, id: 'chosen', time: '2026-01-31T12:00:00Z' });
  expect(JSON.parse(recorded[1] ?? '')).toMatchObject({ id: 'chosen', time: '2026-01-31T12:00:00Z' });
});

test('an event that was put by PutEvents invokes the function of a rule that matches it, under the returned id', async () => {
  const { bus: events, invoke } = bus();
  events.deploy([rule({ source: ['zoo'], detail: { pet: ['Ada'] } }), rule({ source: ['farm'] })]);
  const { client } = await serveEvents(undefined, event => void events.put(event));
  const entry = { Source: 'zoo', DetailType: 'Fed', Detail: '{"pet":"Ada"}' };
  const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: [entry] }));
  await expect.poll(() => invoke.mock.calls.length).toBe(1);
  const delivered = {
    source: 'zoo',
    'detail-type': 'Fed',
    detail: { pet: 'Ada' },
    id: Entries[0]?.EventId,
  };
  expect(invoke.mock.calls).toMatchObject([['fn', delivered, {}]]);
});

test('a rule starts an execution of its state machine with the role of the target', async () => {
  const { bus: events, startExecution, reports } = bus();
  const { properties, ...resource } = rule({ source: ['aws.acm'] });
  const Arn = 'arn:aws:states:us-east-1:000000000000:stateMachine:Flow';
  events.deploy([
    { ...resource, properties: { ...properties, Targets: [{ Id: 'T', Arn, RoleArn: 'role' }] } },
  ]);
  startExecution.mockImplementationOnce(() => {
    throw new Error('denied');
  });
  await events.put(EVENT);
  await expect.poll(() => startExecution.mock.calls.length).toBe(2);
  expect(startExecution).toHaveBeenLastCalledWith(Arn, 'role', expect.stringContaining('"source":"aws.acm"'));
  expect(reports).toEqual([expect.stringMatching(/Flow was not invoked: denied$/)]);
});

test('a failing function is reported and invoked again', async () => {
  const { bus: events, invoke, reports } = bus();
  invoke.mockRejectedValueOnce(new Error('no permission'));
  events.deploy([rule({ source: ['aws.acm'] })]);
  await events.put(EVENT);
  expect(reports).toEqual([
    'arn:aws:events:us-east-1:000000000000:rule/rule: fn was not invoked: no permission',
  ]);
  await expect.poll(() => invoke.mock.calls.length).toBe(2);
});

test('a function that the end of the runtime interrupts is not reported', async () => {
  const { bus: events, invoke, asynchronous, reports } = bus();
  events.deploy([rule({ source: ['aws.acm'] })]);
  invoke.mockImplementationOnce(async () => {
    asynchronous.stop();
    throw new Error('exited');
  });
  await events.put(EVENT);
  expect(reports).toEqual([]);
});
