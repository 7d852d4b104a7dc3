import { beforeAll, beforeEach, expect, test } from 'vitest';
import { nextRevision } from '../../../../shared/domains/life/domain.ts';
import { verification } from '../../../../shared/domains/steps/verification.ts';
import { type FlowWorld, flowWorld } from './flow-world.ts';

const ATTEMPT = { domain: 'www.zoo.example', project: 'zoo', attempt: 2 };

let world: FlowWorld;
let steps: ReturnType<typeof verification>;
beforeAll(async () => {
  world = await flowWorld();
  steps = world.parts.verification;
});
beforeEach(() => world.reset());

const STEPS = ['checkDns', 'checkCertificate', 'recordFailure'] as const;
const stepOf = (name: (typeof STEPS)[number]) =>
  name === 'recordFailure' ? world.parts.recordFailure : steps[name];

test('changes nothing when it runs again for a phase that has passed', async () => {
  const before = await world.stored({ status: 'issuing', phase: 'attachment' });
  world.zone = {};
  expect(await steps.checkDns(ATTEMPT)).toMatchObject({ outcome: 'done', waitSeconds: 0 });
  expect(await steps.checkCertificate(ATTEMPT)).toMatchObject({ outcome: 'done', waitSeconds: 0 });
  expect(await world.found()).toEqual(before);
});

test.each(STEPS)(
  '%s changes nothing when the attempt is superseded or has failed, or the domain is gone',
  async step => {
    const superseded = await world.stored({ attempt: 3 });
    expect(await stepOf(step)(ATTEMPT)).toEqual({ ...ATTEMPT, outcome: 'superseded', waitSeconds: 0 });
    expect(await world.found()).toEqual(superseded);
    const failed = await world.stored({ status: 'failed' });
    expect(await stepOf(step)(ATTEMPT)).toMatchObject({ outcome: 'failed' });
    expect(await world.found()).toEqual(failed);
    expect(await stepOf(step)({ domain: 'gone.zoo.example', project: 'zoo', attempt: 2 })).toMatchObject({
      outcome: 'superseded',
    });
  },
);

test('writes nothing when another attempt supersedes it while it works', async () => {
  const before = await world.stored();
  const removed = nextRevision({ ...before, status: 'removing', phase: 'removal', attempt: 3 });
  const vantagePoints = async () => {
    await world.store.save(removed);
    return world.parts.vantagePoints('zoo.example');
  };
  const raced = verification({ ...world.parts, vantagePoints });
  expect(await raced.checkDns(ATTEMPT)).toMatchObject({ outcome: 'superseded' });
  expect(await world.found()).toEqual(removed);
});

test('throws, to be repeated, when the record was changed within the same attempt', async () => {
  const before = await world.stored();
  const vantagePoints = async () => {
    await world.store.save(nextRevision({ ...before, message: 'Theirs.' }));
    return world.parts.vantagePoints('zoo.example');
  };
  const raced = verification({ ...world.parts, vantagePoints });
  await expect(raced.checkDns(ATTEMPT)).rejects.toMatchObject({ name: 'DomainChanged' });
  expect(await steps.checkDns(ATTEMPT)).toMatchObject({ outcome: 'done' });
});
