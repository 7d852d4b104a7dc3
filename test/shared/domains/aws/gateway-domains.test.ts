import { CreateBasePathMappingCommand, DeleteBasePathMappingCommand } from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import { developer, type Principal } from '../../../../infra/local/iam/principal.ts';
import {
  DomainNameGone,
  GatewayBusy,
  GatewayRefused,
  gatewayDomains,
} from '../../../../shared/domains/aws/gateway-domains.ts';
import { API_ID, api } from '../../../infra/local/apigateway/served-api.ts';
import { serveControlPlane } from '../../../infra/local/apigateway-control/served-control-plane.ts';
import { TARGET } from '../claimed-domain.ts';
import { stubEndpoint } from './client-endpoint.ts';

const NAME = 'www.zoo.example';
const CLAIM = { domain: NAME, target: TARGET };
const PROJECT = { apiId: API_ID, stage: 'test' };
const REDIRECTS = { apiId: 'redirects1', stage: 'test-redirects' };

/** The local API Gateway with two APIs, and the domain names at it. */
async function servedGateway(principal: Principal = developer) {
  const otherApis = api({ StageName: REDIRECTS.stage }, REDIRECTS.apiId);
  const gateway = await serveControlPlane({ otherApis, principal });
  stubEndpoint('API_GATEWAY', gateway.endpoint);
  const mapping = () => gateway.domainNames.find(NAME)?.mapping;
  const nextSlot = () => {
    gateway.nowMs += 30_000;
  };
  return { gateway, mapping, nextSlot, ...gatewayDomains('staging') };
}

describe('ensure', () => {
  test('creates a domain name that find returns then', async () => {
    const { gateway, ensure, find } = await servedGateway();
    const certificateArn = gateway.certificateFor(NAME);
    expect(await find(CLAIM)).toBeUndefined();
    const created = await ensure(CLAIM, certificateArn);
    expect(created).toEqual({
      host: expect.stringMatching(/^d-\w+\.execute-api\.us-east-1\.amazonaws\.com$/),
      hostedZoneId: 'Z1UJRXOUMOOFQ8',
      certificateArn,
      isOurs: true,
    });
    expect(await find(CLAIM)).toEqual(created);
  });

  test('uses no slot when the domain name has the certificate already', async () => {
    const { gateway, ensure } = await servedGateway();
    const certificateArn = gateway.certificateFor(NAME);
    const created = await ensure(CLAIM, certificateArn);
    expect(await ensure(CLAIM, certificateArn)).toEqual(created);
  });

  test('replaces the certificate and keeps the host and the mapping', async () => {
    const { gateway, mapping, nextSlot, ensure, map } = await servedGateway();
    const { host } = await ensure(CLAIM, gateway.certificateFor(NAME));
    await map(CLAIM, PROJECT);
    nextSlot();
    const certificateArn = gateway.certificateFor(NAME);
    expect(await ensure(CLAIM, certificateArn)).toMatchObject({ host, certificateArn });
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
  });

  test('throws GatewayBusy at once when a creation or a change finds no free slot', async () => {
    const { gateway, ensure } = await servedGateway();
    await ensure(CLAIM, gateway.certificateFor(NAME));
    const other = 'other.zoo.example';
    await expect(ensure({ ...CLAIM, domain: other }, gateway.certificateFor(other))).rejects.toThrow(
      GatewayBusy,
    );
    await expect(ensure(CLAIM, gateway.certificateFor(NAME))).rejects.toThrow(GatewayBusy);
  });

  test('asks API Gateway once, and does not wait for a slot in a retry', async () => {
    const actions: string[] = [];
    const denial = (action: string) => {
      actions.push(action);
      return undefined;
    };
    const { gateway, ensure } = await servedGateway({ denial });
    await ensure(CLAIM, gateway.certificateFor(NAME));
    await expect(ensure(CLAIM, gateway.certificateFor(NAME))).rejects.toThrow(GatewayBusy);
    expect(actions.filter(action => action === 'apigateway:PATCH')).toHaveLength(1);
  });

  test('throws GatewayRefused, with the message of API Gateway, for a certificate that is not issued', async () => {
    const { gateway, nextSlot, ensure, find } = await servedGateway();
    const pending = gateway.certificateFor(NAME);
    gateway.certificates.change(pending, { status: 'PENDING_VALIDATION' });
    await expect(ensure(CLAIM, pending)).rejects.toThrow(GatewayRefused);
    nextSlot();
    await expect(ensure(CLAIM, pending)).rejects.toThrow('its status is PENDING_VALIDATION, not ISSUED');
    expect(await find(CLAIM)).toBeUndefined();
  });
});

