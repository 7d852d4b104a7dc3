import { describe, expect, test } from 'vitest';
import { accountZones } from '../../../../shared/domains/aws/account-zones.ts';
import { certificates } from '../../../../shared/domains/aws/certificates.ts';
import { flows } from '../../../../shared/domains/aws/flows.ts';
import { gatewayDomains } from '../../../../shared/domains/aws/gateway-domains.ts';
import { platformZone } from '../../../../shared/domains/aws/platform-zone.ts';
import { eventBus } from '../../../../shared/domains/events/event-bus.ts';
import { serveAcm } from '../../../infra/local/acm/served-acm.ts';
import { API_ID } from '../../../infra/local/apigateway/served-api.ts';
import { serveControlPlane } from '../../../infra/local/apigateway-control/served-control-plane.ts';
import { serveEvents } from '../../../infra/local/events/served-events.ts';
import { servedRoute53 } from '../../../infra/local/route53/served-route53.ts';
import { deployedMachine, lambda, MACHINE_ARN } from '../../../infra/local/stepfunctions/deployed-machine.ts';
import { certified, claimed, ENDPOINT, TARGET } from '../claimed-domain.ts';
import { someEvent } from '../life/some-event.ts';
import { stubEndpoint } from './client-endpoint.ts';

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

describe('a denial is reported, not taken for an answer, by the certificates:', () => {
  async function deniedCertificates(...actions: readonly string[]) {
    const { principal, deny } = deniable();
    const acm = await serveAcm({ principal });
    stubEndpoint('ACM', acm.endpoint);
    const staging = certificates('staging');
    const arn = await staging.ensure(claimed());
    deny(...actions);
    return { ...staging, arn };
  }

  test.each(['acm:ListCertificates', 'acm:ListTagsForCertificate'])('ensure, of %s', async action => {
    const { ensure } = await deniedCertificates(action);
    await expect(ensure(claimed())).rejects.toThrow(DENIAL);
  });

  test('view and serialOf', async () => {
    const { view, serialOf, arn } = await deniedCertificates();
    await expect(view(arn)).rejects.toThrow(DENIAL);
    await expect(serialOf(arn)).rejects.toThrow(DENIAL);
  });

  test.each(['acm:ListTagsForCertificate', 'acm:DeleteCertificate'])('removeAll, of %s', async action => {
    const { removeAll, arn } = await deniedCertificates(action);
    const domain = claimed({ certificate: certified({ arn }) });
    await expect(removeAll(domain)).rejects.toThrow(DENIAL);
  });

  test('isRecordShared', async () => {
    const { isRecordShared } = await deniedCertificates('acm:ListTagsForCertificate');
    await expect(isRecordShared(claimed(), `_v.${NAME}`)).rejects.toThrow(DENIAL);
  });
});

describe('a denial is reported, not taken for an answer, by the domain names:', () => {
  async function deniedDomains(...actions: readonly string[]) {
    const { principal, deny } = deniable();
    const gateway = await serveControlPlane({ principal });
    stubEndpoint('API_GATEWAY', gateway.endpoint);
    const staging = gatewayDomains('staging');
    await staging.ensure(CLAIM, gateway.certificateFor(NAME));
    gateway.nowMs += 30_000;
    deny(...actions);
    return { ...staging, gateway };
  }

  test.each(['find', 'mappingOf', 'unmap', 'remove'] as const)('%s', async call => {
    const denied = await deniedDomains();
    await expect(denied[call](CLAIM)).rejects.toThrow(DENIAL);
  });

  test('isForeign', async () => {
    const { isForeign } = await deniedDomains();
    await expect(isForeign(NAME)).rejects.toThrow(DENIAL);
  });

  test('ensure', async () => {
    const { ensure, gateway } = await deniedDomains('apigateway:PATCH');
    await expect(ensure(CLAIM, gateway.certificateFor(NAME))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });

  test.each(['map', 'mapFirst'] as const)('%s', async call => {
    const denied = await deniedDomains('apigateway:POST');
    await expect(denied[call](CLAIM, PROJECT)).rejects.toThrow(DENIAL);
  });

  test.each(['unmap', 'remove'] as const)('%s, of the deletion', async call => {
    const denied = await deniedDomains('apigateway:DELETE');
    await expect(denied[call](CLAIM)).rejects.toThrow(DENIAL);
  });
});

describe('a denial is reported, not taken for an answer, by the zones:', () => {
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

test('a denial is reported, not taken for an answer, by every call of the flows', async () => {
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

test('a denial is reported, not taken for an answer, by the event bus', async () => {
  const { principal, deny } = deniable();
  const { endpoint } = await serveEvents(principal);
  stubEndpoint('EVENTBRIDGE', endpoint);
  deny();
  await expect(eventBus('staging').put([someEvent()])).rejects.toThrow(DENIAL);
});
