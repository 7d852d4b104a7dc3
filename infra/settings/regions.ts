import { RegionInfo } from 'aws-cdk-lib/region-info';

/** The names of AWS's regions, of all partitions. */
export const REGIONS: readonly string[] = RegionInfo.regions.map(({ name }) => name);

/** Requests per second, and how many may come at once. */
export interface Throttle {
  readonly ratePerSecond: number;
  readonly burst: number;
}

/**
 * The regions in which API Gateway allows an account 2,500 requests a second and 1,250 at once, instead of 10,000 and
 * 5,000: those that AWS lists, newer ones, and isolated ones, of which it says nothing.
 */
const SMALL_QUOTA = [
  'af-south-1',
  'ap-south-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-7',
  'ca-west-1',
  'eu-central-2',
  'eu-south-1',
  'eu-south-2',
  'il-central-1',
  'me-central-1',
  'mx-central-1',
  'ap-east-2',
  'ap-southeast-6',
  'eusc-de-east-1',
  'me-west-1',
];

/**
 * Half of what an account has in a region, so that two environments fit into one. API Gateway counts refused requests, too:
 * at 25 times the rate of a key, a client without one has to send as many requests as 25 paying ones at their limits before
 * it takes anything from them; in a region with a small quota, as many as six.
 */
export function throttleOf(region: string): Throttle {
  return SMALL_QUOTA.includes(region) || region.includes('-iso')
    ? { ratePerSecond: 1250, burst: 625 }
    : { ratePerSecond: 5000, burst: 2500 };
}

/** The most that the throttle of a stage is by default. */
export const HIGHEST_THROTTLE = throttleOf('us-east-1');
