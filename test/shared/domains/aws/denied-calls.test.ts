import { describe, expect, test } from 'vitest';
import { serveAcm } from '../../../../infra/local/test/acm/served-acm.ts';
import { API_ID } from '../../../../infra/local/test/apigateway/served-api.ts';
import { serveControlPlane } from '../../../../infra/local/test/apigateway-control/served-control-plane.ts';
import { serveEvents } from '../../../../infra/local/test/events/served-events.ts';
import { servedRoute53 } from '../../../../infra/local/test/route53/served-route53.ts';
import {
  deployedMachine,
  lambda,
  MACHINE_ARN,
} from '../../../../infra/local/test/stepfunctions/deployed-machine.ts';
import { accountZones } from '../../../../shared/domains/aws/account-zones.ts';
import { certificates } from '../../../../shared/domains/aws/certificates.ts';
import { flows } from '../../../../shared/domains/aws/flows.ts';
import { gatewayFront } from '../../../../shared/domains/aws/gateway-domains.ts';
import { gatewaySlots } from '../../../../shared/domains/aws/gateway-slots.ts';
import { platformZone } from '../../../../shared/domains/aws/platform-zone.ts';
import { eventBus } from '../../../../shared/domains/events/event-bus.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { certified, claimed, ENDPOINT, TARGET } from '../claimed-domain.ts';
import { someEvent } from '../life/some-event.ts';
import { stubEndpoint } from './client-endpoint.ts';

const SLOTS = gatewaySlots(await tableLike('DomainsTable'));

const DENIAL = 'no identity-based policy allows it';
const NAME = 'www.zoo.example';
const CLAIM = { domain: NAME, target: TARGET };
const PROJECT = { apiId: API_ID, stage: 'test' };

/** A principal that may do everything until some actions are denied. */
function deniable() {
  let isDenied = (_action: string) => false;
  return {
    principal: { denial: (action: string) => (isDenied(action) ? DENIAL : undefined) },
    deny(...actions: readonly string[]) {
      isDenied = action => actions.length === 0 || actions.includes(action);
    },
  };
}

describe('a denial is reported, not taken for a result, by the certificates:', () => {
  async function deniedCertificates(...actions: readonly string[]) {
    const { principal, deny } = deniable();
    const acm = await serveAcm({ principal });
    stubEndpoint('ACM', acm.endpoint);
    const staging = certificates('staging');
    const arn = await staging.ensure(claimed());
    deny(...actions);
    return { ...staging, arn };
  }

  test.each([
    ['ensure', 'acm:ListCertificates'],
    ['ensure', 'acm:ListTagsForCertificate'],
    ['view', 'acm:DescribeCertificate'],
    ['removeAll', 'acm:ListTagsForCertificate'],
    ['removeAll', 'acm:DeleteCertificate'],
    ['isRecordShared', 'acm:ListTagsForCertificate'],
  ] as const)('%s, of %s', async (call, action) => {
    const { arn, ensure, view, removeAll, isRecordShared } = await deniedCertificates(action);
    const domain = claimed({ certificate: certified({ arn }) });
    const calls = {
      ensure: () => ensure(claimed()),
      view: () => view(arn),
      removeAll: () => removeAll(domain),
      isRecordShared: () => isRecordShared(domain, `_v.${NAME}`),
    };
    await expect(calls[call]()).rejects.toThrow(DENIAL);
  });
});

