import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { GatewayBusy, GatewayRefused } from '../../../../shared/domains/aws/gateway-domains.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import type { DomainStore } from '../../../../shared/domains/life/domain-store.ts';
import { verification } from '../../../../shared/domains/steps/verification.ts';
import { certified, claimed, live } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, SECOND } from './flow-world.ts';

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

describe('the history of an execution', () => {
  /** A Lambda task has 5 history events, a Choice and a Wait 2 each. */
  const EVENTS_PER_ROUND = 9;
  const MAX_EVENTS = 20_000;

  /** The record, kept in memory: a wait of days is hundreds of rounds. */
  const kept = { domain: claimed() };
  const domains = {
    find: async () => kept.domain,
    save: async (next: Domain) => {
      kept.domain = next;
    },
    ownerOf: async () => 'zoo',
    isOwner: async () => true,
  } as unknown as DomainStore;

  let world: FlowWorld;
  beforeAll(async () => {
    world = await flowWorld({ domains });
  });
  beforeEach(() => world.reset());

  const attaching: Partial<Domain> = { status: 'issuing', phase: 'attachment', certificate: certified() };
  const attach = () => world.parts.attachment.attach(ATTEMPT);
  const takeDown = () => world.parts.removal.takeDown(ATTEMPT);
  const removing = { ...live(), status: 'removing', message: 'No longer served.' } as const;

  /** The ways to wait for something that never comes: the domain, what is in the way, and the step. */
  const WAITS: [what: string, domain: Partial<Domain>, obstruct: () => void, step: () => Promise<Result>][] =
    [
      [
        'for records',
        { certificate: certified() },
        () => {
          world.zone = {};
        },
        () => world.parts.verification.checkDns(ATTEMPT),
      ],
      [
        'for a certificate',
        { status: 'issuing', phase: 'certificate', certificate: certified({ status: 'PENDING_VALIDATION' }) },
        () => {
          world.certificate = { ...world.certificate, status: 'PENDING_VALIDATION' };
        },
        () => world.parts.verification.checkCertificate(ATTEMPT),
      ],
      [
        'for API Gateway to accept a domain name',
        attaching,
        () => {
          world.refusal = new GatewayRefused('Not known.');
        },
        attach,
      ],
      [
        'for a busy API Gateway',
        attaching,
        () => {
          world.refusal = new GatewayBusy('Too Many Requests');
        },
        attach,
      ],
      [
        'for others to give up a domain name',
        attaching,
        () => {
          world.gateway = { host: 'd-9', hostedZoneId: 'Z9', certificateArn: 'theirs', isOurs: false };
        },
        attach,
      ],
      [
        'for a domain that is not reached',
        attaching,
        () => {
          world.reached = { kind: 'unreachable', why: 'connect ETIMEDOUT.' };
        },
        attach,
      ],
      [
        'for a paid plan',
        attaching,
        () => {
          world.unmet = { reason: 'plan_required', message: 'The plan is free.' };
        },
        attach,
      ],
      [
        'for a certificate that is in use',
        removing,
        () => {
          world.isInUse = true;
        },
        takeDown,
      ],
      [
        'for a busy API Gateway, in a removal',
        removing,
        () => {
          world.gateway = { host: 'd-1', hostedZoneId: 'Z1', certificateArn: 'ours', isOurs: true };
          world.refusal = new GatewayBusy('Too Many Requests');
        },
        takeDown,
      ],
    ];

  interface Result {
    readonly outcome: string;
    readonly waitSeconds: number;
  }

  test.each(WAITS)(
    'a wait %s ends in failure, far below the limit of a history',
    async (_, domain, obstruct, step) => {
      kept.domain = claimed({ status: 'verifying', ...domain, attempt: 2 });
      let rounds = 0;
      let result: Result = { outcome: 'waiting', waitSeconds: 0 };
      while (result.outcome === 'waiting' && rounds * EVENTS_PER_ROUND < MAX_EVENTS) {
        world.nowMs += result.waitSeconds * SECOND;
        obstruct();
        result = await step();
        rounds += 1;
      }
      expect(result.outcome).toBe('failed');
      // Three phases of a verification follow each other in one execution.
      expect(rounds * EVENTS_PER_ROUND * 3).toBeLessThan(MAX_EVENTS);
    },
  );
});
