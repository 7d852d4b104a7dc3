import { CreateBasePathMappingCommand } from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import {
  GatewayBusy,
  GatewayRefused,
  gatewayDomains,
} from '../../../../shared/domains/aws/gateway-domains.ts';
import { API_ID, api } from '../../../infra/local/apigateway/served-api.ts';
import { serveControlPlane } from '../../../infra/local/apigateway-control/served-control-plane.ts';
import { stubEndpoint } from './client-endpoint.ts';

const NAME = 'www.zoo.example';
const PROJECT = { apiId: API_ID, stage: 'test' };
const REDIRECTS = { apiId: 'redirects1', stage: 'test-redirects' };

/** The local API Gateway with two APIs, and the domain names at it. */
async function servedGateway() {
  const otherApis = api({ StageName: REDIRECTS.stage }, REDIRECTS.apiId);
  const gateway = await serveControlPlane({ otherApis });
  stubEndpoint('API_GATEWAY', gateway.endpoint);
  const mapping = () => gateway.domainNames.find(NAME)?.mapping;
  const nextSlot = () => {
    gateway.nowMs += 30_000;
  };
  return { gateway, mapping, nextSlot, ...gatewayDomains() };
}

describe('ensure', () => {
  test('creates a domain name that find returns then', async () => {
    const { gateway, ensure, find } = await servedGateway();
    const certificateArn = gateway.certificateFor(NAME);
    expect(await find(NAME)).toBeUndefined();
    const created = await ensure(NAME, certificateArn);
    expect(created).toEqual({
      host: expect.stringMatching(/^d-\w+\.execute-api\.us-east-1\.amazonaws\.com$/),
      hostedZoneId: 'Z1UJRXOUMOOFQ8',
      certificateArn,
    });
    expect(await find(NAME)).toEqual(created);
  });

  test('uses no slot when the domain name has the certificate already', async () => {
    const { gateway, ensure } = await servedGateway();
    const certificateArn = gateway.certificateFor(NAME);
    const created = await ensure(NAME, certificateArn);
    expect(await ensure(NAME, certificateArn)).toEqual(created);
  });

  test('replaces the certificate and keeps the host and the mapping', async () => {
    const { gateway, mapping, nextSlot, ensure, map } = await servedGateway();
    const { host } = await ensure(NAME, gateway.certificateFor(NAME));
    await map(NAME, PROJECT);
    nextSlot();
    const certificateArn = gateway.certificateFor(NAME);
    expect(await ensure(NAME, certificateArn)).toMatchObject({ host, certificateArn });
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
  });

  test('throws GatewayBusy at once when a creation or a change finds no free slot', async () => {
    const { gateway, ensure } = await servedGateway();
    await ensure(NAME, gateway.certificateFor(NAME));
    const other = 'other.zoo.example';
    await expect(ensure(other, gateway.certificateFor(other))).rejects.toThrow(GatewayBusy);
    await expect(ensure(NAME, gateway.certificateFor(NAME))).rejects.toThrow(GatewayBusy);
  });

  test('throws GatewayRefused, with the message of API Gateway, for a certificate that is not issued', async () => {
    const { gateway, nextSlot, ensure, find } = await servedGateway();
    const pending = gateway.certificateFor(NAME);
    gateway.certificates.change(pending, { status: 'PENDING_VALIDATION' });
    await expect(ensure(NAME, pending)).rejects.toThrow(GatewayRefused);
    nextSlot();
    await expect(ensure(NAME, pending)).rejects.toThrow('its status is PENDING_VALIDATION, not ISSUED');
    expect(await find(NAME)).toBeUndefined();
  });
});

describe('mapFirst', () => {
  test('maps an unmapped root to an API, also after an unmap', async () => {
    const { gateway, mapping, ensure, mapFirst, unmap } = await servedGateway();
    await ensure(NAME, gateway.certificateFor(NAME));
    expect(await mapFirst(NAME, PROJECT)).toBe(true);
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
    await unmap(NAME);
    expect(await mapFirst(NAME, REDIRECTS)).toBe(true);
    expect(mapping()).toEqual({ restApiId: 'redirects1', stage: 'test-redirects' });
  });

  test('returns false and keeps the mapping when the root is mapped to any API', async () => {
    const { gateway, mapping, ensure, map, mapFirst } = await servedGateway();
    await ensure(NAME, gateway.certificateFor(NAME));
    await map(NAME, REDIRECTS);
    for (const apiStage of [PROJECT, REDIRECTS]) {
      expect(await mapFirst(NAME, apiStage)).toBe(false);
      expect(mapping()).toEqual({ restApiId: 'redirects1', stage: 'test-redirects' });
    }
  });

  test('throws NotFoundException where there is no domain name', async () => {
    const { mapFirst } = await servedGateway();
    await expect(mapFirst(NAME, PROJECT)).rejects.toMatchObject({ name: 'NotFoundException' });
  });
});

describe('map', () => {
  test('maps the root to an API, and may be repeated or changed', async () => {
    const { gateway, mapping, ensure, map } = await servedGateway();
    await ensure(NAME, gateway.certificateFor(NAME));
    await map(NAME, PROJECT);
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
    await map(NAME, PROJECT);
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
    await map(NAME, REDIRECTS);
    expect(mapping()).toEqual({ restApiId: 'redirects1', stage: 'test-redirects' });
  });

  test('throws NotFoundException where there is no domain name', async () => {
    const { map } = await servedGateway();
    await expect(map(NAME, PROJECT)).rejects.toMatchObject({ name: 'NotFoundException' });
  });
});

test('unmap deletes the mapping, may be repeated, and needs no domain name', async () => {
  const { gateway, mapping, ensure, map, unmap } = await servedGateway();
  await unmap(NAME);
  await ensure(NAME, gateway.certificateFor(NAME));
  await map(NAME, PROJECT);
  await unmap(NAME);
  expect(mapping()).toBeUndefined();
  await unmap(NAME);
  await gateway.client.send(
    new CreateBasePathMappingCommand({ domainName: NAME, restApiId: API_ID, stage: 'test' }),
  );
  expect(mapping()).toBeDefined();
});

test('remove throws GatewayBusy until a slot is free, then deletes the domain name, and may be repeated', async () => {
  const { gateway, nextSlot, ensure, find, remove } = await servedGateway();
  await ensure(NAME, gateway.certificateFor(NAME));
  await expect(remove(NAME)).rejects.toThrow(GatewayBusy);
  expect(await find(NAME)).toBeDefined();
  nextSlot();
  await remove(NAME);
  expect(await find(NAME)).toBeUndefined();
  nextSlot();
  await remove(NAME);
});
