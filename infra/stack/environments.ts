import { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** What one deployment of the service differs in from another; the stack branches on nothing else. */
export interface Environment {
  readonly stackName: string;
  /** API Gateway's stage, the first part of every path. */
  readonly stage: string;
  readonly apiKeyPrefix: string;
  /** The zone of the hosts that custom domains point at. Its parent must delegate it to the zone of the stack. */
  readonly platformDomain: string;
  /**
   * Hosted zones of the account, by id, in which the flow of custom domains manages the records itself. An operator
   * who may add domains can add names of these zones.
   */
  readonly managedZoneIds: readonly string[];
  /** Whether tables survive the deletion of the stack and resist deletion themselves. */
  readonly keepsData: boolean;
  readonly logRetention: RetentionDays;
  /** Requests per second over all clients, and how many may come at once. */
  readonly throttle: { readonly ratePerSecond: number; readonly burst: number };
  /** The same for each API key. */
  readonly throttlePerKey: { readonly ratePerSecond: number; readonly burst: number };
  /**
   * Partitions that new animals are spread over, 1 to 16: each takes 1,000 creates a second and adds one Query to a
   * page. It may be raised at any time and never lowered.
   */
  readonly petShards: number;
}

export const PRODUCTION: Environment = {
  stackName: 'Petstore-Production',
  stage: 'production',
  apiKeyPrefix: 'pet_live_',
  platformDomain: 'apps.petstore.example',
  managedZoneIds: [],
  keepsData: true,
  logRetention: RetentionDays.THREE_MONTHS,
  throttle: { ratePerSecond: 1000, burst: 2000 },
  throttlePerKey: { ratePerSecond: 200, burst: 1000 },
  petShards: 1,
};

export const STAGING: Environment = {
  stackName: 'Petstore-Staging',
  stage: 'staging',
  apiKeyPrefix: 'pet_test_',
  platformDomain: 'apps.staging.petstore.example',
  managedZoneIds: [],
  keepsData: false,
  logRetention: RetentionDays.TWO_WEEKS,
  throttle: { ratePerSecond: 1000, burst: 2000 },
  throttlePerKey: { ratePerSecond: 200, burst: 1000 },
  petShards: 1,
};
