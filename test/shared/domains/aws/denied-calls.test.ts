import { expect, test } from 'vitest';
import { deployedMachine, lambda, MACHINE_ARN } from '../../../../infra/local/testing/deployed-machine.ts';
import { serveAcm } from '../../../../infra/local/testing/served-acm.ts';
import { API_ID } from '../../../../infra/local/testing/served-api.ts';
import { serveControlPlane } from '../../../../infra/local/testing/served-control-plane.ts';
import type { Principal } from '../../../../infra/local/testing/served-endpoint.ts';
import { serveEvents } from '../../../../infra/local/testing/served-events.ts';
import { servedRoute53 } from '../../../../infra/local/testing/served-route53.ts';
import { accountZones } from '../../../../shared/domains/aws/account-zones.ts';
import { certificates } from '../../../../shared/domains/aws/certificates.ts';
import { flows } from '../../../../shared/domains/aws/flows.ts';
import { gatewayFront } from '../../../../shared/domains/aws/gateway-domains.ts';
import { gatewaySlots } from '../../../../shared/domains/aws/gateway-slots.ts';
import { platformZone } from '../../../../shared/domains/aws/platform-zone.ts';
import { clock } from '../../../../shared/domains/clock.ts';
import { eventBus } from '../../../../shared/domains/publisher.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { certified, claimed, ENDPOINT, NAME, someEvent, TARGET } from '../claimed-domain.ts';
import { stubEndpoint } from './client-endpoint.ts';

/** A minute passes between any two calls, so that a slot is always free. */
let nowMs = Date.now();
const minutely = clock(1, () => {
  nowMs += 60_000;
  return nowMs;
});
const SLOTS = gatewaySlots(await tableLike('DomainsTable'), minutely);
const DENIAL = 'no identity-based policy allows it';
const REASON = expect.stringContaining(DENIAL);
const CLAIM = { domain: NAME, target: TARGET };
const PROJECT = { apiId: API_ID, stage: 'test' };

/** A platform zone with a host. */
async function servedZone(principal: Principal): Promise<string> {
  const route53 = await servedRoute53({ principal, waitScale: 0 });
  stubEndpoint('ROUTE_53', route53.endpoint);
  const zoneId = await route53.created('apps.petstore.example');
  await platformZone(zoneId).open(TARGET, ENDPOINT);
  return zoneId;
}

/** Every call of a service, with these arguments. */
function callsOf(service: object, ...given: unknown[]): Record<string, () => Promise<unknown>> {
  const calls = Object.entries(service).map(([name, call]) => [name, () => call(...given)]);
  return Object.fromEntries(calls);
}

/** The calls of every service, which has what they are about. */
const SERVICES = {
  async certificates(principal: Principal) {
    const acm = await serveAcm({ principal });
    stubEndpoint('ACM', acm.endpoint);
    const { ensure, view, removeAll, isRecordShared } = certificates('staging');
    const arn = await ensure(claimed());
    const domain = claimed({ certificate: certified({ arn }) });
    return {
      ensure: () => ensure(claimed()),
      view: () => view(arn),
      removeAll: () => removeAll(domain),
      isRecordShared: () => isRecordShared(domain, `_v.${NAME}`),
    };
  },
  async domainNames(principal: Principal) {
    const gateway = await serveControlPlane({ principal });
    stubEndpoint('API_GATEWAY', gateway.endpoint);
    const front = gatewayFront('staging', SLOTS);
    const attach = () => front.attach(CLAIM, gateway.certificateFor(NAME));
    await attach();
    gateway.nowMs += 30_000;
    return {
      isForeign: () => front.isForeign(NAME),
      find: () => front.find(CLAIM),
      routeOf: () => front.routeOf(CLAIM),
      attach,
      route: () => front.route(CLAIM, PROJECT),
      unroute: () => front.unroute(CLAIM),
      detach: () => front.detach(CLAIM),
    };
  },
  async accountZones(principal: Principal) {
    const zoneId = await servedZone(principal);
    const cname = { type: 'CNAME', name: TARGET, value: ENDPOINT, ttl: 60, aliasZoneId: null } as const;
    return callsOf(accountZones([zoneId]), { ...cname, zoneId });
  },
  async platformZone(principal: Principal) {
    return callsOf(platformZone(await servedZone(principal)), TARGET, ENDPOINT);
  },
  async flows(principal: Principal) {
    const untilFarOff = { Type: 'Wait', SecondsPath: '$.attempt', End: true };
    const definition = { StartAt: 'Wait', States: { Wait: untilFarOff } };
    const machine = await deployedMachine(
      definition,
      lambda(() => ({})),
      { principal },
    );
    stubEndpoint('SFN', machine.endpoint);
    return callsOf(flows(MACHINE_ARN), claimed({ attempt: 1_000_000_000 }));
  },
  async eventBus(principal: Principal) {
    stubEndpoint('EVENTBRIDGE', (await serveEvents(principal)).endpoint);
    return callsOf(eventBus('staging'), [someEvent()]);
  },
};

/** A service whose principal may do everything until some actions are denied. */
async function denied(service: keyof typeof SERVICES, isDenied: (action: string) => boolean) {
  const state = { isDenied: (_: string) => false };
  const calls = await SERVICES[service]({ denial: action => (state.isDenied(action) ? DENIAL : undefined) });
  Object.assign(state, { isDenied });
  return new Map<string, () => Promise<unknown>>(Object.entries(calls));
}

test.each([
  ['certificates', 'ensure', 'acm:ListTagsForCertificate'],
  ['certificates', 'removeAll', 'acm:ListTagsForCertificate'],
  ['certificates', 'removeAll', 'acm:DeleteCertificate'],
  ['certificates', 'isRecordShared', 'acm:ListTagsForCertificate'],
  ['domainNames', 'attach', 'apigateway:PATCH'],
  ['domainNames', 'route', 'apigateway:POST'],
  ['domainNames', 'unroute', 'apigateway:DELETE'],
  ['domainNames', 'detach', 'apigateway:DELETE'],
  ['platformZone', 'remove', 'route53:ChangeResourceRecordSets'],
] as const)(
  'a denial is reported, not taken for a result, by %s.%s, of %s',
  async (service, call, denial) => {
    const calls = await denied(service, action => action === denial);
    const error = call === 'attach' ? { name: 'AccessDeniedException' } : { message: REASON };
    await expect(calls.get(call)?.()).rejects.toMatchObject(error);
  },
);

test.each(Object.keys(SERVICES) as (keyof typeof SERVICES)[])(
  'a denial is reported, not taken for a result, by every call of %s',
  async service => {
    for (const [name, call] of await denied(service, () => true)) {
      await expect(call(), name).rejects.toMatchObject({ message: REASON });
    }
  },
);
