import { tokenBucket } from '../aws-api/rate-limits.ts';
import type { ServiceApi } from '../aws-api/service-api.ts';
import { loadServiceModel } from '../aws-api/service-model.ts';
import { aliasZoneOf } from './aws-names.ts';
import { hostedZoneOperations } from './hosted-zone-operations.ts';
import type { HostedZones } from './hosted-zones.ts';
import { ROUTE53_STATUS_BY_ERROR, Route53Error } from './hosted-zones.ts';
import { recordSetOperations } from './record-set-operations.ts';

interface Route53ServiceOptions {
  readonly hostedZones: HostedZones;
}

/** Requests of the account to Route 53, all operations together. */
const RATE_PER_SECOND = 10;
const BURST = 50;

/** The Route 53 API. */
export function route53Api({ hostedZones }: Route53ServiceOptions): ServiceApi {
  return {
    title: 'Route 53',
    sdk: () => import('@aws-sdk/client-route-53').then(sdk => [sdk, sdk.Route53Client]),
    actionPrefix: 'route53',
    operations: [...hostedZoneOperations(hostedZones), ...recordSetOperations(hostedZones, aliasZoneOf)],
    model: () => loadServiceModel('route53'),
    statusByError: ROUTE53_STATUS_BY_ERROR,
    errorNames: {
      accessDenied: 'AccessDenied',
      invalidInput: 'InvalidInput',
      unreadableRequest: 'InvalidInput',
    },
    describeIssues: ([issue]) => `Invalid request: ${issue?.path.join('.')}: ${issue?.message}`,
    rate: tokenBucket({
      ratePerSecond: RATE_PER_SECOND,
      burst: BURST,
      now: hostedZones.surroundings.now,
      refusal: () => new Route53Error('ThrottlingException', 'Rate exceeded'),
    }),
  };
}