describe('mapFirst', () => {
  test('maps an unmapped root to an API, also after an unmap', async () => {
    const { gateway, mapping, ensure, mapFirst, unmap } = await servedGateway();
    await ensure(CLAIM, gateway.certificateFor(NAME));
    expect(await mapFirst(CLAIM, PROJECT)).toBe(true);
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
    await unmap(CLAIM);
    expect(await mapFirst(CLAIM, REDIRECTS)).toBe(true);
    expect(mapping()).toEqual({ restApiId: 'redirects1', stage: 'test-redirects' });
  });

  test('returns false and keeps the mapping when the root is mapped to any API', async () => {
    const { gateway, mapping, ensure, map, mapFirst } = await servedGateway();
    await ensure(CLAIM, gateway.certificateFor(NAME));
    await map(CLAIM, REDIRECTS);
    for (const apiStage of [PROJECT, REDIRECTS]) {
      expect(await mapFirst(CLAIM, apiStage)).toBe(false);
      expect(mapping()).toEqual({ restApiId: 'redirects1', stage: 'test-redirects' });
    }
  });

  test('throws DomainNameGone where there is no domain name', async () => {
    const { mapFirst } = await servedGateway();
    await expect(mapFirst(CLAIM, PROJECT)).rejects.toThrow(DomainNameGone);
  });
});

describe('map', () => {
  test('maps the root to an API, and may be repeated or changed', async () => {
    const { gateway, mapping, ensure, map } = await servedGateway();
    await ensure(CLAIM, gateway.certificateFor(NAME));
    await map(CLAIM, PROJECT);
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
    await map(CLAIM, PROJECT);
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
    await map(CLAIM, REDIRECTS);
    expect(mapping()).toEqual({ restApiId: 'redirects1', stage: 'test-redirects' });
  });

  test('throws DomainNameGone where there is no domain name', async () => {
    const { map } = await servedGateway();
    await expect(map(CLAIM, PROJECT)).rejects.toThrow(DomainNameGone);
  });
});

test('mappingOf returns what the domain is mapped to, and undefined once the mapping was deleted by hand', async () => {
  const { gateway, ensure, map, mappingOf } = await servedGateway();
  expect(await mappingOf(CLAIM)).toBeUndefined();
  await ensure(CLAIM, gateway.certificateFor(NAME));
  await map(CLAIM, PROJECT);
  expect(await mappingOf(CLAIM)).toEqual(PROJECT);
  const mapping = { domainName: NAME, basePath: '(none)' };
  await gateway.client.send(new DeleteBasePathMappingCommand(mapping));
  expect(await mappingOf(CLAIM)).toBeUndefined();
});

test('unmap deletes the mapping, may be repeated, and needs no domain name', async () => {
  const { gateway, mapping, ensure, map, unmap } = await servedGateway();
  await unmap(CLAIM);
  await ensure(CLAIM, gateway.certificateFor(NAME));
  await map(CLAIM, PROJECT);
  await unmap(CLAIM);
  expect(mapping()).toBeUndefined();
  await unmap(CLAIM);
  await gateway.client.send(
    new CreateBasePathMappingCommand({ domainName: NAME, restApiId: API_ID, stage: 'test' }),
  );
  expect(mapping()).toBeDefined();
});

test('remove throws GatewayBusy until a slot is free, then deletes the domain name, and may be repeated', async () => {
  const { gateway, nextSlot, ensure, find, remove } = await servedGateway();
  await ensure(CLAIM, gateway.certificateFor(NAME));
  await expect(remove(CLAIM)).rejects.toThrow(GatewayBusy);
  expect(await find(CLAIM)).toBeDefined();
  nextSlot();
  await remove(CLAIM);
  expect(await find(CLAIM)).toBeUndefined();
  nextSlot();
  await remove(CLAIM);
});
