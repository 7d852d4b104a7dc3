import type { Context } from 'aws-lambda';
import { expect, onTestFinished, test, vi } from 'vitest';
import { COMMANDS } from '../../../shared/operator/contract.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { PLAN } from '../../shared/api-keys/local-gateway.ts';
import { PREFIX } from '../../shared/api-keys/stored-keys.ts';
import { refusal } from '../../shared/operator/operating.ts';

/** As the error for an unknown command lists them. */
const COMMAND_NAMES = Object.keys(COMMANDS).toSorted();

const VERSION = '1.0.0+0123456789ab';

/** The tables don't exist, so every command that passes validation fails. */
const VARIABLES = {
  API_KEYS_TABLE: 'no-table',
  ORDERS_TABLE: 'no-table',
  IDEMPOTENCY_KEYS_TABLE: 'no-table',
  PETS_TABLE: 'no-table',
  AUDIT_TABLE: 'no-table',
  PROJECTS_TABLE: 'no-table',
  DOMAINS_TABLE: 'no-table',
  API_KEY_PREFIX: PREFIX,
  ENVIRONMENT: 'test',
  USAGE_PLAN_ID: PLAN.usagePlanId,
  REST_API_ID: PLAN.restApiId,
  STAGE_NAME: PLAN.stageName,
  SOURCE_VERSION: VERSION,
  MANAGED_ZONE_IDS: '[]',
  PLATFORM_ZONE_ID: 'Z1',
  PLATFORM_DOMAIN: 'apps.petstore.example',
  DNS_RESOLVERS: '127.0.0.1',
  PROOF_SECRET: 'secret',
  REDIRECT_API_ID: 'redirects1',
  REDIRECT_STAGE: 'test-redirects',
  TEND_MACHINE_ARN: 'arn:aws:states:us-east-1:000000000000:stateMachine:Tend',
};

async function operatorFunction(variables: Record<string, string | undefined> = {}) {
  for (const [name, value] of Object.entries({ ...VARIABLES, ...variables })) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.resetModules();
  const { handler } = await import('../../../functions/operator/operate.ts');
  return async (payload: unknown, awsRequestId = 'request-1') => {
    const { version, ...reply } = await handler(payload, { awsRequestId } as Context);
    // Every reply has it, so that a command of another version can tell.
    expect(version).toBe(VERSION);
    return reply;
  };
}

test('domain commands say what to set in an environment without a platform domain', async () => {
  const operate = await operatorFunction({
    AUDIT_TABLE: await tableLike('OperatorAudit'),
    PROJECTS_TABLE: await tableLike('ProjectsTable'),
    DOMAINS_TABLE: await tableLike('DomainsTable'),
    PLATFORM_DOMAIN: undefined,
    PLATFORM_ZONE_ID: undefined,
  });
  await operate({ command: 'projects.create', id: 'shop', plan: 'pro' }, '1');
  await operate({ command: 'projects.deployed', id: 'shop' }, '2');
  const add = { command: 'domains.add', project: 'shop', domain: 'www.example.com' };
  expect(await operate(add, '3')).toMatchObject({
    ok: false,
    error: { code: 'conflict', reason: 'platform_domain_required' },
  });
  expect(await operate({ command: 'domains.list', project: 'shop' }, '4')).toEqual({
    ok: true,
    result: { domains: [], next: null },
  });
});

test('an unknown command gets those of the contract, and an unknown field of any command its name', async () => {
  const operate = await operatorFunction();
  const message = `command must be one of ${COMMAND_NAMES.join(', ')}`;
  const unknown = refusal('invalid_request', message, 'command_unknown');
  expect(await operate({ command: 'keys.Create' })).toEqual(unknown);
  const named = expect.stringMatching(/color is not a field of this command; it takes /);
  for (const command of COMMAND_NAMES) {
    expect(await operate({ command, color: 'red' })).toEqual(refusal('invalid_request', named));
  }
});
