import { REGION, URL_SUFFIX } from '../cloudformation/pseudo-parameters.ts';
import { isWithin } from './domain-name.ts';

const GATEWAY_ZONE = `execute-api.${REGION}.${URL_SUFFIX}.`;

/** The public zones of AWS in which the local services create names: API Gateway's and ACM's. */
const AWS_ZONES = [GATEWAY_ZONE, 'acm-validations.aws.'];

/** The hosted zone of API Gateway's names in us-east-1, which an alias to one of them must name. */
export const GATEWAY_HOSTED_ZONE_ID = 'Z1UJRXOUMOOFQ8';

/** Where names of AWS resolve to, and the TTL of an alias for them in Route 53. */
export const LOCAL_ADDRESS = '127.0.0.1';
export const AWS_TTL_SECONDS = 60;

/** A name server of a delegation set. */
const NAME_SERVER = /^ns-\d+\.awsdns-\d\d\.(com|net|org|co\.uk)\.$/;

/** Whether a name, in Route 53's form, belongs to AWS in public DNS. Such names resolve to this machine. */
export function isAwsName(name: string): boolean {
  return isNameServer(name) || AWS_ZONES.some(zone => isWithin(name, zone));
}

export function isNameServer(name: string): boolean {
  return NAME_SERVER.test(name);
}

/** The hosted zone of AWS that a name lies in, if an alias may target the name. */
export function aliasZoneOf(name: string): string | undefined {
  return isWithin(name, GATEWAY_ZONE) ? GATEWAY_HOSTED_ZONE_ID : undefined;
}