describe('a denial is reported, not taken for a result, by the domain names:', () => {
  async function deniedDomains(...actions: readonly string[]) {
    const { principal, deny } = deniable();
    const gateway = await serveControlPlane({ principal });
    stubEndpoint('API_GATEWAY', gateway.endpoint);
    const staging = gatewayFront('staging', SLOTS);
    await staging.attach(CLAIM, gateway.certificateFor(NAME));
    gateway.nowMs += 30_000;
    deny(...actions);
    return { ...staging, gateway };
  }

  test.each([
    ['isForeign', 'apigateway:GET'],
    ['find', 'apigateway:GET'],
    ['routeOf', 'apigateway:GET'],
    ['attach', 'apigateway:PATCH'],
    ['route', 'apigateway:POST'],
    ['routeFirst', 'apigateway:POST'],
    ['unroute', 'apigateway:GET'],
    ['unroute', 'apigateway:DELETE'],
    ['detach', 'apigateway:GET'],
    ['detach', 'apigateway:DELETE'],
  ] as const)('%s, of %s', async (call, action) => {
    const { gateway, ...denied } = await deniedDomains(action);
    const calls = {
      ...denied,
      isForeign: () => denied.isForeign(NAME),
      attach: () => denied.attach(CLAIM, gateway.certificateFor(NAME)),
    };
    const message =
      call === 'attach' ? { name: 'AccessDeniedException' } : { message: expect.stringContaining(DENIAL) };
    await expect(calls[call](CLAIM, PROJECT)).rejects.toMatchObject(message);
  });
});

describe('a denial is reported, not taken for a result, by the zones:', () => {
  async function deniedZone(...actions: readonly string[]) {
    const { principal, deny } = deniable();
    const route53 = await servedRoute53({ principal, waitScale: 0 });
    stubEndpoint('ROUTE_53', route53.endpoint);
    const zoneId = await route53.created('apps.petstore.example');
    await platformZone(zoneId).open(TARGET, ENDPOINT);
    deny(...actions);
    return zoneId;
  }

  test('list, create and remove of an account zone', async () => {
    const zoneId = await deniedZone();
    const { list, create, remove } = accountZones([zoneId]);
    const record = {
      zoneId,
      type: 'CNAME',
      name: TARGET,
      value: ENDPOINT,
      ttl: 60,
      aliasZoneId: null,
    } as const;
    await expect(list()).rejects.toThrow(DENIAL);
    await expect(create(record)).rejects.toThrow(DENIAL);
    await expect(remove(record)).rejects.toThrow(DENIAL);
  });

  test('every call of the platform zone', async () => {
    const { open, pointAt, targetOf, remove, nameServers } = platformZone(await deniedZone());
    await expect(open(TARGET, ENDPOINT)).rejects.toThrow(DENIAL);
    await expect(pointAt(TARGET, ENDPOINT)).rejects.toThrow(DENIAL);
    await expect(targetOf(TARGET)).rejects.toThrow(DENIAL);
    await expect(remove(TARGET)).rejects.toThrow(DENIAL);
    await expect(nameServers()).rejects.toThrow(DENIAL);
  });

  test('remove of the platform zone, of the deletion', async () => {
    const { remove } = platformZone(await deniedZone('route53:ChangeResourceRecordSets'));
    await expect(remove(TARGET)).rejects.toThrow(DENIAL);
  });
});

test('a denial is reported, not taken for a result, by every call of the flows', async () => {
  const { principal, deny } = deniable();
  const forever = { StartAt: 'Wait', States: { Wait: { Type: 'Wait', Seconds: 1_000_000_000, End: true } } };
  const machine = await deployedMachine(
    forever,
    lambda(() => ({})),
    { principal },
  );
  stubEndpoint('SFN', machine.endpoint);
  deny();
  const denied = flows(MACHINE_ARN, MACHINE_ARN);
  for (const call of ['startVerification', 'startRemoval', 'stopEarlierVerification', 'stateOf'] as const) {
    await expect(denied[call](claimed({ attempt: 2 })), call).rejects.toThrow(DENIAL);
  }
});

test('a denial is reported, not taken for a result, by the event bus', async () => {
  const { principal, deny } = deniable();
  const { endpoint } = await serveEvents(principal);
  stubEndpoint('EVENTBRIDGE', endpoint);
  deny();
  await expect(eventBus('staging').put([someEvent()])).rejects.toThrow(DENIAL);
});
