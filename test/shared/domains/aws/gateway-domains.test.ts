import { CreateBasePathMappingCommand } from '@aws-sdk/client-api-gateway';
import { describe, expect, test } from 'vitest';
import {
  GatewayBusy,
  GatewayRefused,
  gatewayDomains,
} from '../../../../shared/domains/aws/gateway-domains.ts';
import { API_ID, api } from '../../../infra/local/apigateway/served-api.ts';
import { serveDomainNames } from '../../../infra/local/apigateway-control/served-domain-names.ts';
import { clientsFind } from './client-endpoint.ts';

const NAME = 'www.zoo.example';
const PROJECT = { apiId: API_ID, stage: 'test' };
const REDIRECTS = { apiId: 'redirects1', stage: 'test-redirects' };

/** API Gateway on one machine with two APIs, and what finds it there. */
async function served() {
  const otherApis = api({ StageName: REDIRECTS.stage }, REDIRECTS.apiId);
  const gateway = await serveDomainNames({ otherApis });
  clientsFind('API_GATEWAY', gateway.endpoint);
  const mapping = () => gateway.domainNames.find(NAME)?.mapping;
  const nextTurn = () => {
    gateway.nowMs += 30_000;
  };
  return { gateway, mapping, nextTurn, ...gatewayDomains() };
}

describe('ensure', () => {
  test('creates the domain name, which is found then', async () => {
    const { gateway, ensure, find } = await served();
    const certificateArn = gateway.certificateFor(NAME);
    expect(await find(NAME)).toBeUndefined();
    const made = await ensure(NAME, certificateArn);
    expect(made).toEqual({
      host: expect.stringMatching(/^d-\w+\.execute-api\.us-east-1\.amazonaws\.com$/),
      hostedZoneId: 'Z1UJRXOUMOOFQ8',
      certificateArn,
    });
    expect(await find(NAME)).toEqual(made);
  });

  test('takes no turn where all is as it should be', async () => {
    const { gateway, ensure } = await served();
    const certificateArn = gateway.certificateFor(NAME);
    const made = await ensure(NAME, certificateArn);
    expect(await ensure(NAME, certificateArn)).toEqual(made);
  });

  test('gives a domain name another certificate; its host and its mapping stay', async () => {
    const { gateway, mapping, nextTurn, ensure, map } = await served();
    const { host } = await ensure(NAME, gateway.certificateFor(NAME));
    await map(NAME, PROJECT);
    nextTurn();
    const certificateArn = gateway.certificateFor(NAME);
    expect(await ensure(NAME, certificateArn)).toMatchObject({ host, certificateArn });
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
  });

  test('is told at once that API Gateway is busy, for a creation and for a change', async () => {
    const { gateway, ensure } = await served();
    await ensure(NAME, gateway.certificateFor(NAME));
    const other = 'other.zoo.example';
    await expect(ensure(other, gateway.certificateFor(other))).rejects.toThrow(GatewayBusy);
    await expect(ensure(NAME, gateway.certificateFor(NAME))).rejects.toThrow(GatewayBusy);
  });

  test('is refused, in the words of API Gateway, with a certificate that it does not know as issued', async () => {
    const { gateway, nextTurn, ensure, find } = await served();
    const pending = gateway.certificateFor(NAME);
    gateway.certificates.change(pending, { status: 'PENDING_VALIDATION' });
    await expect(ensure(NAME, pending)).rejects.toThrow(GatewayRefused);
    nextTurn();
    await expect(ensure(NAME, pending)).rejects.toThrow('its status is PENDING_VALIDATION, not ISSUED');
    expect(await find(NAME)).toBeUndefined();
  });
});

describe('mapFirst', () => {
  test('maps the root to an API where it is not mapped, and again once it is unmapped', async () => {
    const { gateway, mapping, ensure, mapFirst, unmap } = await served();
    await ensure(NAME, gateway.certificateFor(NAME));
    expect(await mapFirst(NAME, PROJECT)).toBe(true);
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
    await unmap(NAME);
    expect(await mapFirst(NAME, REDIRECTS)).toBe(true);
    expect(mapping()).toEqual({ restApiId: 'redirects1', stage: 'test-redirects' });
  });

  test('leaves a mapping as it is, whatever it is to, and says so', async () => {
    const { gateway, mapping, ensure, map, mapFirst } = await served();
    await ensure(NAME, gateway.certificateFor(NAME));
    await map(NAME, REDIRECTS);
    for (const apiStage of [PROJECT, REDIRECTS]) {
      expect(await mapFirst(NAME, apiStage)).toBe(false);
      expect(mapping()).toEqual({ restApiId: 'redirects1', stage: 'test-redirects' });
    }
  });

  test('fails where there is no domain name', async () => {
    const { mapFirst } = await served();
    await expect(mapFirst(NAME, PROJECT)).rejects.toMatchObject({ name: 'NotFoundException' });
  });
});

describe('map', () => {
  test('maps the root to an API, keeps it and changes it', async () => {
    const { gateway, mapping, ensure, map } = await served();
    await ensure(NAME, gateway.certificateFor(NAME));
    await map(NAME, PROJECT);
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
    await map(NAME, PROJECT);
    expect(mapping()).toEqual({ restApiId: API_ID, stage: 'test' });
    await map(NAME, REDIRECTS);
    expect(mapping()).toEqual({ restApiId: 'redirects1', stage: 'test-redirects' });
  });

  test('fails where there is no domain name', async () => {
    const { map } = await served();
    await expect(map(NAME, PROJECT)).rejects.toMatchObject({ name: 'NotFoundException' });
  });
});

test('unmap ends what is served, may be repeated, and needs no domain name', async () => {
  const { gateway, mapping, ensure, map, unmap } = await served();
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

test('remove deletes the domain name at its turn, and may be repeated', async () => {
  const { gateway, nextTurn, ensure, find, remove } = await served();
  await ensure(NAME, gateway.certificateFor(NAME));
  await expect(remove(NAME)).rejects.toThrow(GatewayBusy);
  expect(await find(NAME)).toBeDefined();
  nextTurn();
  await remove(NAME);
  expect(await find(NAME)).toBeUndefined();
  nextTurn();
  await remove(NAME);
});
