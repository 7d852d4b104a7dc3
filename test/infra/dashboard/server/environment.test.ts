import { userInfo } from 'node:os';
import { expect, test, vi } from 'vitest';
import { dashboardEnvironment, environmentOperator } from '../../../../infra/dashboard/server/environment.ts';
import { CommandError } from '../../../../infra/operator/connection/command-error.ts';
import type { Operator } from '../../../../infra/operator/connection/invoke-operator.ts';
import { localTarget, targetOf } from '../../../../infra/operator/connection/target.ts';
import { HostedZones } from '../../../../infra/operator/domains/hosted-zones.ts';
import { setRecord } from '../../../../infra/operator/domains/set-record.ts';
import type { DomainReport } from '../../../../shared/operator/contract.ts';
import { revisionOf } from '../../../../shared/operator/revision.ts';
import { ADDED, inUse, READY } from '../../operator/domains/domain-fixture.ts';
import { startLocalMachine } from '../../operator/domains/local-machine.ts';
import { LINK, startOperatorStandIn, succeeds } from '../../operator/operator-stand-in.ts';

const ARN = 'arn:aws:sts::123456789012:assumed-role/Operators/jane';
const TARGET = targetOf({ stage: 'staging' });

const OUTCOME = { result: {} as never, warnings: ['The mapping of a.example.com could not be changed.'] };

function standIn(invoke: Operator['invoke'] = vi.fn(async () => OUTCOME)) {
  const operator = { region: 'eu-central-1', invoke, callerArn: vi.fn(async () => ARN) };
  return { operator, connect: vi.fn(async () => operator) };
}

test('a change has the request id of the page and its warnings, a read has neither, and one connection is enough', async () => {
  const { operator, connect } = standIn();
  const environment = environmentOperator(TARGET, connect);
  expect(await environment.change('keys.revoke', { id: 'key_1' }, 'request-1')).toEqual(OUTCOME);
  await environment.read('keys.list', {});
  expect(vi.mocked(operator.invoke).mock.calls).toEqual([
    ['keys.revoke', { id: 'key_1', requestId: 'request-1' }],
    ['keys.list', {}, undefined],
  ]);
  expect(connect).toHaveBeenCalledTimes(1);
});

test('a result that the page has is not sent again', async () => {
  const keys = { keys: [], next: null };
  const answers = [succeeds(keys), { reply: { ok: true, result: null, isUnchanged: true } }, succeeds(keys)];
  const { endpoint, invocations } = await startOperatorStandIn(...answers);
  const awsCredentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'example' };
  const service = { awsEndpoint: endpoint, awsCredentials, baseUrls: {}, edge: { https: '', ca: '' } };
  const { read } = environmentOperator(localTarget('staging', service));
  const first = await read('keys.list', {});
  expect(first).toMatchObject({ result: keys, revision: revisionOf(keys) });
  const known = { known: first.revision };
  expect(await read('keys.list', {}, known)).toMatchObject({ result: null, isUnchanged: true });
  expect(await read('keys.list', {}, known)).toEqual(first);
  const asked = [undefined, first.revision, first.revision];
  expect(invocations.map(({ payload }) => payload.known)).toEqual(asked);
});

test('the account and the operator are those of the credentials, and on one machine its user operates', async () => {
  const { connect } = standIn();
  const onAws = { account: '123456789012', region: 'eu-central-1', by: ARN };
  expect(await environmentOperator(TARGET, connect).details()).toMatchObject(onAws);
  const local = environmentOperator({ ...TARGET, isLocal: true }, connect);
  expect(await local.details()).toMatchObject({ account: null, by: userInfo().username });
});

test.each([
  ['expired_credentials', 2],
  ['no_credentials', 2],
  ['credentials_refused', 2],
  ['conflict', 1],
])('after %s the next request is sent over connection %i', async (code, connections) => {
  const error = new CommandError(code, 'No.');
  const { connect } = standIn(
    vi.fn<Operator['invoke']>().mockRejectedValueOnce(error).mockResolvedValue(OUTCOME),
  );
  const environment = environmentOperator(TARGET, connect);
  await expect(environment.read('keys.list', {})).rejects.toBe(error);
  await environment.read('keys.list', {});
  expect(connect).toHaveBeenCalledTimes(connections);
});

test('on one machine projects and links for owners are shown with their URLs there', async () => {
  const endpointUrl = 'https://abcdefghij.execute-api.us-east-1.amazonaws.com/staging';
  const project = { id: 'shop', url: 'https://www.example.com', endpointUrl };
  const invoke = vi.fn(async (command: string) => ({
    result: ({ 'projects.list': { projects: [project] }, 'domains.link': LINK }[command] ?? project) as never,
    warnings: [],
  }));
  const baseUrl = 'http://127.0.0.1:3000/staging/v1';
  const { connect } = standIn(invoke);
  const local = environmentOperator({ ...TARGET, isLocal: true, baseUrl }, connect);
  const shown = { ...project, endpointUrl: 'http://127.0.0.1:3000/staging' };
  const onAwsOnly = environmentOperator(TARGET, connect);
  expect(await local.read('projects.show', { id: 'shop' })).toMatchObject({ result: shown });
  expect(await local.read('projects.list', {})).toMatchObject({ result: { projects: [shown] } });
  expect(await local.read('domains.link', {})).toMatchObject({
    result: { url: 'http://127.0.0.1:3000/staging/v1/setup/www.example.com/a-key' },
  });
  expect(await onAwsOnly.read('projects.show', { id: 'shop' })).toMatchObject({ result: project });
});

/** Creates the records of www.example.com, at which another host is in use, on one machine. */
async function createRecordsOf(report: Partial<DomainReport>) {
  const { target, records } = await startLocalMachine({ ...ADDED, ...report });
  const inUse = { name: 'www.example.com', type: 'A', ttl: 60, values: ['192.0.2.1'] } as const;
  await setRecord(await HostedZones.of(target), inUse);
  const { createRecords } = dashboardEnvironment(target);
  const create = (...confirmed: string[]) => createRecords?.('petstore', ['www.example.com'], confirmed);
  return { create, records };
}

const IN_USE = 'www.example.com. A 192.0.2.1';
const TRAFFIC = 'www.example.com. CNAME 1f0c.apps.petstore.example';
const CERTIFICATE = '_acm.www.example.com. CNAME _acm.acm-validations.aws';

test('the records of a domain in use are created without the one that its owner switches, until it is ready', async () => {
  const preparing = await createRecordsOf(inUse(ADDED));
  expect(await preparing.create()).toEqual({ created: ['CNAME _acm.www.example.com'], inTheWay: [] });
  expect(preparing.records()).toEqual([IN_USE, CERTIFICATE]);
  const ready = await createRecordsOf(READY);
  expect(await ready.create()).toEqual({ created: [], inTheWay: ['A www.example.com 192.0.2.1'] });
  expect(ready.records()).toEqual([IN_USE]);
});

test('a record that is in the way is deleted only if it was confirmed, with its value', async () => {
  const { create, records } = await createRecordsOf({});
  const asked = { created: [], inTheWay: ['A www.example.com 192.0.2.1'] };
  expect(await create()).toEqual(asked);
  expect(await create('A www.example.com 192.0.2.2')).toEqual(asked);
  expect(records()).toEqual([IN_USE]);
  expect(await create(...asked.inTheWay)).toMatchObject({ created: { length: 2 }, inTheWay: [] });
  expect(records()).toEqual([TRAFFIC, CERTIFICATE]);
  expect(await create()).toMatchObject({ created: { length: 2 }, inTheWay: [] });
});
